package logbook

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// Checkpoint is what a log promises: it has so many leaves, and this is their root. Signed it is a note (golang.org/x/mod/sumdb/note) in the form of
// c2sp.org/tlog-checkpoint:
//
//	tirage.example/node-0
//	923748
//	nND/nri/U0xuHUrYSy0HtMeal2vzD9V4k/BO79C+QeI=
//
//	— tirage-log Az3grlgtzPICa5OS8npVmf1Myq/5…
//
// Whoever keeps one can tell later whether the log still holds the same leaves: see [Check].
type Checkpoint struct {
	Origin string // names the log
	Size   int64  // leaves
	Root   tlog.Hash
}

// maxCheckpoint bounds the text of a checkpoint, in bytes.
const maxCheckpoint = 1 << 16

// OriginOf names the log of a node: "tirage.example/node-0".
func OriginOf(operator string, node int64) string {
	return operator + "/node-" + strconv.FormatInt(node, 10)
}

// NodeOf returns the node whose log an origin names.
func NodeOf(origin string) (int64, error) {
	operator, digits, ok := strings.Cut(origin, "/node-")
	node, err := strconv.ParseInt(digits, 10, 64)
	if !ok || err != nil || node < 0 || OriginOf(operator, node) != origin {
		return 0, fmt.Errorf("origin %.80q: accepted OPERATOR/node-NUMBER", origin)
	}
	return node, nil
}

// Tree returns the promised tree.
func (c Checkpoint) Tree() tlog.Tree { return tlog.Tree{N: c.Size, Hash: c.Root} }

// String returns the text that is signed.
func (c Checkpoint) String() string {
	return fmt.Sprintf("%s\n%d\n%s\n", c.Origin, c.Size, base64.StdEncoding.EncodeToString(c.Root[:]))
}

// ParseCheckpoint reads what String wrote. Further lines, as other logs add them, are not accepted: this log writes none.
func ParseCheckpoint(text string) (Checkpoint, error) {
	bad := errors.New("checkpoint: accepted three lines, the name of the log, its size and its root")
	lines := strings.Split(text, "\n")
	if len(text) > maxCheckpoint || len(lines) != 4 {
		return Checkpoint{}, bad
	}
	c := Checkpoint{Origin: lines[0]}
	var err error
	if c.Size, err = strconv.ParseInt(lines[1], 10, 64); err != nil || c.Size < 0 {
		return Checkpoint{}, bad
	}
	root, err := base64.StdEncoding.DecodeString(lines[2])
	if err != nil || len(root) != tlog.HashSize || c.Origin == "" {
		return Checkpoint{}, bad
	}
	c.Root = tlog.Hash(root)
	if c.String() != text {
		return Checkpoint{}, bad
	}
	return c, nil
}

// Sign signs the checkpoint.
func (c Checkpoint) Sign(signer note.Signer) (string, error) {
	signed, err := note.Sign(&note.Note{Text: c.String()}, signer)
	return string(signed), err
}

// OpenCheckpoint reads a signed checkpoint that one of the keys has signed.
func OpenCheckpoint(signed string, keys note.Verifiers) (Checkpoint, error) {
	if len(signed) > maxCheckpoint {
		return Checkpoint{}, fmt.Errorf("checkpoint of %d bytes: accepted at most %d", len(signed), maxCheckpoint)
	}
	n, err := note.Open([]byte(signed), keys)
	if err != nil {
		return Checkpoint{}, fmt.Errorf("checkpoint: %w", err)
	}
	return ParseCheckpoint(n.Text)
}
