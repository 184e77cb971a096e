package banlist_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tirage/banlist"
	"tirage/central"
	"tirage/store/storetest"
	"tirage/vault"
)

const good = "tirage-banlist 1\nDUPONT;JEAN;1980-02-29\r\nD'ÉTÉ-NOËL;Zoé Marie;1975-12-01\nend 2\n"

var (
	dupont = &central.Person{Family: "Dupont", Given: "Jean", Birth: "1980-02-29"}
	free   = &central.Person{Family: "Dupont", Given: "Jean", Birth: "1980-02-28"}
)

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// The file is asked as it stands: when it changes, disappears, is damaged or comes back, the next answer is that of the file or none.
func TestAskFollowsTheFile(t *testing.T) {
	keys, err := vault.New(&storetest.Entropy{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	clock := &storetest.Clock{}
	clock.Set(time.Now())
	path := filepath.Join(t.TempDir(), "list.txt")
	list := banlist.New(path, keys.BanList, clock)
	ask := func(p *central.Person) (*central.Clearance, error) {
		signed, err := list.Ask(t.Context(), p)
		if err != nil {
			return nil, err
		}
		text, err := keys.Verifier().Verify(signed, central.RoleBanList)
		if err != nil {
			t.Fatal(err)
		}
		c, err := central.ReadPaper[central.Clearance](text)
		if err != nil || c.Person != p.Digest() || c.At != clock.Now().UnixMicro() {
			t.Fatalf("%+v, %v", c, err)
		}
		return c, nil
	}
	none := func(why string) {
		t.Helper()
		if c, err := ask(free); err == nil || !strings.Contains(err.Error(), why) || strings.Contains(err.Error(), "DUPONT") {
			t.Fatalf("%+v, %v; want no answer: %s", c, err, why)
		}
	}
	answer := func(p *central.Person, banned bool) {
		t.Helper()
		if c, err := ask(p); err != nil || c.Banned != banned {
			t.Fatalf("%+v, %v; want banned %v", c, err, banned)
		}
	}
	none("no such file")
	write(t, path, good)
	answer(dupont, true)
	answer(free, false)
	write(t, path, "tirage-banlist 1\nDUPONT;JEAN;1980-02-28\nend 1\n")
	answer(dupont, false)
	answer(free, true)
	write(t, path, good[:len(good)-7])
	none("the last line")
	write(t, path, good)
	answer(dupont, true)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	none("no such file")
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	none("is a directory")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	write(t, path, good)
	list.MaxAge = time.Hour
	answer(dupont, true)
	clock.Set(time.Now().Add(2 * time.Hour))
	none("accepted at most 1h0m0s")
}

func TestParse(t *testing.T) {
	l, err := banlist.Parse([]byte(good))
	if err != nil || l.Len() != 2 || !l.Names((&central.Person{Family: "d’été noel", Given: "ZOÉ-MARIE", Birth: "1975-12-01"}).Digest()) {
		t.Errorf("%+v, %v", l, err)
	}
	if l, err := banlist.Parse([]byte("tirage-banlist 1\nend 0\n")); err != nil || l.Len() != 0 {
		t.Errorf("an empty list: %+v, %v", l, err)
	}
	for name, row := range map[string]struct{ file, want string }{
		"empty":              {"", "1: the last line"},
		"another format":     {"tirage-banlist 2\nend 0\n", `1: accepted "tirage-banlist 1"`},
		"cut at a line":      {good[:strings.Index(good, "end")], "4: the last line"},
		"cut in a line":      {good[:30], "2: "},
		"wrong count":        {strings.Replace(good, "end 2", "end 3", 1), "4: the last line counts other than the 2 persons"},
		"more after it":      {good + "DUPONT;JEAN;1980-02-29\n", "5: a line after the last one"},
		"two fields":         {"tirage-banlist 1\nDUPONT;JEAN\nend 1\n", "2: 2 fields"},
		"no name":            {"tirage-banlist 1\n;JEAN;1980-02-29\nend 1\n", "2: accepted FAMILY"},
		"not a date":         {"tirage-banlist 1\nDUPONT;JEAN;29/02/1980\nend 1\n", "2: accepted FAMILY"},
		"a line too long":    {"tirage-banlist 1\n" + strings.Repeat("x", 1<<17), "2: "},
		"an empty line":      {"tirage-banlist 1\n\nend 0\n", "2: 1 fields"},
		"count not a number": {"tirage-banlist 1\nend two\n", "2: the last line counts"},
	} {
		if l, err := banlist.Parse([]byte(row.file)); err == nil || !strings.HasPrefix(err.Error(), row.want) || strings.Contains(err.Error(), "JEAN") {
			t.Errorf("%s: %+v, %v; want %s", name, l, err, row.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(good))
	f.Add([]byte("tirage-banlist 1\nend 0\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if l, err := banlist.Parse(b); err == nil && (l.Digest == "" || !strings.Contains(string(b), "\nend ")) {
			t.Errorf("%q is read as %+v", b, l)
		}
	})
}
