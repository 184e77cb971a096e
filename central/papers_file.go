package central

import (
	"context"
	"crypto/sha256"
	"errors"
	"reflect"

	"tirage/fairness"
	"tirage/rules/money"
)

// Archive keeps the sealed file of each draw, its papers and its gains where the control reads them. What it is given a second time it writes again: the
// same plays give the same bytes.
type Archive interface {
	// Seal writes the sealed rows of a draw, players under the pseudonyms of the draw, and returns what the manifest says of the file.
	Seal(ctx context.Context, snap Snapshot, d *Draw, secret fairness.Secret) (*SealedFile, error)
	// Paper keeps a signed paper.
	Paper(draw, kind string, version int64, signed string) error
	// Gains writes what each play is due and returns the SHA-256 of the file.
	Gains(ctx context.Context, snap Snapshot, c *Counting) ([]byte, error)
}

// SealedFile is what a manifest says of the sealed file: its parts, and the plays by writer and hour, so that a difference is located.
type SealedFile struct {
	Format      string      `json:"format"`
	Game        string      `json:"game"`
	Day         string      `json:"day"` // YYYY-MM-DD
	Exceptional bool        `json:"exceptional,omitempty"`
	Parts       []FilePart  `json:"parts"`
	Slices      []FileSlice `json:"slices"`
}

// FilePart is one part of a sealed file.
type FilePart struct {
	Name   string `json:"name"`
	Rows   int64  `json:"rows"`
	Bytes  int64  `json:"bytes"`
	SHA256 []byte `json:"sha256"`
}

// FileSlice is the plays that one writer took in one hour.
type FileSlice struct {
	Node   int64       `json:"node"`
	Hour   int64       `json:"hour"` // whole hours since 1970, UTC
	Plays  int64       `json:"plays"`
	Cents  money.Cents `json:"cents"`  // stakes, those of added games included
	Digest []byte      `json:"digest"` // SHA-256 of the digests of its rows, each as 64 hexadecimal digits, in the order of the file
}

// Digest binds all parts: the SHA-256 of their SHA-256, in order.
func (f *SealedFile) Digest() []byte {
	h := sha256.New()
	for _, p := range f.Parts {
		h.Write(p.SHA256)
	}
	return h.Sum(nil)
}

// Differs says why a control's count of the plays is not the operator's, "" when they agree. A control inside the process gives the digest of the rows, one
// outside that of the file: at least one of them binds what was counted.
func (s *Sales) Differs(control *Sales) string {
	if len(control.Findings) > 0 {
		return "the control found: " + control.Findings[0]
	}
	c := *control
	if c.Digest == nil && c.File != nil {
		c.Digest = s.Digest
	}
	if c.File == nil {
		c.File = s.File
	}
	if !reflect.DeepEqual(s, &c) {
		return "the control's count of the plays differs from the manifest"
	}
	return ""
}

// Differs says why a control's count of a result is not the operator's, "" when they agree. A control outside the process cannot name the players of the
// slices; it vouches for the file of gains instead.
func (c *Count) Differs(control *Count) string {
	if len(control.Findings) > 0 {
		return "the control found: " + control.Findings[0]
	}
	k := *control
	if k.Slices == nil && k.File != nil {
		k.Slices = c.Slices
	}
	if k.File == nil {
		k.File = c.File
	}
	if !reflect.DeepEqual(c, &k) {
		return "operator and control count different winners or gains"
	}
	return ""
}

// keep hands papers of a draw, as they are stored, to the archive.
func (o *Operator) keep(ctx context.Context, draw string, version int64, kinds ...string) error {
	if o.Archive == nil {
		return nil
	}
	return o.snapshot(ctx, func(snap Snapshot) error {
		for _, kind := range kinds {
			row, err := snap.Get(ctx, docKey(draw, kind, version))
			if err == nil && row == nil {
				err = refuse(Conflict, "paper.missing", "draw", "draw %s has no %s of version %d", draw, kind, version)
			}
			if err == nil {
				err = o.Archive.Paper(draw, kind, version, row.(*Doc).Body)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// writeSealed has the archive write the plays of a draw, and puts what it wrote into the manifest.
func (o *Operator) writeSealed(ctx context.Context, snap Snapshot, draw string, m *Manifest) error {
	if o.Archive == nil {
		return nil
	}
	d, err := readDraw(ctx, snap, draw)
	if err != nil {
		return err
	}
	secret, err := o.OpenSecret(d)
	if err != nil {
		return err
	}
	if m.File, err = o.Archive.Seal(ctx, snap, d, secret); err != nil {
		return errors.Join(errors.New("the sealed file could not be written"), err)
	}
	m.Sales.File = m.File.Digest()
	return nil
}
