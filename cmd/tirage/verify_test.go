package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tirage/fairness/replay"
	"tirage/games"
	"tirage/internal/covers"
)

// roundFile returns a round that was played, as its player holds it.
func roundFile(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(covers.Root(t), "fairness", "replay", "testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	r, err := replay.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	book, err := games.Version(r.Rules)
	if err != nil {
		t.Fatal(err)
	}
	r.Digest = book.Digest[:]
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// verifyRound runs `tirage verify round` on a file with this text.
func verifyRound(t *testing.T, text string, flags ...string) (code int, out, errs string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "round.json")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var o, e bytes.Buffer
	code = (&program{out: &o, err: &e}).run(append([]string{"verify", "round", path}, flags...))
	return code, o.String(), e.String()
}

// A player verifies a round alone: series by series, then the gain. What was changed is named, and the exit code tells.
func TestVerifyRound(t *testing.T) {
	covers.Covers(t, "D16", "D17", "D20")
	won, lost := roundFile(t, "won.json"), roundFile(t, "lost.json")
	edit := func(old, new string) string {
		if !strings.Contains(won, old) {
			t.Fatalf("no %s", old)
		}
		return strings.Replace(won, old, new, 1)
	}
	at := strings.Index(won, `"rules_digest": "`) + len(`"rules_digest": "`)
	digest := won[:at] + strings.Repeat("0", 64) + won[at+64:]
	donuts := filepath.Join(covers.Root(t), "games", "donuts", "2019-06-25.toml")
	loto := filepath.Join(covers.Root(t), "games", "loto", "2018-10-29.toml")
	for _, c := range []struct {
		name, text string
		flags      []string
		code       int
		out, errs  string
	}{
		{"won", won, nil, 0, "won, stake 0.50 €, gain 2.60 €\n  series 1: OK\n  series 2: OK\n  series 3: OK\n  series 4: OK\n  round: OK\n", ""},
		{"lost", lost, nil, 0, "lost, stake 0.50 €, gain 0.00 €\n", ""},
		{"against a rulebook in a file", won, []string{"--rules", donuts}, 0, "round: OK\n", ""},
		{"another gain", edit(`"gain": 260`, `"gain": 261`), nil, 1, "series 4: OK\n  round: KO: a gain of 2.61, the series give 2.60\n", "does not verify"},
		{"another value", edit(`"value": 30`, `"value": 31`), nil, 1, "series 1: KO: item 1: the secret and the contribution give item of 0.30, stable\n", "does not verify"},
		{"another commitment", edit(`"commitment": "d2`, `"commitment": "d3`), nil, 1, "series 1: KO: the secret is not the one that was committed to\n", "does not verify"},
		{"another rulebook", digest, nil, 1, "  round: KO: the rulebook donuts@2019-06-25 has the digest", "does not verify"},
		{"as JSON", edit(`"gain": 260`, `"gain": 261`), []string{"--json"}, 1, `"why": "a gain of 2.61, the series give 2.60"`, "does not verify"},
		{"an unknown version", edit(`"donuts@2019-06-25"`, `"donuts@2018-06-25"`), nil, 2, "", `version "donuts@2018-06-25"; accepted: donuts@2019-06-25`},
		{"a game of draws", edit(`"donuts@2019-06-25"`, `"loto@2018-10-29"`), nil, 2, "", "rules loto@2018-10-29: accepted a ladder game"},
		{"rules of a game of draws", won, []string{"--rules", loto}, 2, "", "accepted a ladder game"},
		{"broken", won[:100], nil, 2, "", "round.json: line 5: no round of format tirage/round/1: unexpected EOF"},
		{"empty", "", nil, 2, "", "no round of format"},
		{"huge", strings.Repeat(" ", 300<<10), nil, 2, "", "accepted at most 262144"},
	} {
		code, out, errs := verifyRound(t, c.text, c.flags...)
		if code != c.code || !strings.Contains(out, c.out) || !strings.Contains(errs, c.errs) || (c.out == "") != (out == "") {
			t.Errorf("%s: exit %d\n%s%s", c.name, code, out, errs)
		}
	}
	if code := (&program{out: &bytes.Buffer{}, err: &bytes.Buffer{}}).run([]string{"verify", "round", filepath.Join(t.TempDir(), "none.json")}); code != 2 {
		t.Errorf("a file that is not there: exit %d", code)
	}
}
