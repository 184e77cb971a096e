package verify

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"golang.org/x/mod/sumdb/note"
)

// ReceiptFormat names the version of the file.
const ReceiptFormat = "tirage/receipt/1"

// MaxReceipt bounds a receipt, in bytes: fifteen plays of sixty grids stay far below.
const MaxReceipt = 4 << 20

// ReceiptFile is the receipt of a play: what was bought, in the words of the player, and the leaf that proves it.
type ReceiptFile struct {
	Format string `json:"format"`
	Play   *Play  `json:"play"`
	Leaf   *Leaf  `json:"leaf"`
}

// NewReceipt makes the receipt of the play that a leaf holds.
func NewReceipt(l *Leaf) (*ReceiptFile, error) {
	play, err := ReadPlay([]byte(l.Body))
	if err != nil {
		return nil, err
	}
	return &ReceiptFile{ReceiptFormat, play, l}, nil
}

// ParseReceipt reads a receipt.
func ParseReceipt(data []byte) (*ReceiptFile, error) {
	if len(data) > MaxReceipt {
		return nil, fmt.Errorf("receipt of %d bytes: accepted at most %d", len(data), MaxReceipt)
	}
	r := &ReceiptFile{}
	err := unmarshal(data, r)
	switch {
	case err != nil:
		return nil, fmt.Errorf("no receipt of format %s: %w", ReceiptFormat, err)
	case r.Format != ReceiptFormat:
		return nil, fmt.Errorf("format %.40q: accepted %q", r.Format, ReceiptFormat)
	case r.Play == nil || r.Leaf == nil:
		return nil, errors.New("a receipt has a play and a leaf")
	}
	return r, nil
}

// Receipt checks a receipt: that the operator signed the log, that the leaf is in it, that what is printed is what the leaf says, and that what was sold
// is what the rules sell. It needs the operator's public keys and nothing else.
func Receipt(data []byte, keys note.Verifiers) *Report {
	report := &Report{Kind: KindReceipt}
	r, err := ParseReceipt(data)
	if !report.add(CheckFile, err) {
		return report
	}
	report.What = r.Play.ID
	c, err := r.Leaf.checkpoint(keys)
	if !report.add(CheckCheckpoint, err) {
		return report
	}
	report.Log, report.Size = c.Origin, c.Size
	if !report.add(CheckProof, r.Leaf.prove(c)) {
		return report
	}
	play, err := ReadPlay([]byte(r.Leaf.Body))
	if err == nil {
		err = r.Play.same(play)
	}
	if !report.add(CheckPlay, err) {
		return report
	}
	report.Play = play
	report.add(CheckRules, play.checkRules())
	return report
}

// same compares what is printed with what the leaf says.
func (p *Play) same(leaf *Play) error {
	printed, err := json.Marshal(p)
	if err != nil {
		return err
	}
	said, err := json.Marshal(leaf)
	if err != nil || bytes.Equal(printed, said) {
		return err
	}
	at := 0
	for at < min(len(printed), len(said)) && printed[at] == said[at] {
		at++
	}
	return fmt.Errorf("the receipt shows …%.60s, the leaf says …%.60s", printed[max(0, at-20):], said[max(0, at-20):])
}
