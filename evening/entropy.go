package evening

import (
	"crypto/sha256"
	"encoding/binary"
	"sync"
)

// Rehearsal is an entropy that anyone can predict: a stream of SHA-256 over a seed and a counter, so that two runs of a scenario give the
// same secrets, codes and log. A report made with it says that it is a rehearsal.
type Rehearsal struct {
	Seed uint64
	Use  string // keeps the streams of one seed apart
	mu   sync.Mutex
	n    uint64
}

// Read fills p.
func (r *Rehearsal) Read(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := 0; i < len(p); i += sha256.Size {
		block := binary.BigEndian.AppendUint64([]byte("tirage rehearsal "+r.Use+"\x00"), r.Seed)
		h := sha256.Sum256(binary.BigEndian.AppendUint64(block, r.n))
		r.n++
		copy(p[i:], h[:])
	}
	return len(p), nil
}
