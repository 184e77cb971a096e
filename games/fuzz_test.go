package games

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
)

// FuzzParse: whatever the file holds, it is refused with lines that it has, or it is a rulebook that can be used.
func FuzzParse(f *testing.F) {
	for _, r := range All() {
		data, err := fs.ReadFile(files, r.Header.Game+"/"+r.Header.Effective+".toml")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	for _, s := range []string{"", "a", "[a", "[[a]]\n[a]", "a = [[{}]]", "a = {v={v=1}}", "[header.notes]\nv = [[1],[{}]]", "a=1979-05-27", "\"\" = \"\"", "a = \"\\u0000\"",
		"[digits]\nlength=9\nwinners_share=100\nstakes=[{stake=1,gains=[9_999_999_999_999,8,7,6,5,4,3,2,1]}]"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := Parse("f.toml", data)
		if err != nil {
			checkError(t, err, 1+strings.Count(string(data), "\n"))
			return
		}
		if r.Prizes != nil {
			r.RankOf(r.Matrix.Main, r.Matrix.Extra)
		}
		for _, fact := range r.Facts {
			if fact.Path == "" || !fact.Confidence.Known() || fact.Line < 1 {
				t.Errorf("fact %+v", fact)
			}
		}
	})
}

func checkError(t *testing.T, err error, lines int) {
	t.Helper()
	var faults *Error
	if !errors.As(err, &faults) || len(faults.Problems) == 0 {
		t.Fatalf("error %v", err)
	}
	for _, p := range faults.Problems {
		if p.Line < 1 || p.Line > lines || p.Reason == "" {
			t.Errorf("line %d of %d: %q", p.Line, lines, p.Reason)
		}
	}
	if want := fmt.Sprintf("f.toml:%d: ", faults.Problems[0].Line); !strings.HasPrefix(err.Error(), want) {
		t.Errorf("error %q does not start with %q", err, want)
	}
}

func TestErrorNamesAtMostTwentyFaults(t *testing.T) {
	text := "[header]\n"
	for i := range 50 {
		text += fmt.Sprintf("k%d = 1\n", i)
	}
	_, err := Parse("many.toml", []byte(text))
	if lines := strings.Split(err.Error(), "\n"); len(lines) != 21 || !strings.HasPrefix(lines[20], "many.toml: ") || !strings.HasSuffix(lines[20], " more") {
		t.Errorf("%d lines, the last %q", len(lines), lines[len(lines)-1])
	}
}

func TestLargeFileIsRefused(t *testing.T) {
	_, err := Parse("large.toml", make([]byte, maxFile+1))
	if want := "large.toml:1: a file of more than 65536 bytes; accepted: at most that"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}
