package sealed

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/parquet-go/parquet-go"
	"tirage/central"
	"tirage/vault"
)

// kept is a draw with plays of three writers in several hours, every list filled somewhere, and all its papers.
type kept struct {
	files fstest.MapFS
	keys  central.Verifier
	m     *central.Manifest
	plays []playRow
	packs []packRow
}

// keepDraw spreads the plays of a real evening over writers and hours and seals them again.
func keepDraw(t *testing.T) *kept {
	t.Helper()
	a, m, _ := run(t, t.TempDir())
	k := &kept{files: fstest.MapFS{}, plays: read[playRow](t, a, "plays.parquet"), packs: read[packRow](t, a, "packs.parquet")}
	for i := range k.plays {
		p := &k.plays[i]
		p.Node = int64(i / 40)
		p.At += int64(i/9) * microsOfHour
		switch i % 4 {
		case 1:
			p.Lines, p.Codes = k.packs[0].Lines[:2], k.packs[0].Codes
		case 2:
			p.Added = []added{{"jokerplus", 200, "0123456", "jokerplus@2017-03-06"}}
		case 3:
			p.Receipts = []receipt{{1, p.Player, 300}, {2, "0123456789abcdef", 360}}
		}
		p.Digest = sha256.Sum256(p.text(nil))
	}
	for i := range 4 {
		next := k.packs[0]
		next.Pack = int64(i) + 1
		next.Digest = sha256.Sum256(next.text(nil))
		k.packs = append(k.packs, next)
	}
	s := &sealing{}
	for i := range k.plays {
		s.slice(&k.plays[i])
	}
	s.endSlice()
	m.File.Slices, m.Sales.Packs = s.slices, int64(len(k.packs))
	m.File.Parts = []central.FilePart{k.put(t, "packs.parquet", parquetOf(t, k.packs), len(k.packs)), k.put(t, "plays.parquet", parquetOf(t, k.plays), len(k.plays))}
	m.Sales.File = m.File.Digest()
	k.m = m
	k.sign(t, a)
	return k
}

func (k *kept) put(t *testing.T, file string, b []byte, rows int) central.FilePart {
	t.Helper()
	sum := sha256.Sum256(b)
	k.files[draw+"."+file] = &fstest.MapFile{Data: b}
	return central.FilePart{Name: draw + "." + file, Rows: int64(rows), Bytes: int64(len(b)), SHA256: sum[:]}
}

// sign signs the manifest, and once more the papers of the evening, with one key.
func (k *kept) sign(t *testing.T, a *Archive) {
	t.Helper()
	keys, err := vault.New(vault.SystemEntropy{})
	if err != nil {
		t.Fatal(err)
	}
	k.keys = keys.Verifier()
	keep := func(file string, v any) {
		signed, err := central.SignPaper(v, keys.Operator)
		if err != nil {
			t.Fatal(err)
		}
		k.files[draw+"."+file] = &fstest.MapFile{Data: []byte(signed)}
	}
	keep("manifest", k.m)
	for _, file := range []string{"result-1", "outside-1", "count-1", "notice-1", "gains-1.parquet"} {
		b, err := os.ReadFile(filepath.Join(a.Dir, draw+"."+file))
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(file, "parquet") {
			k.files[draw+"."+file] = &fstest.MapFile{Data: b}
			continue
		}
		var v any
		switch file {
		case "result-1":
			v, err = central.ReadPaper[central.Result](string(b))
		case "outside-1":
			v, err = central.ReadPaper[central.Outside](string(b))
		case "notice-1":
			v, err = central.ReadPaper[central.Notice](string(b))
		default:
			v, err = central.ReadPaper[central.Count](string(b))
		}
		if err != nil {
			t.Fatal(err)
		}
		keep(file, v)
	}
}

func parquetOf[T any](t *testing.T, rows []T) []byte {
	t.Helper()
	var b bytes.Buffer
	w := parquet.NewGenericWriter[T](&b, parquet.MaxRowsPerRowGroup(50))
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// with is the draw with another file in the place of one.
func (k *kept) with(name string, b []byte) fstest.MapFS {
	files := maps.Clone(k.files)
	if files[name] = (&fstest.MapFile{Data: b}); b == nil {
		delete(files, name)
	}
	return files
}

// changes of a sequence of anything: what somebody may do to a file, or to the rows of one.
var mutations = []struct {
	name string
	do   func(r *rand.Rand, b []byte) []byte
}{
	{"flip", func(r *rand.Rand, b []byte) []byte {
		b[r.IntN(len(b))] ^= 1 << r.IntN(8)
		return b
	}},
	{"drop", func(r *rand.Rand, b []byte) []byte {
		at := r.IntN(len(b))
		return slices.Delete(b, at, min(len(b), at+1+r.IntN(40)))
	}},
	{"insert", func(r *rand.Rand, b []byte) []byte {
		more := make([]byte, 1+r.IntN(40))
		for i := range more {
			more[i] = byte(r.Uint32())
		}
		return slices.Insert(b, r.IntN(len(b)+1), more...)
	}},
	{"swap", func(r *rand.Rand, b []byte) []byte {
		n := 1 + r.IntN(min(40, len(b)/3))
		i, j := r.IntN(len(b)-n), r.IntN(len(b)-n)
		for k := range n {
			b[i+k], b[j+k] = b[j+k], b[i+k]
		}
		return b
	}},
	{"cut", func(r *rand.Rand, b []byte) []byte { return b[:r.IntN(len(b))] }},
}

func faultOf(err error) *Fault {
	var f *Fault
	errors.As(err, &f)
	return f
}

// Whatever is done to the bytes of any file of a draw, it is found, and the file is named. A Parquet file that is not the signed one is not read: some of these
// have a reader ask for gigabytes.
func TestMutatedBytes(t *testing.T) {
	k := keepDraw(t)
	if _, err := Check(k.files, draw, k.keys); err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	tried := 0
	for _, name := range slices.Sorted(maps.Keys(k.files)) {
		data := k.files[name].Data
		for _, m := range mutations {
			for range 120 {
				b := m.do(r, bytes.Clone(data))
				if bytes.Equal(b, data) {
					continue // two equal pieces have changed places
				}
				tried++
				_, err := Check(k.with(name, b), draw, k.keys)
				if f := faultOf(err); f == nil || f.File != name {
					t.Fatalf("%s, %s: %v", name, m.name, err)
				}
			}
		}
		if _, err := Check(k.with(name, nil), draw, k.keys); (faultOf(err) == nil || faultOf(err).File != name) && name != draw+".notice-1" { // one that is not yet published has none
			t.Errorf("%s is gone: %v", name, err)
		}
	}
	// Whole files in each other's place, too.
	for a := range k.files {
		for b := range k.files {
			if a == b {
				continue
			}
			tried++
			if _, err := Check(k.with(a, k.files[b].Data), draw, k.keys); faultOf(err) == nil || faultOf(err).File != a {
				t.Errorf("%s in the place of %s: %v", b, a, err)
			}
		}
	}
	if tried < 4000 {
		t.Errorf("%d mutations", tried)
	}
	t.Logf("%d mutations of bytes", tried)
}

// Whatever is done to the rows of the plays, in files that are whole in themselves, it is found by the digest of the file; and where the file is read all the same,
// by whoever can afford it, the row is named, or its slice where a row is gone or was made with a digest of its own.
func TestMutatedPlays(t *testing.T) {
	k := keepDraw(t)
	name := draw + ".plays.parquet"
	r := rand.New(rand.NewPCG(3, 4))
	tried := 0
	for tried < 2000 {
		rows := slices.Clone(k.plays)
		i := r.IntN(len(rows))
		what, near := "", []playRow{rows[i]}
		exact := false
		switch r.IntN(6) {
		case 0, 1:
			what, exact = "flip", true
			flipColumn(r, &rows[i])
		case 2:
			what = "drop"
			rows = slices.Delete(rows, i, i+1)
		case 3:
			what = "insert"
			extra := rows[r.IntN(len(rows))]
			extra.Leaf, extra.Node, extra.At = rows[i].Leaf, rows[i].Node, rows[i].At
			extra.Leaf += int64(r.IntN(2))
			extra.Digest = sha256.Sum256(extra.text(nil))
			rows = slices.Insert(rows, i+1, extra)
		case 4:
			j := r.IntN(len(rows))
			if i == j {
				continue
			}
			what = "swap"
			near = append(near, rows[j])
			rows[i], rows[j] = rows[j], rows[i]
		case 5:
			what = "cut"
			rows = rows[:i]
		}
		if what == "flip" && r.IntN(2) == 0 {
			what, exact = "forge", false
			rows[i].Digest = sha256.Sum256(rows[i].text(nil))
		}
		b := parquetOf(t, rows)
		if bytes.Equal(b, k.files[name].Data) {
			continue // a digest was flipped and made again
		}
		tried++
		if _, err := Check(k.with(name, b), draw, k.keys); faultOf(err) == nil || faultOf(err).File != name {
			t.Fatalf("%s of row %d: %v", what, i, err)
		}
		f := faultOf(CheckRows(k.with(name, b), k.m))
		if f == nil || f.File != name || exact && f.Row != int64(i) || !located(f, int64(i), near) {
			t.Fatalf("%s of row %d (%s): %v", what, i, fmt.Sprint(near[0].Node, near[0].At/microsOfHour), f)
		}
	}
	t.Logf("%d mutations of plays", tried)
}

// located says whether a fault points at one of the rows that were touched: the row, the one behind it, or the slice of one of them.
func located(f *Fault, i int64, near []playRow) bool {
	if f.Row >= 0 && f.Row-i <= 1 && f.Row >= i-1 {
		return true
	}
	return slices.ContainsFunc(near, func(p playRow) bool {
		return f.Play == fmt.Sprintf("%d-%d", p.Node, p.Leaf) || f.Slice != nil && f.Slice.Node == p.Node && f.Slice.Hour == p.At/microsOfHour
	})
}

// flipColumn changes one column of a row, or of one of its lists.
func flipColumn(r *rand.Rand, row any) {
	v := reflect.ValueOf(row).Elem()
	for {
		f := v.Field(r.IntN(v.NumField()))
		if f.Kind() == reflect.Slice {
			if f.Len() == 0 {
				continue
			}
			list := reflect.MakeSlice(f.Type(), f.Len(), f.Len())
			reflect.Copy(list, f)
			f.Set(list)
			f = f.Index(r.IntN(f.Len()))
			f = f.Field(r.IntN(f.NumField()))
		}
		switch f.Kind() {
		case reflect.Int64:
			f.SetInt(f.Int() ^ 1<<r.IntN(40))
		case reflect.Bool:
			f.SetBool(!f.Bool())
		case reflect.String:
			f.SetString(f.String() + "x")
		case reflect.Array:
			b := f.Index(r.IntN(f.Len()))
			b.SetUint(b.Uint() ^ 1<<r.IntN(8))
		}
		return
	}
}

// So it is with packs: a changed row is named, a missing one leaves a hole, and one with a digest of its own is not what was signed.
func TestMutatedPacks(t *testing.T) {
	k := keepDraw(t)
	name := draw + ".packs.parquet"
	r := rand.New(rand.NewPCG(5, 6))
	for n := range 500 {
		rows := slices.Clone(k.packs)
		i := r.IntN(len(rows))
		forged := false
		switch n % 5 {
		case 0:
			flipColumn(r, &rows[i])
		case 1:
			rows = slices.Delete(rows, i, i+1)
		case 2:
			rows = slices.Insert(rows, i, rows[i])
		case 3:
			j := (i + 1 + r.IntN(len(rows)-1)) % len(rows)
			rows[i], rows[j] = rows[j], rows[i]
			i = min(i, j)
		case 4:
			forged = true
			rows[i].Sold++
			rows[i].Digest = sha256.Sum256(rows[i].text(nil))
		}
		b := parquetOf(t, rows)
		if _, err := Check(k.with(name, b), draw, k.keys); faultOf(err) == nil || faultOf(err).File != name {
			t.Fatalf("mutation %d of pack %d: %v", n%5, i, err)
		}
		f := faultOf(CheckRows(k.with(name, b), k.m))
		switch {
		case forged:
		case f == nil || f.File != name || n%5 == 0 && f.Row != int64(i) || f.Row >= 0 && f.Row != int64(i) && f.Row != int64(i)+1:
			t.Fatalf("mutation %d of pack %d: %v", n%5, i, f)
		}
	}
}

// A file system that gives nothing to read at any place is an error, as is a folder without the draw.
func TestCheckNothing(t *testing.T) {
	k := keepDraw(t)
	if _, err := Check(fstest.MapFS{}, draw, k.keys); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if _, err := Check(k.files, "loto-2020-06-24", k.keys); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	other := maps.Clone(k.files)
	for name, f := range k.files {
		other[strings.Replace(name, draw, "loto-2020-06-24", 1)] = f
	}
	if _, err := Check(other, "loto-2020-06-24", k.keys); faultOf(err) == nil {
		t.Errorf("the files of a draw under the name of another: %v", err)
	}
}
