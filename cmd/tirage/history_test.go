package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tirage/internal/covers"
)

// grandLoto is the Grand Loto de Noël of 2017 and of 2018, as published.
const grandLoto = `annee_numero_de_tirage;jour_de_tirage;date_de_tirage;boule_1;boule_2;boule_3;boule_4;boule_5;numero_chance;nombre_de_gagnant_au_rang1;rapport_du_rang1;nombre_de_gagnant_au_rang2;rapport_du_rang2;nombre_de_gagnant_au_rang3;rapport_du_rang3;nombre_de_gagnant_au_rang4;rapport_du_rang4;nombre_de_gagnant_au_rang5;rapport_du_rang5;nombre_de_gagnant_au_rang6;rapport_du_rang6;nombre_de_gagnant_au_rang7;rapport_du_rang7;nombre_de_gagnant_au_rang8;rapport_du_rang8;nombre_de_gagnant_au_rang9;rapport_du_rang9
2018001;MARDI;25/12/2018;44;20;31;5;36;5;0;15000000;4;248000;94;6228,7;713;3232,1;4107;247,8;33375;126,7;61901;57,2;502554;30,2;870296;9,2;
2017001;VENDREDI;22/12/2017;21;29;10;34;20;9;0;20000000;0;200000;74;10540,5;663;3549,7;3459;275,7;31769;137,5;51260;73,8;471623;36,6;678474;12,3;
`

// history runs `tirage history check` on a file with this text.
func history(t *testing.T, text string, flags ...string) (code int, out, errs string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "noel.csv")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var o, e bytes.Buffer
	code = (&program{out: &o, err: &e}).run(append([]string{"history", "check", path}, flags...))
	return code, o.String(), e.String()
}

func TestHistoryCheck(t *testing.T) {
	wrong := strings.Replace(grandLoto, "6228,7", "6228,8", 1)
	broken := strings.Replace(grandLoto, "6228,7", "6228,7€", 1)
	for _, c := range []struct {
		name, text string
		flags      []string
		code       int
		out, errs  string
	}{
		{"explained", grandLoto, nil, 0, "grandloto 2017-12-22..2018-12-25: 2 draws, 2 explained, 0 contradicted, 0 untestable\n", ""},
		{"contradicted", wrong, nil, 1, "2 draws, 1 explained, 1 contradicted, 0 untestable\n" +
			"  2018-12-25 (line 2) contradicted: rank 3: 94 winners of 6228.80: the table gives 6228.70\n", "draws contradicted by the rules: 1"},
		{"contradicted, as JSON", wrong, []string{"--json"}, 1, `"contradicted": 1,`, "draws contradicted by the rules: 1"},
		{"bad input", broken, nil, 2, "", `noel.csv:2: column rapport_du_rang3: found "6228,7€", accepted euros such as`},
		{"two outputs", grandLoto, []string{"--json", "--perturb"}, 2, "", "--json and --perturb can't be used together"},
	} {
		code, out, errs := history(t, c.text, c.flags...)
		if code != c.code || !strings.Contains(out, c.out) || !strings.Contains(errs, c.errs) || (c.out == "") != (out == "") {
			t.Errorf("%s: exit %d\n%s%s", c.name, code, out, errs)
		}
	}
}

// TestHistoryShared prints what the archives at hand must give, and, not being on a terminal, nothing else.
func TestHistoryShared(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(covers.SharedData(t), "*.csv"))
	if err != nil {
		t.Fatal(err)
	}
	run := func(flags ...string) string {
		var o, e bytes.Buffer
		code := (&program{out: &o, err: &e}).run(append(append([]string{"history", "check"}, paths...), flags...))
		if code != 0 || e.Len() > 0 {
			t.Fatalf("exit %d: %s", code, e.String())
		}
		return o.String()
	}
	text := run()
	for _, want := range []string{
		"euromillions 2016-09-27..2019-02-26: 253 draws, 253 explained, 0 contradicted, 0 untestable\n  jackpots: 49 won, 49 predicted from the funds;",
		"euromillions 2020-02-04..2021-12-31: 200 draws, 200 explained, 0 contradicted, 0 untestable\n  jackpots: 37 won, 37 predicted from the funds;",
		"grandloto 2017-12-22..2018-12-25: 2 draws, 2 explained, 0 contradicted, 0 untestable\n",
		"loto 2017-03-06..2019-02-25: 310 draws, 310 explained, 0 contradicted, 0 untestable\n  event 2017-05-27 top-up:",
		"loto 2019-11-04..2021-12-29: 338 draws, 338 explained, 0 contradicted, 0 untestable\n",
		"superloto 2017-10-13..2018-09-14: 4 draws, 4 explained, 0 contradicted, 0 untestable\n",
		"  Étoile+: 253 draws, 253 explained, 0 contradicted, 0 untestable\n",
		"  second draw (second tirage): 338 read and kept; no rule, not checked\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("not printed: %s", want)
		}
	}
	var list []map[string]any
	if err := json.Unmarshal([]byte(run("--json")), &list); err != nil || len(list) != len(paths) {
		t.Fatalf("%d files in the JSON: %v", len(list), err)
	}
	for _, f := range list {
		if len(f) != 6 || f["explained"] != f["draws"] || f["contradicted"] != 0.0 || f["untestable"] != 0.0 || f["file"] == "" || f["game"] == "" {
			t.Errorf("JSON %v", f)
		}
	}
}
