package fairness

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"testing"

	"tirage/rules/codes"
	"tirage/rules/combin"
)

// vectors are the numbers of another implementation, testdata/reference.py. Numbers that might pass 2⁵³ are texts.
type vectors struct {
	Drawn []struct {
		Secret, Draw, Public string
		Matrix               [4]int
		Issued               int64 `json:",string"`
		Count                int64 `json:",string"`
		Grid, Number         string
		Codes                []string
	}
	Commitments []struct{ Secret, Context, Commitment string }
	CodeKeys    []struct{ Secret, Series, Key string } `json:"code_keys"`
	Streams     []struct{ Secret, Context, Bytes string }
	Uniforms    []struct {
		Secret, Context string
		Ns, Values      []string
	}
	Samples []struct {
		Secret, Context string
		N               int64 `json:",string"`
		K               int64 `json:",string"`
		Values          []string
	}
	QuickPicks []struct {
		Secret, Draw  string
		Play          int64 `json:",string"`
		Line, Attempt int
		Matrix        [4]int
		Format        [2]int
		Grid          string
	} `json:"quick_picks"`
	Numbers []struct {
		Secret, Draw, Game, Number string
		Play                       int64 `json:",string"`
		Digits                     int
	}
	Permutations []struct {
		Key                string
		N                  int64 `json:",string"`
		Positions, Numbers []string
	}
}

func readVectors(t *testing.T) vectors {
	t.Helper()
	b, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var v vectors
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

func parse(t *testing.T, revealed string) Secret {
	t.Helper()
	s, err := ParseSecret(revealed)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func number(t *testing.T, s string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestVectorsOfDerivations(t *testing.T) {
	v := readVectors(t)
	for _, c := range v.Commitments {
		if got := Commit(parse(t, c.Secret), c.Context); hex.EncodeToString(got[:]) != c.Commitment {
			t.Errorf("commitment for %q: %x, want %s", c.Context, got, c.Commitment)
		}
	}
	for _, c := range v.CodeKeys {
		if got := CodeKey(parse(t, c.Secret), c.Series); hex.EncodeToString(got[:]) != c.Key {
			t.Errorf("key of %s: %x, want %s", c.Series, got, c.Key)
		}
	}
	for _, c := range v.Streams {
		stream, got := NewStream(parse(t, c.Secret), c.Context), make([]byte, len(c.Bytes)/2)
		for i := range got {
			got[i] = byte(stream.word(1))
		}
		if hex.EncodeToString(got) != c.Bytes {
			t.Errorf("stream for %q: %x, want %s", c.Context, got, c.Bytes)
		}
	}
	if len(v.Commitments) < 8 || len(v.CodeKeys) < 6 || len(v.Streams) < 8 {
		t.Errorf("%d commitments, %d keys, %d streams: vectors are missing", len(v.Commitments), len(v.CodeKeys), len(v.Streams))
	}
}

func TestVectorsOfNumbers(t *testing.T) {
	v := readVectors(t)
	for _, c := range v.Uniforms {
		stream := NewStream(parse(t, c.Secret), c.Context)
		for i, n := range c.Ns {
			if got := stream.Uniform(number(t, n)); got != number(t, c.Values[i]) {
				t.Errorf("%q: number %d, Uniform(%s) = %d, want %s", c.Context, i, n, got, c.Values[i])
			}
		}
	}
	for _, c := range v.Samples {
		got, err := NewStream(parse(t, c.Secret), c.Context).Sample(c.N, c.K)
		var want []int64
		for _, s := range c.Values {
			want = append(want, number(t, s))
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("Sample(%d, %d) = %v, %v, want %v", c.N, c.K, got, err, want)
		}
	}
	for _, c := range v.QuickPicks {
		m := combin.Matrix{Main: c.Matrix[0], MainOf: c.Matrix[1], Extra: c.Matrix[2], ExtraOf: c.Matrix[3]}
		f := combin.Format{Main: c.Format[0], Extra: c.Format[1]}
		if got := QuickPick(parse(t, c.Secret), c.Draw, c.Play, c.Line, c.Attempt, m, f); got.String() != c.Grid {
			t.Errorf("quick pick of %s, play %d, line %d, attempt %d, %v: %v, want %s", c.Draw, c.Play, c.Line, c.Attempt, f, got, c.Grid)
		}
	}
	for _, c := range v.Numbers {
		if got := Number(parse(t, c.Secret), c.Draw, c.Play, c.Game, c.Digits); got != c.Number {
			t.Errorf("number of %d digits of %s, play %d, %s: %s, want %s", c.Digits, c.Draw, c.Play, c.Game, got, c.Number)
		}
	}
	if len(v.Numbers) < 40 {
		t.Errorf("%d numbers: vectors are missing", len(v.Numbers))
	}
	if len(v.Uniforms) < 32 || len(v.Samples) < 14 || len(v.QuickPicks) < 50 {
		t.Errorf("%d uniforms, %d samples, %d quick picks: vectors are missing", len(v.Uniforms), len(v.Samples), len(v.QuickPicks))
	}
}

func TestVectorsOfPermutations(t *testing.T) {
	v := readVectors(t)
	for _, c := range v.Permutations {
		p, err := codes.NewPermutation(parse(t, c.Key), c.N)
		if err != nil {
			t.Fatal(err)
		}
		for i, position := range c.Positions {
			if got := p.At(number(t, position)); got != number(t, c.Numbers[i]) {
				t.Errorf("permutation of %d: At(%s) = %d, want %s", c.N, position, got, c.Numbers[i])
			}
		}
	}
	if len(v.Permutations) < 14 {
		t.Errorf("%d permutations: vectors are missing", len(v.Permutations))
	}
}

// The vectors are what the other implementation prints today.
func TestVectorsAreThoseOfTheReference(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("skipped: no python3 to run testdata/reference.py")
	}
	got, err := exec.Command(python, "testdata/reference.py").Output()
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("testdata/vectors.json is not what testdata/reference.py prints")
	}
}
