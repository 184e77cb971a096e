// Package evidence gathers all that proves a draw in one archive, which a stranger verifies offline.
//
//	err := evidence.Write(f, evidence.Pack{…})
//	report, err := evidence.Verify(f, size, evidence.Keys{Operator: key, Control: key})
//
// The archive is a ZIP file:
//
//	index.note        signed by the operator: every other file with its size and SHA-256, the rulebook and the program
//	papers/KIND-N     the signed papers: manifest, sales (of the control), result, outside, count, control (of the control), draft, notice
//	sealed/FILE       the sealed plays, packs and gains as the control read them (docs/sealed.md)
//	notice/FORM       the notice as a page, a document, JSON and a row of the archive
//
// What is verified: the index is the operator's and lists exactly the files that are there, each with its digest; every paper is signed by whom it must be;
// the manifest binds the sealed plays and the count the gains; operator and control counted the same, before the draw and after it; the notice is the draft, and says
// what was drawn and counted. To count again, give sealed/ to the program of the folder control.
package evidence

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/sumdb/note"

	"tirage/central"
	"tirage/notices"
)

// Format names the version of the archive.
const Format = "tirage/evidence/1"

// Index lists what an archive holds.
type Index struct {
	Format  string `json:"format"`
	Draw    string `json:"draw"`
	Version int64  `json:"version"` // of the result
	Rules   string `json:"rules"`
	Program string `json:"program"` // SHA-256 of the program that wrote it, "" where it is not known
	Files   []File `json:"files"`
}

// File is one file of an archive.
type File struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	SHA256 []byte `json:"sha256"`
}

// indexName is the file that lists the others.
const indexName = "index.note"

// paperKinds are the papers of a draw, each with the role that signs it, in the order of its life.
var paperKinds = []struct {
	kind, role string
	versioned  bool
}{
	{central.DocManifest, central.RoleOperator, false},
	{central.DocSales, central.RoleControl, false},
	{central.DocResult, central.RoleOperator, true},
	{central.DocOutside, central.RoleOperator, true},
	{central.DocCount, central.RoleOperator, true},
	{central.DocControl, central.RoleControl, true},
	{central.DocDraft, central.RoleOperator, true},
	{central.DocNotice, central.RoleOperator, true},
}

// Pack is what an archive is made from.
type Pack struct {
	Snapshot central.Snapshot
	Draw     string
	Sealed   string // folder of the sealed files
	Signer   note.Signer
	Program  string // its SHA-256 in hexadecimal digits
}

// Write writes the archive of a published draw. The same draw gives the same bytes.
func Write(ctx context.Context, to io.Writer, p Pack) error {
	list, err := notices.Published(ctx, p.Snapshot)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(list, func(n *central.Notice) bool { return n.Draw == p.Draw })
	if i < 0 {
		return fmt.Errorf("draw %.60q: accepted a draw whose notice is published", p.Draw)
	}
	n := list[i]
	w := &writer{zip: zip.NewWriter(to), index: Index{Format: Format, Draw: p.Draw, Version: n.Version, Rules: n.Rules, Program: p.Program}}
	if err := w.papers(ctx, p, n.Version); err != nil {
		return err
	}
	if err := w.sealed(p, n.Version); err != nil {
		return err
	}
	if err := w.notice(n, list); err != nil {
		return err
	}
	signed, err := central.SignPaper(w.index, p.Signer)
	if err != nil {
		return err
	}
	if err := w.store(indexName, strings.NewReader(signed)); err != nil {
		return err
	}
	return w.zip.Close()
}

type writer struct {
	zip   *zip.Writer
	index Index
}

// add writes a file and lists it.
func (w *writer) add(name string, from io.Reader) error {
	h := sha256.New()
	count := &counter{}
	if err := w.store(name, io.TeeReader(from, io.MultiWriter(h, count))); err != nil {
		return err
	}
	w.index.Files = append(w.index.Files, File{name, count.n, h.Sum(nil)})
	return nil
}

// store writes a file, without the time at which it does: the same draw gives the same bytes.
func (w *writer) store(name string, from io.Reader) error {
	f, err := w.zip.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate})
	if err != nil {
		return err
	}
	_, err = io.Copy(f, from)
	return err
}

type counter struct{ n int64 }

func (c *counter) Write(p []byte) (int, error) { c.n += int64(len(p)); return len(p), nil }

func paperName(kind string, version int64) string { return fmt.Sprintf("papers/%s-%d", kind, version) }

func (w *writer) papers(ctx context.Context, p Pack, version int64) error {
	for _, k := range paperKinds {
		v := version
		if !k.versioned {
			v = 0
		}
		row, err := p.Snapshot.Get(ctx, central.Key{Table: central.Docs, S: p.Draw, U: k.kind, N: v})
		if err != nil {
			return err
		}
		doc, ok := row.(*central.Doc)
		if !ok {
			return fmt.Errorf("draw %s has no paper %s of version %d", p.Draw, k.kind, v)
		}
		if err := w.add(paperName(k.kind, v), strings.NewReader(doc.Body)); err != nil {
			return err
		}
	}
	return nil
}

// sealedFiles names the files of a draw in the folder of the sealed files.
func sealedFiles(draw string, version int64) []string {
	return []string{
		draw + ".manifest", draw + ".packs.parquet", draw + ".plays.parquet", fmt.Sprintf("%s.result-%d", draw, version), fmt.Sprintf("%s.outside-%d", draw, version),
		fmt.Sprintf("%s.gains-%d.parquet", draw, version), fmt.Sprintf("%s.count-%d", draw, version),
	}
}

func (w *writer) sealed(p Pack, version int64) error {
	for _, name := range sealedFiles(p.Draw, version) {
		f, err := os.Open(filepath.Join(p.Sealed, name))
		if err != nil {
			return fmt.Errorf("sealed files: %w", err)
		}
		err = w.add("sealed/"+name, f)
		if f.Close(); err != nil {
			return err
		}
	}
	return nil
}

func (w *writer) notice(n *central.Notice, list []*central.Notice) error {
	page, err1 := notices.HTML(n, notices.French)
	doc, err2 := notices.PDF(n, notices.French)
	text, err3 := notices.JSON(n)
	row, err4 := notices.Row(n, list)
	for _, err := range []error{err1, err2, err3, err4} {
		if err != nil {
			return err
		}
	}
	for _, f := range []struct {
		name string
		text []byte
	}{{"notice.html", []byte(page)}, {"notice.pdf", doc}, {"notice.json", text}, {"notice.csv", row}} {
		if err := w.add("notice/"+f.name, bytes.NewReader(f.text)); err != nil {
			return err
		}
	}
	return nil
}
