package sealed

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"
	"tirage/central"
	"tirage/rules/money"
)

// Fault is what is wrong in the sealed files of a draw, and where: as close as it is known.
type Fault struct {
	File  string             // name of the file
	Row   int64              // of the file, from 0; −1: the file as a whole, or a slice of it
	Play  string             // "0-12", or a pack, "600/3"; "": not known
	Slice *central.FileSlice // nil: not known
	Err   error
}

func (f *Fault) Error() string {
	at := f.File
	if f.Slice != nil {
		at += fmt.Sprintf(", node %d, hour %d", f.Slice.Node, f.Slice.Hour)
	}
	if f.Row >= 0 {
		at += fmt.Sprintf(", row %d", f.Row)
	}
	if f.Play != "" {
		at += ", " + f.Play
	}
	return at + ": " + f.Err.Error()
}

func (f *Fault) Unwrap() error { return f.Err }

// whole is a fault of a file as a whole.
func whole(file string, err error) *Fault { return &Fault{File: file, Row: -1, Err: err} }

// Check verifies the sealed files of a draw without a database: the operator has signed every paper, the files are those that the papers bind to the byte, and their
// rows are what the manifest says of them. It returns what it found of the first thing that is wrong as a [Fault].
//
// A file that is not the one that was signed is not read any further: a Parquet file with one wrong byte may have its reader ask for all the memory there is. Where
// its rows are to be found all the same, see [CheckRows].
func Check(files fs.FS, draw string, v central.Verifier) (*central.Manifest, error) {
	name := draw + "." + central.DocManifest
	m, err := readPaper[central.Manifest](files, name, v)
	if err != nil {
		return nil, err
	}
	switch {
	case m.Sales.Draw != draw:
		return nil, whole(name, fmt.Errorf("it seals draw %.40q", m.Sales.Draw))
	case m.File == nil || m.File.Format != Format:
		return nil, whole(name, fmt.Errorf("it binds no file of format %s", Format))
	case !bytes.Equal(m.Sales.File, m.File.Digest()):
		return nil, whole(name, errors.New("its counts are those of other files"))
	}
	for _, part := range m.File.Parts {
		if err := checkFile(files, part.Name, part.Bytes, part.SHA256); err != nil {
			return nil, err
		}
	}
	if err := CheckRows(files, m); err != nil {
		return nil, err
	}
	return m, checkPapers(files, draw, v)
}

// checkFile compares a file with what was signed of it; bytes −1: its size was not.
func checkFile(files fs.FS, name string, size int64, sum []byte) error {
	f, err := files.Open(name)
	if err != nil {
		return whole(name, err)
	}
	defer f.Close()
	h := sha256.New()
	n, err := io.Copy(h, f)
	switch got := h.Sum(nil); {
	case err != nil:
		return whole(name, err)
	case size >= 0 && n != size:
		return whole(name, fmt.Errorf("%d bytes, %d were signed", n, size))
	case !bytes.Equal(got, sum):
		return whole(name, fmt.Errorf("SHA-256 %x, %x was signed", got, sum))
	}
	return nil
}

// paperMax bounds a signed paper, in bytes: the manifest of a draw with a year of hours stays far below.
const paperMax = 16 << 20

// readPaper reads a paper that the operator has signed, in the one form in which it is written.
func readPaper[T any](files fs.FS, name string, v central.Verifier) (*T, error) {
	f, err := files.Open(name)
	if err != nil {
		return nil, whole(name, err)
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, paperMax+1))
	if err == nil && len(b) > paperMax {
		err = fmt.Errorf("paper of more than %d bytes", paperMax)
	}
	if err != nil {
		return nil, whole(name, err)
	}
	text, err := v.Verify(string(b), central.RoleOperator)
	if err == nil && !writtenOnce(string(b), text) {
		err = errors.New("accepted the text and one signature, nothing beside them")
	}
	if err != nil {
		return nil, whole(name, err)
	}
	paper := new(T)
	d := json.NewDecoder(strings.NewReader(text))
	d.DisallowUnknownFields() // a paper of another kind is signed, too
	if err := d.Decode(paper); err != nil {
		return nil, whole(name, err)
	}
	return paper, nil
}

// writtenOnce says whether a signed note is its text and one signature in the one encoding that it has: the format of notes passes over signatures of unknown keys
// and over unused bits.
func writtenOnce(signed, text string) bool {
	line, ok := strings.CutPrefix(signed, text+"\n")
	line, end := strings.CutSuffix(line, "\n")
	at := strings.LastIndexByte(line, ' ')
	if !ok || !end || at < 0 || strings.ContainsAny(line, "\r\n") {
		return false
	}
	_, err := base64.StdEncoding.Strict().DecodeString(line[at+1:])
	return err == nil
}

// checkPapers checks the papers of every version of the result that stand beside the manifest, and the file of gains that each count binds.
func checkPapers(files fs.FS, draw string, v central.Verifier) error {
	for version := int64(1); ; version++ {
		c := &papersCheck{files: files, draw: draw, version: version, v: v}
		if done, err := c.check(); done || err != nil {
			return err
		}
	}
}

// papersCheck checks the papers of one version.
type papersCheck struct {
	files   fs.FS
	draw    string
	version int64
	v       central.Verifier
}

func (c *papersCheck) name(kind string) string { return c.draw + "." + paperFile(kind, c.version) }

func (c *papersCheck) has(name string) bool {
	_, err := fs.Stat(c.files, name)
	return !errors.Is(err, fs.ErrNotExist)
}

// check checks the papers of the version; done when it has none. A result may stand alone while it is being counted; a count stands on all others.
func (c *papersCheck) check() (done bool, err error) {
	gains := fmt.Sprintf("%s.gains-%d.parquet", c.draw, c.version)
	result, outside, count := c.name(central.DocResult), c.name(central.DocOutside), c.name(central.DocCount)
	if !c.has(result) && !c.has(outside) && !c.has(count) && !c.has(gains) {
		return true, nil
	}
	r, err := readPaper[central.Result](c.files, result, c.v)
	if err == nil {
		err = c.is(result, r.Draw, r.Version, len(r.Main) > 0)
	}
	if err != nil {
		return false, err
	}
	o, err := readPaper[central.Outside](c.files, outside, c.v)
	if err == nil {
		err = c.is(outside, o.Draw, o.Version, true)
	}
	if err != nil || !c.has(count) && !c.has(gains) {
		return false, err
	}
	n, err := readPaper[central.Count](c.files, count, c.v)
	if err == nil {
		err = c.is(count, n.Draw, n.Version, len(n.File) == sha256.Size)
	}
	if err == nil {
		err = checkFile(c.files, gains, -1, n.File)
	}
	if notice := c.name(central.DocNotice); err == nil && c.has(notice) {
		p, read := readPaper[central.Notice](c.files, notice, c.v)
		if err = read; err == nil {
			err = c.is(notice, p.Draw, p.Version, len(p.Main) > 0)
		}
	}
	return false, err
}

// is refuses a paper of something else.
func (c *papersCheck) is(name, draw string, version int64, filled bool) error {
	if draw != c.draw || version != c.version || !filled {
		return whole(name, fmt.Errorf("it is no such paper of version %d of draw %s", c.version, c.draw))
	}
	return nil
}

// CheckRows reads the rows of a draw's packs and plays and compares them with its manifest: each row with its own digest, the plays with the slices, order and
// counts. It names the row, or the slice where a row is gone or one that is whole in itself stands too much. The files must be whole Parquet files: see [Check].
func CheckRows(files fs.FS, m *central.Manifest) error {
	c := &rowsCheck{slices: m.File.Slices, at: -1}
	for _, part := range m.File.Parts {
		var err error
		switch {
		case strings.HasSuffix(part.Name, ".packs.parquet"):
			err = eachRow(files, part, c.pack, func(string) error { return nil })
		case strings.HasSuffix(part.Name, ".plays.parquet"):
			err = eachRow(files, part, c.play, c.end)
		}
		if err != nil {
			return err
		}
	}
	if c.packs != m.Sales.Packs {
		return whole(m.Sales.Draw+".packs.parquet", fmt.Errorf("%d packs, %d were signed", c.packs, m.Sales.Packs))
	}
	return nil
}

// eachRow reads a file row by row.
func eachRow[T any](files fs.FS, part central.FilePart, check func(name string, n int64, row *T) error, end func(name string) error) error {
	f, err := files.Open(part.Name)
	if err != nil {
		return whole(part.Name, err)
	}
	defer f.Close()
	at, ok := f.(io.ReaderAt)
	if !ok {
		return whole(part.Name, errors.New("it cannot be read at any place"))
	}
	r := parquet.NewGenericReader[T](at)
	defer r.Close()
	rows := make([]T, 256)
	for n := int64(0); ; {
		got, err := r.Read(rows)
		for i := range rows[:got] {
			if err := check(part.Name, n, &rows[i]); err != nil {
				return err
			}
			n++
		}
		if errors.Is(err, io.EOF) {
			if err := end(part.Name); err != nil || n == part.Rows {
				return err
			}
			return whole(part.Name, fmt.Errorf("%d rows, %d were signed", n, part.Rows))
		}
		if err != nil {
			return whole(part.Name, err)
		}
		clear(rows)
	}
}

// rowsCheck is what was read so far.
type rowsCheck struct {
	slices []central.FileSlice
	at     int // of the slice that is read, −1: none yet
	sum    central.FileSlice
	digest hash.Hash
	packs  int64
	last   *packRow
	play0  [2]int64 // node and leaf of the play before
	text   []byte
}

func (c *rowsCheck) pack(name string, n int64, r *packRow) error {
	fault := func(err error) error {
		return &Fault{File: name, Row: n, Play: packName(r.Type, r.Pack), Err: err}
	}
	c.text = r.text(c.text[:0])
	next := int64(0)
	if c.last != nil && c.last.Type == r.Type {
		next = c.last.Pack + 1
	}
	switch {
	case sha256.Sum256(c.text) != r.Digest:
		return fault(errors.New("its digest is that of another row"))
	case r.Pack != next || c.last != nil && r.Type < c.last.Type:
		return fault(errors.New("it stands out of its order"))
	}
	c.packs++
	last := *r
	c.last = &last
	return nil
}

func (c *rowsCheck) play(name string, n int64, r *playRow) error {
	fault := func(err error) error {
		return &Fault{File: name, Row: n, Play: fmt.Sprintf("%d-%d", r.Node, r.Leaf), Slice: c.slice(), Err: err}
	}
	c.text = r.text(c.text[:0])
	if sha256.Sum256(c.text) != r.Digest {
		return fault(errors.New("its digest is that of another row"))
	}
	if here := [2]int64{r.Node, r.Leaf}; n > 0 && slices.Compare(here[:], c.play0[:]) <= 0 {
		return fault(errors.New("it stands out of its order"))
	} else {
		c.play0 = here
	}
	hour := r.At / microsOfHour
	if c.at < 0 || c.sum.Node != r.Node || c.sum.Hour != hour {
		if err := c.endSlice(name); err != nil {
			return err
		}
		c.at++
		c.sum, c.digest = central.FileSlice{Node: r.Node, Hour: hour}, sha256.New()
		if want := c.slice(); want == nil || want.Node != r.Node || want.Hour != hour {
			return fault(errors.New("it is of no slice that was signed here"))
		}
	}
	c.sum.Plays++
	c.sum.Cents = money.Add(c.sum.Cents, money.Cents(r.Stake))
	for _, a := range r.Added {
		c.sum.Cents = money.Add(c.sum.Cents, money.Cents(a.Stake))
	}
	c.digest.Write(hex.AppendEncode(make([]byte, 0, 64), r.Digest[:]))
	return nil
}

// slice is what was signed of the slice that is read, nil where there is none.
func (c *rowsCheck) slice() *central.FileSlice {
	if c.at < 0 || c.at >= len(c.slices) {
		return nil
	}
	return &c.slices[c.at]
}

// endSlice compares the slice that was read with what was signed of it.
func (c *rowsCheck) endSlice(name string) error {
	want := c.slice()
	if c.at < 0 || want == nil {
		return nil
	}
	c.sum.Digest = c.digest.Sum(nil)
	switch {
	case c.sum.Plays != want.Plays || c.sum.Cents != want.Cents:
		return &Fault{File: name, Row: -1, Slice: want, Err: fmt.Errorf("%d plays of %v, %d of %v were signed", c.sum.Plays, c.sum.Cents, want.Plays, want.Cents)}
	case !bytes.Equal(c.sum.Digest, want.Digest):
		return &Fault{File: name, Row: -1, Slice: want, Err: errors.New("its rows are not those that were signed")}
	}
	return nil
}

// end checks the last slice, and that none is missing.
func (c *rowsCheck) end(name string) error {
	if err := c.endSlice(name); err != nil {
		return err
	}
	if c.at++; c.at < len(c.slices) {
		return &Fault{File: name, Row: -1, Slice: c.slice(), Err: errors.New("its plays are missing")}
	}
	return nil
}
