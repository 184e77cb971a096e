package evidence

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"

	"golang.org/x/mod/sumdb/note"

	"tirage/central"
	"tirage/notices"
)

// Keys are the public keys (golang.org/x/mod/sumdb/note) of who signed. They come from elsewhere than the archive.
type Keys struct{ Operator, Control string }

func (k Keys) verifier() (central.NoteVerifier, error) {
	v := central.NoteVerifier{}
	for role, key := range map[string]string{central.RoleOperator: k.Operator, central.RoleControl: k.Control} {
		verifier, err := note.NewVerifier(key)
		if err != nil {
			return nil, fmt.Errorf("public key of the %s: %w", role, err)
		}
		v[role] = verifier
	}
	return v, nil
}

// Bounds of an archive: its files, one of them, and a paper.
const (
	filesMax = 1000
	fileMax  = 64 << 30
	paperMax = 64 << 20
)

// archive is an archive being verified.
type archive struct {
	files  map[string]*zip.File
	keys   central.NoteVerifier
	index  *Index
	papers map[string]string // by kind
}

// Verify verifies an archive of so many bytes. Its error names the file and what is wrong with it.
func Verify(from io.ReaderAt, size int64, keys Keys) (*Index, error) {
	v, err := keys.verifier()
	if err != nil {
		return nil, err
	}
	z, err := zip.NewReader(from, size)
	if err != nil {
		return nil, err
	}
	if len(z.File) > filesMax {
		return nil, fmt.Errorf("%d files: accepted at most %d", len(z.File), filesMax)
	}
	a := &archive{files: map[string]*zip.File{}, keys: v, papers: map[string]string{}}
	for _, f := range z.File {
		if a.files[f.Name] != nil {
			return nil, fmt.Errorf("%.200q stands twice", f.Name)
		}
		a.files[f.Name] = f
	}
	for _, step := range []func() error{a.readIndex, a.checkFiles, a.readPapers, a.checkSealed, a.checkCounts, a.checkNotice} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return a.index, nil
}

// read returns a whole file.
func (a *archive) read(name string) ([]byte, error) {
	f := a.files[name]
	if f == nil {
		return nil, fmt.Errorf("%s is missing", name)
	}
	r, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	defer r.Close()
	b, err := io.ReadAll(io.LimitReader(r, paperMax+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	case len(b) > paperMax:
		return nil, fmt.Errorf("%s: more than %d bytes", name, paperMax)
	}
	return b, nil
}

func (a *archive) readIndex() error {
	signed, err := a.read(indexName)
	if err != nil {
		return err
	}
	if _, err := a.keys.Verify(string(signed), central.RoleOperator); err != nil {
		return fmt.Errorf("%s: %w", indexName, err)
	}
	if a.index, err = central.ReadPaper[Index](string(signed)); err != nil {
		return fmt.Errorf("%s: %w", indexName, err)
	}
	if a.index.Format != Format {
		return fmt.Errorf("%s: format %.60q, accepted %s", indexName, a.index.Format, Format)
	}
	return nil
}

// checkFiles compares what is there with what is listed.
func (a *archive) checkFiles() error {
	listed := map[string]bool{indexName: true}
	for _, f := range a.index.Files {
		listed[f.Name] = true
		sum, n, err := a.digest(f.Name)
		if err != nil {
			return err
		}
		if n != f.Bytes || !bytes.Equal(sum, f.SHA256) {
			return fmt.Errorf("%s: %d bytes with SHA-256 %x, listed are %d with %x", f.Name, n, sum[:8], f.Bytes, f.SHA256[:min(8, len(f.SHA256))])
		}
	}
	for name := range a.files {
		if !listed[name] {
			return fmt.Errorf("%.200q is not listed", name)
		}
	}
	return nil
}

func (a *archive) digest(name string) ([]byte, int64, error) {
	f := a.files[name]
	if f == nil {
		return nil, 0, fmt.Errorf("%.200q is missing", name)
	}
	r, err := f.Open()
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", name, err)
	}
	defer r.Close()
	h := sha256.New()
	n, err := io.Copy(h, io.LimitReader(r, fileMax))
	if err != nil {
		return nil, 0, fmt.Errorf("%s: %w", name, err)
	}
	return h.Sum(nil), n, nil
}

// readPapers verifies who signed each paper.
func (a *archive) readPapers() error {
	for _, k := range paperKinds {
		v := a.index.Version
		if !k.versioned {
			v = 0
		}
		name := paperName(k.kind, v)
		signed, err := a.read(name)
		if err != nil {
			return err
		}
		if _, err := a.keys.Verify(string(signed), k.role); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		a.papers[k.kind] = string(signed)
	}
	return nil
}

// paperOf reads a verified paper.
func paperOf[T any](a *archive, kind string) (*T, error) {
	v, err := central.ReadPaper[T](a.papers[kind])
	if err != nil {
		return nil, fmt.Errorf("%s: %w", kind, err)
	}
	return v, nil
}

// checkSealed compares the sealed files with the manifest and the count.
func (a *archive) checkSealed() error {
	m, err := paperOf[central.Manifest](a, central.DocManifest)
	if err != nil {
		return err
	}
	count, err := paperOf[central.Count](a, central.DocCount)
	if err != nil {
		return err
	}
	if m.Sales.Draw != a.index.Draw || m.File == nil || !bytes.Equal(m.Sales.File, m.File.Digest()) {
		return fmt.Errorf("the manifest binds no sealed file of %s", a.index.Draw)
	}
	want := map[string][]byte{fmt.Sprintf("sealed/%s.gains-%d.parquet", a.index.Draw, a.index.Version): count.File}
	for _, p := range m.File.Parts {
		want["sealed/"+p.Name] = p.SHA256
	}
	for name, sum := range want {
		i := slices.IndexFunc(a.index.Files, func(f File) bool { return f.Name == name })
		if i < 0 || !bytes.Equal(a.index.Files[i].SHA256, sum) {
			return fmt.Errorf("%s is not the file that was sealed or counted", name)
		}
	}
	return nil
}

// checkCounts compares what the operator and the control counted.
func (a *archive) checkCounts() error {
	m, err1 := paperOf[central.Manifest](a, central.DocManifest)
	sales, err2 := paperOf[central.Sales](a, central.DocSales)
	count, err3 := paperOf[central.Count](a, central.DocCount)
	control, err4 := paperOf[central.Count](a, central.DocControl)
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		return err
	}
	if why := m.Sales.Differs(sales); why != "" {
		return errors.New(why)
	}
	if why := count.Differs(control); why != "" {
		return errors.New(why)
	}
	return nil
}

// checkNotice compares the notice with its draft, with what was drawn and counted, and its forms with it.
func (a *archive) checkNotice() error {
	n, err1 := paperOf[central.Notice](a, central.DocNotice)
	draft, err2 := paperOf[central.NoticeDraft](a, central.DocDraft)
	r, err3 := paperOf[central.Result](a, central.DocResult)
	count, err4 := paperOf[central.Count](a, central.DocCount)
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		return err
	}
	switch {
	case n.Draw != a.index.Draw || r.Draw != n.Draw || count.Draw != n.Draw || n.Version != a.index.Version || r.Version != n.Version || count.Version != n.Version:
		return fmt.Errorf("notice, result and count are not all of version %d of %s", a.index.Version, a.index.Draw)
	case !reflect.DeepEqual(n, &draft.Notice):
		return errors.New("the notice is not the one that was drafted")
	case !slices.Equal(n.Main, r.Main) || !slices.Equal(n.Extra, r.Extra) || !reflect.DeepEqual(n.Codes, r.Codes):
		return errors.New("the notice does not say what was drawn")
	case len(n.Ranks) != len(count.Winners):
		return errors.New("the notice does not say what was counted")
	}
	for i, rank := range n.Ranks {
		winners := count.Winners[i]
		if len(count.Outside) > 0 {
			winners += count.Outside[i]
		}
		if rank.Winners != winners || winners > 0 && rank.Gain != count.Unit[i] {
			return fmt.Errorf("rank %d of the notice does not say what was counted", rank.Rank)
		}
	}
	return a.checkForms(n)
}

// checkForms writes the forms of the notice again.
func (a *archive) checkForms(n *central.Notice) error {
	page, err1 := notices.HTML(n, notices.French)
	text, err2 := notices.JSON(n)
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	for name, want := range map[string][]byte{"notice/notice.html": []byte(page), "notice/notice.json": text} {
		got, err := a.read(name)
		if err != nil {
			return err
		}
		if !bytes.Equal(got, want) {
			return fmt.Errorf("%s is not the published notice", name)
		}
	}
	return nil
}
