package central

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"tirage/games"
)

// What is printed of a line, of a composition, is what is read.
func FuzzLine(f *testing.F) {
	for _, s := range []string{"1-2-3-4-5+6", "quick 6x10", "quick 6x10*2", "quick", "", "1-2+3-"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var l, again Line
		if l.UnmarshalText([]byte(s)) != nil {
			return
		}
		text, err := l.MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		if err := again.UnmarshalText(text); err != nil || again != l {
			t.Errorf("%q is read as %+v, written as %q, read as %+v, %v", s, l, text, again, err)
		}
	})
}

func FuzzComposition(f *testing.F) {
	for _, s := range []string{"6x10*10+5", "6x10*10", "5", "6x1*1+7x2*3", "5+5", "+", "6x10", "5a", "-1", "6x10*10+05"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if c, err := parseComposition(s); err == nil && formatComposition(c) != s {
			t.Errorf("%q is read as %+v, written as %q", s, c, formatComposition(c))
		}
	})
}

func FuzzReadPaper(f *testing.F) {
	f.Add("{\"draw\":\"d\"}\n\n— tirage-operator x\n")
	f.Add("")
	f.Fuzz(func(t *testing.T, s string) {
		if c, err := ReadPaper[Count](s); (c == nil) == (err == nil) {
			t.Errorf("%q: %v, %v", s, c, err)
		}
	})
}

// A play stores where its codes stand, and both versions that it goes by. Which code that is must not depend on which of the two reads it: the zones of
// a series are the same in every version of its game, in the same order.
func TestZonesAreTheSameInEveryVersion(t *testing.T) {
	for _, game := range games.Games() {
		versions, err := games.Versions(game)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range versions[1:] {
			if diff := cmp.Diff(versions[0].Codes, v.Codes); diff != "" {
				t.Errorf("codes of %s and %s differ: a play needs the version under which its codes were issued\n%s", versions[0].Header.Version(), v.Header.Version(), diff)
			}
			if diff := cmp.Diff(versions[0].Sale.With, v.Sale.With); diff != "" {
				t.Errorf("games sold with %s and %s differ\n%s", versions[0].Header.Version(), v.Header.Version(), diff)
			}
		}
	}
}
