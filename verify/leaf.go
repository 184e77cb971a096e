package verify

import (
	"fmt"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
	"tirage/logbook"
)

// Leaf is a leaf of a log with the proof that it is in: what its owner holds.
type Leaf struct {
	Node       int64            `json:"node"`
	Index      int64            `json:"index"`
	Salt       []byte           `json:"salt"`       // base64
	Body       string           `json:"body"`       // one line of JSON, to the byte
	Proof      tlog.RecordProof `json:"proof"`      // hashes, base64
	Checkpoint string           `json:"checkpoint"` // signed
}

// checkpoint opens the signed checkpoint of the leaf's log.
func (l *Leaf) checkpoint(keys note.Verifiers) (logbook.Checkpoint, error) {
	c, err := logbook.OpenCheckpoint(l.Checkpoint, keys)
	if err != nil {
		return c, err
	}
	node, err := logbook.NodeOf(c.Origin)
	switch {
	case err != nil:
		return c, err
	case node != l.Node:
		return c, fmt.Errorf("the checkpoint is that of node %d, the leaf one of node %d", node, l.Node)
	}
	return c, nil
}

// prove checks that the leaf is in the log of the checkpoint, at its place.
func (l *Leaf) prove(c logbook.Checkpoint) error {
	if len(l.Salt) != logbook.SaltSize {
		return fmt.Errorf("a salt of %d bytes: %d are needed", len(l.Salt), logbook.SaltSize)
	}
	if l.Index < 0 || l.Index >= c.Size {
		return fmt.Errorf("leaf %d of a log of %d leaves", l.Index, c.Size)
	}
	if tlog.CheckRecord(l.Proof, c.Size, c.Root, l.Index, logbook.Hash(l.Salt, []byte(l.Body))) != nil {
		return fmt.Errorf("body, salt and proof do not lead to the signed root of %d leaves", c.Size)
	}
	head, err := logbook.ParseHead([]byte(l.Body))
	switch {
	case err != nil:
		return err
	case head.Node != l.Node || head.Index != l.Index:
		return fmt.Errorf("the body is that of leaf %d of node %d", head.Index, head.Node)
	}
	return nil
}
