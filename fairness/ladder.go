package fairness

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
)

// labelLadder is the use of a secret for one series of a ladder.
const labelLadder = "tirage/1 ladder"

// LadderSeries names one series of one round of a ladder: the items that one level drops. Each is a draw of its own, with a secret
// of its own, made when the series before is stored (Art. donuts@2019-06-25:3.2.2).
//
// The commitment to the secret, for the context "ladder/ROUND/N", is shown with the decision. The player's device sends a
// fresh contribution with « Go » or « Je continue ». Then
//
//	block i of the series = derive(secret, "tirage/1 ladder", round ‖ n in 2 bytes ‖ contribution ‖ i in 2 bytes)
//
// for i = 0, 1, 2 …, and its numbers come from the blocks as those of a [Stream] from its bytes. The secret is shown with the
// outcome. The operator was bound before it knew the contribution, and the player decides before the secret is known: neither
// can choose the outcome. ROUND is 32 hexadecimal digits, a–f small, N is in decimals. What the numbers mean is said by
// rules/ladder, at Step.
//
//	var d fairness.LadderDraw
//	d.Start(secret, fairness.LadderSeries{Round: id, N: 1}, contribution)
//	state, series := ladder.Step(table, ladder.State{}, &d)
type LadderSeries struct {
	Round [16]byte // id of the round
	N     uint16   // 1 for the first series
}

// Contribution is what the player's device adds to one series: 16 bytes of its own choice.
type Contribution [16]byte

// Commit returns the commitment to the secret of the series.
func (l LadderSeries) Commit(s Secret) [32]byte {
	return Commit(s, fmt.Sprintf("ladder/%x/%d", l.Round, l.N))
}

// CheckCommit says whether the secret is the one that was committed to for this series of this round.
func (l LadderSeries) CheckCommit(commitment [32]byte, s Secret) bool {
	return l.Commit(s) == commitment
}

// LadderDraw gives the numbers of one series. It takes no memory, so that one serves for round after round; it is not for
// two goroutines at once.
type LadderDraw struct {
	secret  Secret
	context [16 + 2 + 16 + 2]byte
	next    uint32 // block to derive next
	block   [sha256.Size]byte
	used    int // bytes of block that are used up
}

// Start begins the numbers of a series, at the first one.
func (d *LadderDraw) Start(s Secret, l LadderSeries, c Contribution) {
	d.secret, d.next, d.used = s, 0, sha256.Size
	copy(d.context[:], l.Round[:])
	binary.BigEndian.PutUint16(d.context[16:], l.N)
	copy(d.context[18:], c[:])
}

// Uniform returns one of the numbers 0 … n−1, each with the same probability. It panics unless 1 ≤ n ≤ 2³².
func (d *LadderDraw) Uniform(n uint64) uint64 {
	const words = 1 << 32
	if n < 1 || n > words {
		panic(fmt.Sprintf("fairness: Uniform(%d) of a series", n))
	}
	for {
		// Fewer than n words are dropped, all at the top: below them it takes no division to see that.
		w := d.word()
		if w < words-n || w < words-words%n {
			return w % n
		}
	}
}

// word takes the next 4 bytes of the series as one number.
func (d *LadderDraw) word() uint64 {
	if d.used == sha256.Size {
		if d.next > 1<<16-1 {
			panic("fairness: a series of more than half a million numbers")
		}
		binary.BigEndian.PutUint16(d.context[34:], uint16(d.next))
		d.block = derive(d.secret, labelLadder, d.context[:])
		d.next++
		d.used = 0
	}
	w := binary.BigEndian.Uint32(d.block[d.used:])
	d.used += 4
	return uint64(w)
}
