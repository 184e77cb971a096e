// Package sealed writes the plays of a closed draw to files that anyone's tools read: DuckDB, Spark, pandas. They are what the independent control
// counts, and what is kept of a draw when its database is gone. docs/sealed.md is their specification.
//
//	loto-2018-11-03.packs.parquet    one row a pack, by type and number
//	loto-2018-11-03.plays.parquet    one row a play, in the order of the logs: node, then leaf
//	loto-2018-11-03.manifest         signed by the operator: counts, cents, the logs' sizes and roots, the terms, and the SHA-256 of the files
//	loto-2018-11-03.result-1         signed: what was drawn, as version 1 of the result
//	loto-2018-11-03.outside-1        signed: winners elsewhere
//	loto-2018-11-03.gains-1.parquet  one row a gain of a play, in the order of the plays
//	loto-2018-11-03.count-1          signed: winners, unit gains, sums, and the SHA-256 of the file of gains
//	loto-2018-11-03.notice-1         signed: what is published of it
//
// A player stands in them under a pseudonym of the draw; two draws give one player two pseudonyms that nobody can join without the operator's key. Every row
// ends with the SHA-256 of its columns, so that a changed row is found by itself. The same plays give the same bytes.
//
//	archive := &sealed.Archive{Dir: "sealed", Pseudonym: keys.Pseudonym}
//	operator := &central.Operator{…, Archive: archive, Control: &sealed.Control{Archive: archive, Program: "bin/control", …}}
package sealed

import (
	"bufio"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
	"tirage/central"
	"tirage/fairness"
)

// Format names the version of the files.
const Format = "tirage/sealed/1"

// Archive keeps sealed files in a folder. It is a [central.Archive].
type Archive struct {
	Dir       string
	Pseudonym func(draw string, player int64) string // the player's name in a draw
}

var _ central.Archive = (*Archive)(nil)

// Path returns where a file of a draw stands: "manifest", "plays.parquet", "result-1".
func (a *Archive) Path(draw, file string) string { return filepath.Join(a.Dir, draw+"."+file) }

// paperFile names the file of a paper.
func paperFile(kind string, version int64) string {
	if kind == central.DocManifest {
		return kind
	}
	return fmt.Sprintf("%s-%d", kind, version)
}

// Seal writes packs and plays of a draw.
func (a *Archive) Seal(ctx context.Context, snap central.Snapshot, d *central.Draw, secret fairness.Secret) (*central.SealedFile, error) {
	s, err := newSealing(a, d, secret)
	if err != nil {
		return nil, err
	}
	packs, err := newFile[packRow](a, d.ID, "packs.parquet")
	if err != nil {
		return nil, err
	}
	defer packs.drop()
	plays, err := newFile[playRow](a, d.ID, "plays.parquet")
	if err != nil {
		return nil, err
	}
	defer plays.drop()
	s.packs, s.plays = packs, plays
	if err := central.SealedRows(ctx, snap, d.ID, s.add); err != nil {
		return nil, err
	}
	s.endSlice()
	out := &central.SealedFile{Format: Format, Game: d.Game, Day: d.Day, Exceptional: d.Exceptional == 1, Slices: s.slices}
	for _, end := range []func() (central.FilePart, error){packs.end, plays.end} {
		part, err := end()
		if err != nil {
			return nil, err
		}
		out.Parts = append(out.Parts, part)
	}
	return out, nil
}

// Paper keeps a signed paper.
func (a *Archive) Paper(draw, kind string, version int64, signed string) (err error) {
	f, err := create(a, draw)
	if err != nil {
		return err
	}
	defer f.drop()
	if _, err := io.WriteString(f, signed); err != nil {
		return err
	}
	return f.store(a.Path(draw, paperFile(kind, version)))
}

// gainRow is one gain of a play at one component of the result: "ranks", "code/loto".
type gainRow struct {
	Node      int64  `parquet:"node"`
	Leaf      int64  `parquet:"leaf"`
	Player    string `parquet:"player"` // "": nobody yet, a winner at a point of sale
	Component string `parquet:"component,dict"`
	Cents     int64  `parquet:"cents"`
}

// Gains writes what each play is due.
func (a *Archive) Gains(ctx context.Context, snap central.Snapshot, c *central.Counting) ([]byte, error) {
	f, err := newFile[gainRow](a, c.Draw.ID, fmt.Sprintf("gains-%d.parquet", c.Draw.Version))
	if err != nil {
		return nil, err
	}
	defer f.drop()
	_, err = c.Credits(ctx, snap, func(credit central.Credit) error {
		node, leaf := place(credit.Play)
		player := ""
		if credit.Player != 0 {
			player = a.Pseudonym(credit.Draw, credit.Player)
		}
		return f.add(gainRow{node, leaf, player, credit.Component, int64(credit.Cents)})
	})
	if err != nil {
		return nil, err
	}
	part, err := f.end()
	return part.SHA256, err
}

// place returns the writer and the leaf of a play.
func place(play int64) (node, leaf int64) { return play >> 48, play&(1<<48-1) - 1 }

// rowsOfGroup bounds the rows of a row group: what a reader holds at a time.
const rowsOfGroup = 100_000

// file is a Parquet file that is being written: under another name until it is whole and on the disk.
type file[T any] struct {
	temp *temporary
	name string
	path string
	sums *counted
	out  *parquet.GenericWriter[T]
	row  [1]T
	rows int64
}

func newFile[T any](a *Archive, draw, name string) (*file[T], error) {
	temp, err := create(a, draw)
	if err != nil {
		return nil, err
	}
	sums := &counted{to: bufio.NewWriterSize(temp, 1<<20), sha: sha256.New()}
	out := parquet.NewGenericWriter[T](sums, parquet.Compression(&zstd.Codec{}), parquet.MaxRowsPerRowGroup(rowsOfGroup),
		parquet.CreatedBy("tirage", "1", ""), parquet.KeyValueMetadata("format", Format), parquet.KeyValueMetadata("draw", draw))
	return &file[T]{temp: temp, name: draw + "." + name, path: a.Path(draw, name), sums: sums, out: out}, nil
}

func (f *file[T]) add(row T) error {
	f.row[0] = row
	f.rows++
	_, err := f.out.Write(f.row[:])
	return err
}

// end writes what is left and puts the file in its place.
func (f *file[T]) end() (central.FilePart, error) {
	if err := errors.Join(f.out.Close(), f.sums.to.Flush()); err != nil {
		return central.FilePart{}, err
	}
	part := central.FilePart{Name: f.name, Rows: f.rows, Bytes: f.sums.n, SHA256: f.sums.sha.Sum(nil)}
	return part, f.temp.store(f.path)
}

func (f *file[T]) drop() { f.temp.drop() }

// counted counts and hashes what passes.
type counted struct {
	to  *bufio.Writer
	sha hash.Hash
	n   int64
}

func (c *counted) Write(p []byte) (int, error) {
	c.sha.Write(p)
	c.n += int64(len(p))
	return c.to.Write(p)
}

// temporary is a file that appears under its name only when it is whole.
type temporary struct {
	*os.File
	stored bool
}

func create(a *Archive, draw string) (*temporary, error) {
	if draw == "" || strings.ContainsAny(draw, `/\`) {
		return nil, fmt.Errorf("draw %q: accepted the name of a draw", draw)
	}
	if err := os.MkdirAll(a.Dir, 0o700); err != nil {
		return nil, fmt.Errorf("folder of the sealed files: %w", err)
	}
	f, err := os.CreateTemp(a.Dir, ".writing-*") // of mode 0600
	if err != nil {
		return nil, fmt.Errorf("sealed file: %w", err)
	}
	return &temporary{File: f}, nil
}

// store puts the file on the disk and under its name.
func (t *temporary) store(path string) error {
	if err := errors.Join(t.Sync(), t.Close()); err != nil {
		return err
	}
	if err := os.Rename(t.Name(), path); err != nil {
		return err
	}
	t.stored = true
	dir, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

// drop removes a file that was not stored.
func (t *temporary) drop() {
	if !t.stored {
		_ = t.Close()           // it may be closed already
		_ = os.Remove(t.Name()) // a leftover is no sealed file: its name says so
	}
}
