package fairness

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"go/parser"
	"go/token"
	"log/slog"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"tirage/rules/combin"
)

var (
	loto  = combin.Matrix{Main: 5, MainOf: 49, Extra: 1, ExtraOf: 10}
	euro  = combin.Matrix{Main: 5, MainOf: 50, Extra: 2, ExtraOf: 12}
	plain = combin.Format{Main: 5, Extra: 1}
)

// secret returns the n-th secret of the tests.
func secret(n int) Secret { return sha256.Sum256(strconv.AppendInt(nil, int64(n), 10)) }

func TestMACEqualsHMAC(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var key Secret
		copy(key[:], rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(t, "key"))
		message := rapid.SliceOfN(rapid.Byte(), 0, 400).Draw(t, "message")
		h := hmac.New(sha256.New, key[:])
		h.Write(message)
		if got := mac(key, message); !bytes.Equal(got[:], h.Sum(nil)) {
			t.Fatalf("mac = %x, HMAC-SHA-256 = %x", got, h.Sum(nil))
		}
	})
}

func TestCommitment(t *testing.T) {
	c := Commit(secret(1), "loto-2020-06-22")
	if !CheckCommit(c, secret(1), "loto-2020-06-22") {
		t.Error("the secret does not open its own commitment")
	}
	if CheckCommit(c, secret(2), "loto-2020-06-22") {
		t.Error("another secret opens the commitment")
	}
	if CheckCommit(c, secret(1), "loto-2020-06-24") {
		t.Error("the commitment opens for another draw")
	}
	other := secret(1)
	for i := range 8 * len(other) { // each bit of the secret counts
		other[i/8] ^= 1 << (i % 8)
		if CheckCommit(c, other, "loto-2020-06-22") {
			t.Errorf("the secret with bit %d changed opens the commitment", i)
		}
		other[i/8] ^= 1 << (i % 8)
	}
}

// Case 31: the published commitment is no outcome and no part of one.
func TestCase31CommitmentIsNoOutcome(t *testing.T) {
	for i := range 100 {
		s := secret(i)
		for _, context := range []string{"", "loto", "loto-2020-06-22"} {
			commitment, key, stream := Commit(s, context), CodeKey(s, context), NewStream(s, context)
			if commitment == key {
				t.Fatalf("secret %d, context %q: the commitment is the key of the codes", i, context)
			}
			for range 4 {
				var block [32]byte
				for j := range block {
					block[j] = byte(stream.word(1))
				}
				if block == commitment || block == key || block == [32]byte(s) {
					t.Fatalf("secret %d, context %q: the stream holds %x", i, context, block)
				}
			}
		}
	}
}

// Label and context can't be shifted into each other.
func TestDeriveTellsLabelAndContextApart(t *testing.T) {
	seen := map[[32]byte]string{}
	for _, label := range []string{"", "a", "ab"} {
		for _, context := range []string{"", "b", "ab", "\x00", "b\x00", "\x00b"} {
			what := fmt.Sprintf("%q %q", label, context)
			d := derive(secret(1), label, context)
			if before, ok := seen[d]; ok {
				t.Errorf("%s and %s give the same bytes", before, what)
			}
			seen[d] = what
		}
	}
	if derive(secret(1), "a", "context") != derive(secret(1), "a", []byte("context")) {
		t.Error("a context as text and as bytes gives other bytes")
	}
}

func TestSecretIsNotPrinted(t *testing.T) {
	s := secret(1)
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "secret", s)
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "secret", s)
	printed := log.String() + fmt.Sprint(s) + fmt.Sprintf("%v %+v %#v %s %x %X %q %d %b %v", s, s, s, s, s, s, s, s, s, struct{ S Secret }{s})
	if b, err := json.Marshal(s); err == nil {
		t.Errorf("a secret is marshalled as %s", b)
	}
	for _, leak := range []string{s.Reveal()[:8], strings.ToUpper(s.Reveal()[:8]), fmt.Sprintf("%d", [32]byte(s))[1:12]} {
		if strings.Contains(printed, leak) {
			t.Errorf("%s is in %s", leak, printed)
		}
	}
}

func TestParseSecret(t *testing.T) {
	s := secret(1)
	if got, err := ParseSecret(s.Reveal()); err != nil || got != s {
		t.Errorf("ParseSecret(Reveal()) = %s, %v", got.Reveal(), err)
	}
	for _, c := range []struct{ in, want string }{
		{"", "secret of 0 characters: accepted 64 hexadecimal digits"},
		{s.Reveal() + "00", "secret of 66 characters: accepted 64 hexadecimal digits"},
		{s.Reveal()[:63] + "g", "secret with a character that is no hexadecimal digit: accepted 64 of 0–9 and a–f"},
	} {
		if _, err := ParseSecret(c.in); err == nil || err.Error() != c.want {
			t.Errorf("ParseSecret of %d characters: %v, want %s", len(c.in), err, c.want)
		}
	}
}

func FuzzParseSecret(f *testing.F) {
	f.Add(Secret{}.Reveal())
	f.Add("")
	f.Fuzz(func(t *testing.T, in string) {
		if s, err := ParseSecret(in); err == nil && s.Reveal() != strings.ToLower(in) {
			t.Errorf("%q is read as %s", in, s.Reveal())
		}
	})
}

// outcome is one of everything that a secret gives.
func outcome(s Secret) string {
	st := NewStream(s, "outcome")
	sample, err := st.Sample(4_000_000, 10)
	return fmt.Sprintf("%x %x %d %v %v %v %v", Commit(s, "loto"), CodeKey(s, "loto"), st.Uniform(10_000_000), sample, err,
		QuickPick(s, "loto-2020-06-22", 1, 0, 0, loto, plain), QuickPick(s, "euromillions-2018-11-02", 1, 0, 0, euro, combin.Format{Main: 10, Extra: 12}))
}

// Case 10: outcomes depend on the secret alone. On each day of a year, and at each hour of one, the same secret gives the
// same numbers and another secret gives others; and the package imports nothing that could tell the date.
func TestCase10OutcomeDoesNotDependOnTheDate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // a clock of its own
		first, other := outcome(secret(1)), outcome(secret(2))
		if first == other {
			t.Error("two secrets give the same numbers")
		}
		for range 366 {
			time.Sleep(24 * time.Hour)
			if outcome(secret(1)) != first || outcome(secret(2)) != other {
				t.Fatalf("on %v the numbers are others", time.Now())
			}
		}
		for range 24 {
			time.Sleep(time.Hour)
			if outcome(secret(1)) != first {
				t.Fatalf("at %v the numbers are others", time.Now())
			}
		}
	})
}

func TestCase10ImportsTellNoDate(t *testing.T) {
	accepted := map[string]bool{
		"crypto/sha256": true, "encoding/binary": true, "encoding/hex": true, "errors": true, "fmt": true, "io": true, "math": true,
		"slices": true, "strconv": true, "strings": true, "cmp": true, "math/big": true, "sort": true,
		"tirage/rules/codes": true, "tirage/rules/combin": true,
	}
	for _, folder := range []string{".", "../rules/codes"} {
		files, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no files in %s: %v", folder, err)
		}
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
			if err != nil {
				t.Fatal(err)
			}
			for _, spec := range f.Imports {
				if path, _ := strconv.Unquote(spec.Path.Value); !accepted[path] {
					t.Errorf("%s imports %s: outcomes might depend on more than the secret", name, path)
				}
			}
		}
	}
}
