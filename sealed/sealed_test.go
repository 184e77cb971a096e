package sealed

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"tirage/central"
	"tirage/evening"
	"tirage/store/mem"
	"tirage/testdata/evenings"
	"tirage/vault"
)

// run runs the evening of 22 June 2020 with an archive in a folder.
func run(t *testing.T, dir string) (*Archive, *central.Manifest, *mem.Store) {
	t.Helper()
	s, err := evening.Parse(evenings.Loto20200622File, evenings.Loto20200622)
	if err != nil {
		t.Fatal(err)
	}
	o := evening.Options{Store: &mem.Store{}, Entropy: &evening.Rehearsal{Seed: 1}}
	if o.Keys, err = vault.New(o.Entropy); err != nil {
		t.Fatal(err)
	}
	a := &Archive{Dir: dir, Pseudonym: o.Keys.Pseudonym}
	o.Archive = a
	if _, err := evening.Run(t.Context(), s, o); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(a.Path(draw, "manifest"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := o.Keys.Verifier().Verify(string(b), central.RoleOperator); err != nil {
		t.Fatal(err)
	}
	m, err := central.ReadPaper[central.Manifest](string(b))
	if err != nil {
		t.Fatal(err)
	}
	return a, m, o.Store.(*mem.Store)
}

const draw = "loto-2020-06-22"

// The files hold every play and pack, under pseudonyms, each row with its digest; the manifest binds them; a second run gives the same bytes.
func TestSeal(t *testing.T) {
	a, m, _ := run(t, filepath.Join(t.TempDir(), "new"))
	plays := read[playRow](t, a, "plays.parquet")
	packs := read[packRow](t, a, "packs.parquet")
	if len(plays) != 108 || len(packs) != 1 || packs[0].Sold != 200 || len(packs[0].Lines) != 10 || packs[0].Codes[0] != (codeRun{"loto", "V 8214 7231", 600}) {
		t.Fatalf("%d plays, packs %+v", len(plays), packs)
	}
	if text := packs[0].text(nil); sha256.Sum256(text) != packs[0].Digest {
		t.Errorf("digest of %s", text)
	}
	names, all := map[string]bool{}, sha256.New()
	var cents int64
	for i, p := range plays {
		if sha256.Sum256(p.text(nil)) != p.Digest || p.Stake != 660*p.Shares || p.Kind != central.KindPack || len(p.Lines)+len(p.Codes)+len(p.Added) > 0 {
			t.Errorf("play %+v", p)
		}
		if i > 0 && p.Leaf <= plays[i-1].Leaf {
			t.Errorf("leaf %d after %d", p.Leaf, plays[i-1].Leaf)
		}
		if names[p.Player] = true; len(p.Player) != 16 {
			t.Errorf("player %q", p.Player)
		}
		cents += p.Stake
		all.Write([]byte(hex.EncodeToString(p.Digest[:])))
	}
	s := m.File.Slices
	if len(names) != 108 || len(s) != 1 || s[0].Plays != 108 || int64(s[0].Cents) != cents || !bytes.Equal(s[0].Digest, all.Sum(nil)) {
		t.Errorf("%d names, slices %+v", len(names), s)
	}
	for _, part := range m.File.Parts {
		b, err := os.ReadFile(filepath.Join(a.Dir, part.Name))
		if sum := sha256.Sum256(b); err != nil || !bytes.Equal(sum[:], part.SHA256) || int64(len(b)) != part.Bytes {
			t.Errorf("%s: %d bytes, %v", part.Name, len(b), err)
		}
	}
	if !bytes.Equal(m.Sales.File, m.File.Digest()) {
		t.Error("the manifest does not bind its files")
	}
	again, _, _ := run(t, t.TempDir())
	files, err := os.ReadDir(a.Dir)
	if err != nil || len(files) != 8 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, f := range files {
		x, err1 := os.ReadFile(filepath.Join(a.Dir, f.Name()))
		y, err2 := os.ReadFile(filepath.Join(again.Dir, f.Name()))
		if err := errors.Join(err1, err2); err != nil || !bytes.Equal(x, y) {
			t.Errorf("%s differs the second time: %v", f.Name(), err)
		}
	}
}

func read[T any](t *testing.T, a *Archive, file string) []T {
	t.Helper()
	rows, err := parquet.ReadFile[T](a.Path(draw, file))
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// What the gains of the file add up to is what was counted.
func TestGains(t *testing.T) {
	a, _, store := run(t, t.TempDir())
	b, err := os.ReadFile(a.Path(draw, "count-1"))
	if err != nil {
		t.Fatal(err)
	}
	count, err := central.ReadPaper[central.Count](string(b))
	if err != nil {
		t.Fatal(err)
	}
	var sum int64
	gains := read[gainRow](t, a, "gains-1.parquet")
	for _, g := range gains {
		sum += g.Cents
	}
	if int64(len(gains)) != count.Credits || sum != int64(count.Due) || sum != 813694200 {
		t.Errorf("%d gains of %d cents, counted %d of %v", len(gains), sum, count.Credits, count.Due)
	}
	// The counting of a draw can be written once more, whatever happened since.
	snap, err := store.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	row, err := snap.Get(t.Context(), central.Key{Table: central.Docs, S: draw, U: central.DocCount, N: 1})
	if err != nil || row.(*central.Doc).Body != string(b) {
		t.Errorf("the count that is kept is not the one that is stored: %v", err)
	}
}

// Nothing is left under the name of a sealed file when it could not be written, and no draw leads out of the folder.
func TestFailures(t *testing.T) {
	taken := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(taken, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, a := range []*Archive{{Dir: taken}, {Dir: filepath.Join(taken, "below")}} {
		if err := a.Paper(draw, central.DocManifest, 0, "text"); err == nil {
			t.Errorf("a paper in %s", a.Dir)
		}
	}
	a := &Archive{Dir: t.TempDir()}
	if err := a.Paper("../draw", central.DocManifest, 0, "text"); err == nil || !strings.Contains(err.Error(), "accepted the name of a draw") {
		t.Errorf("%v", err)
	}
	f, err := newFile[gainRow](a, draw, "gains-1.parquet")
	if err != nil {
		t.Fatal(err)
	}
	if err := f.add(gainRow{}); err != nil {
		t.Fatal(err)
	}
	f.drop()
	if left, err := os.ReadDir(a.Dir); err != nil || len(left) != 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}

// A control that cannot answer is an error with its words, not an answer.
func TestControlThatFails(t *testing.T) {
	c := &Control{Archive: &Archive{Dir: t.TempDir()}, Program: filepath.Join(t.TempDir(), "none")}
	if _, err := c.CountSales(t.Context(), draw); err == nil {
		t.Error("a program that does not exist answers")
	}
	c.Program = "false" // exit status 1 without a paper: the paper is refused where it is read
	if signed, err := c.CountResult(t.Context(), draw); err != nil || signed != "" {
		t.Errorf("%q, %v", signed, err)
	}
}
