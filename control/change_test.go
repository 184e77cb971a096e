package main

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// rowText is the text whose SHA-256 is the digest of a row, as docs/sealed.md says.
const (
	playText = `concat_ws('|', node, leaf, epoch_us(sold_at), player, kind, channel, rules, stake_cents, combinations,
		coalesce(array_to_string([concat(l.main, '.', l.extra, '.', l.quick::INT) FOR l IN lines], ','), ''),
		coalesce(array_to_string([concat(c.series, ':', c.first, ':', c.n) FOR c IN codes], ','), ''),
		coalesce(array_to_string([concat(a.game, ':', a.stake_cents, ':', a.number, ':', a.rules) FOR a IN added], ','), ''),
		coalesce(array_to_string([concat(r.n, ':', r.player, ':', r.cents) FOR r IN receipts], ','), ''), pack_type, pack, shares)`
	packText = `concat_ws('|', pack_type, pack, rules, composition, shares, sold, share_price_cents, combinations,
		coalesce(array_to_string([concat(l.main, '.', l.extra, '.', l.quick::INT) FOR l IN lines], ','), ''),
		coalesce(array_to_string([concat(c.series, ':', c.first, ':', c.n) FOR c IN codes], ','), ''))`
)

// change is one change of a sealed file: of the row that a condition picks, by expressions for columns.
type change struct {
	name, file string
	pick       string            // condition
	set        map[string]string // column → expression
	deep       string            // what is found when the digest of the row is made anew, too, beside the slice; "": the slice alone
}

// The smallest ball is swapped for the smallest that is free.
const ball = `[{'main': (l.main & (l.main - 1)) | ((l.main + 1) & ~l.main), 'extra': l.extra, 'quick': l.quick} FOR l IN lines]`

var changes = []change{
	{name: "one cent", file: "plays", pick: "kind <> 'pack'", set: map[string]string{"stake_cents": "stake_cents + 1"}, deep: "stakes"},
	{name: "one cent of shares", file: "plays", pick: "kind = 'pack'", set: map[string]string{"stake_cents": "stake_cents - 1"}, deep: "stakes"},
	{name: "one share", file: "plays", pick: "kind = 'pack'", set: map[string]string{"shares": "shares + 1"}, deep: "stakes"},
	{name: "one share and its price", file: "plays", pick: "kind = 'pack'", set: map[string]string{"stake_cents": "stake_cents // shares * (shares + 1)", "shares": "shares + 1"}, deep: "shares: pack"},
	{name: "one ball", file: "plays", pick: "kind <> 'pack'", set: map[string]string{"lines": ball}},
	{name: "one code", file: "plays", pick: "kind <> 'pack'", set: map[string]string{"codes": `[{'series': c.series, 'first': left(c.first, len(c.first) - 1) || (9 - right(c.first, 1)::INT), 'n': c.n} FOR c IN codes]`}},
	{name: "a code of the other zone", file: "plays", pick: "kind = 'simple'", set: map[string]string{"codes": `[{'series': c.series, 'first': 'Z' || substr(c.first, 2), 'n': c.n} FOR c IN codes]`}, deep: "codes"},
	{name: "the player", file: "plays", pick: "true", set: map[string]string{"player": "reverse(player)"}},
	{name: "the time", file: "plays", pick: "true", set: map[string]string{"sold_at": "sold_at + INTERVAL 1 MICROSECOND"}},
	{name: "one ball of a pack", file: "packs", pick: "true", set: map[string]string{"lines": ball}},
	{name: "one share sold", file: "packs", pick: "true", set: map[string]string{"sold": "sold - 1"}, deep: "shares"},
	{name: "the price of a share", file: "packs", pick: "true", set: map[string]string{"share_price_cents": "share_price_cents + 1"}, deep: "stakes"},
}

// sealedFiles is a copy of an evening's files that a test may change.
type sealedFiles struct {
	*testing.T
	db   *sql.DB
	stem string
}

func newSealedFiles(t *testing.T, folder, draw string) *sealedFiles {
	t.Helper()
	dir := t.TempDir()
	names, err := filepath.Glob(filepath.Join(folder, draw+".*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		copyFile(t, name, filepath.Join(dir, filepath.Base(name)))
	}
	db, err := sql.Open("duckdb", "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return &sealedFiles{t, db, filepath.Join(dir, draw)}
}

func (f *sealedFiles) exec(format string, a ...any) {
	f.Helper()
	if _, err := f.db.Exec(fmt.Sprintf(format, a...)); err != nil {
		f.Fatal(err)
	}
}

// rewrite replaces a file by what a query gives over it; "from" is the file.
func (f *sealedFiles) rewrite(file, query string) {
	f.Helper()
	path := fmt.Sprintf("%s.%s.parquet", f.stem, file)
	f.exec("CREATE OR REPLACE TABLE changed AS %s", strings.ReplaceAll(query, "from_file", fmt.Sprintf("(SELECT * FROM read_parquet(%s, file_row_number = true))", quote(path))))
	f.exec("COPY (SELECT * EXCLUDE (file_row_number) FROM changed ORDER BY file_row_number) TO %s (FORMAT parquet)", quote(path))
}

// number returns the name of a row that a condition picks: the play's number, or the pack.
func (f *sealedFiles) pick(file, condition string, rng *rand.Rand) (name, where string, ok bool) {
	f.Helper()
	path := quote(fmt.Sprintf("%s.%s.parquet", f.stem, file))
	column := "printf('play %d-%d', node, leaf)"
	if file == "packs" {
		column = "printf('pack %s/%d', pack_type, pack)"
	}
	rows, err := f.db.Query(fmt.Sprintf("SELECT file_row_number, %s FROM read_parquet(%s, file_row_number = true) WHERE %s ORDER BY 1", column, path, condition))
	if err != nil {
		f.Fatal(err)
	}
	defer rows.Close()
	var list [][2]string
	for rows.Next() {
		var row [2]string
		if err := rows.Scan(&row[0], &row[1]); err != nil {
			f.Fatal(err)
		}
		list = append(list, row)
	}
	if len(list) == 0 {
		return "", "", false
	}
	row := list[rng.IntN(len(list))]
	return row[1], "file_row_number = " + row[0], true
}

// One cent, one share, one code, one ball changed: refused, with the play's number. Where whoever changed it made the row's digest anew, the hour and the
// writer are found by the manifest, and what cannot be right is still found with the play's number.
func TestChanges(t *testing.T) {
	half, _ := sealedEvening(t, "loto-half-sold")
	multiples, _ := sealedEvening(t, "loto-multiples")
	rng := rand.New(rand.NewPCG(1, uint64(soak())))
	for _, c := range changes {
		for range 1 + 20*soak() {
			folder, draw := multiples, "loto-2019-03-17"
			if c.file == "packs" && rng.IntN(2) == 0 {
				folder, draw = half, "loto-2019-03-10"
			}
			for _, deep := range []bool{false, true} {
				t.Run(fmt.Sprintf("%s, digest %t", c.name, deep), func(t *testing.T) { changed(t, newSealedFiles(t, folder, draw), c, deep, rng) })
			}
		}
	}
}

func changed(t *testing.T, f *sealedFiles, c change, deep bool, rng *rand.Rand) {
	name, where, ok := f.pick(c.file, c.pick, rng)
	if !ok {
		t.Fatalf("no row with %s", c.pick)
	}
	var replace []string
	for column, expression := range c.set {
		replace = append(replace, fmt.Sprintf("CASE WHEN %s THEN %s ELSE %s END AS %s", where, expression, column, column))
	}
	f.rewrite(c.file, "SELECT * REPLACE ("+strings.Join(replace, ", ")+") FROM from_file")
	text := map[string]string{"plays": playText, "packs": packText}[c.file]
	if deep {
		f.rewrite(c.file, fmt.Sprintf("SELECT * REPLACE (CASE WHEN %s THEN unhex(sha256(%s)) ELSE digest END AS digest) FROM from_file", where, text))
	}
	r, err := check(t.Context(), &options{memory: 500}, f.stem)
	if err != nil {
		t.Fatal(err)
	}
	found := strings.Join(r.Sales.Findings, "\n")
	want := "rows: " + name
	switch {
	case deep && c.deep != "":
		if want = c.deep; !strings.Contains(want, ": ") {
			want += ": " + name
		}
	case deep && c.file == "plays":
		want = "slices: node 0, 20"
	case deep:
		want = "files: "
	}
	if r.Agrees || !strings.Contains(found, want) || !strings.Contains(found, "files: ") {
		t.Errorf("agrees %t, found\n%s\nwant %s", r.Agrees, found, want)
	}
}

// A play left out, put in twice or put elsewhere, and a file that is cut.
func TestLostAndMovedPlays(t *testing.T) {
	folder, _ := sealedEvening(t, "loto-half-sold")
	for name, c := range map[string]struct{ query, want string }{
		"lost":  {"SELECT * FROM from_file WHERE file_row_number <> 7", "slices: node 0, 2019-03-"},
		"twice": {"SELECT * FROM from_file UNION ALL SELECT * REPLACE (8 AS file_row_number) FROM from_file WHERE file_row_number = 7", "order: play 0-"},
		"moved": {"SELECT * REPLACE (CASE file_row_number WHEN 7 THEN 8 WHEN 8 THEN 7 ELSE file_row_number END AS file_row_number) FROM from_file", "order: play 0-"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newSealedFiles(t, folder, "loto-2019-03-10")
			f.rewrite("plays", c.query)
			r, err := check(t.Context(), &options{memory: 500}, f.stem)
			if err != nil {
				t.Fatal(err)
			}
			if found := strings.Join(r.Sales.Findings, "\n"); r.Agrees || !strings.Contains(found, c.want) {
				t.Errorf("found\n%s\nwant %s", found, c.want)
			}
		})
	}
	f := newSealedFiles(t, folder, "loto-2019-03-10")
	path := f.stem + ".plays.parquet"
	b, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(path, b[:len(b)/2], 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := check(t.Context(), &options{memory: 500}, f.stem); err == nil {
		t.Error("a file that is cut is read")
	}
}

// After the draw: one cent of a gain, a gain too many, too few, for another player; a result that is not the one counted.
func TestChangedGains(t *testing.T) {
	folder, _ := sealedEvening(t, "euromillions-exceptional")
	for name, c := range map[string]struct{ query, want string }{
		"cent":    {"SELECT * REPLACE (CASE WHEN file_row_number = 7 THEN cents + 1 ELSE cents END AS cents) FROM from_file", "gains: play 0-"},
		"lost":    {"SELECT * FROM from_file WHERE file_row_number <> 7", "gains: play 0-"},
		"twice":   {"SELECT * FROM from_file UNION ALL SELECT * FROM from_file WHERE file_row_number = 7", "gains: play 0-"},
		"player":  {"SELECT * REPLACE (CASE WHEN file_row_number = 7 THEN reverse(player) ELSE player END AS player) FROM from_file", "gains: play 0-"},
		"no play": {"SELECT * REPLACE (CASE WHEN file_row_number = 7 THEN leaf + 100000 ELSE leaf END AS leaf) FROM from_file", "which is not sealed"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newSealedFiles(t, folder, "euromillions-2018-10-31")
			f.rewrite("gains-1", c.query)
			r, err := check(t.Context(), &options{memory: 500}, f.stem)
			if err != nil {
				t.Fatal(err)
			}
			if found := strings.Join(r.Count.Findings, "\n"); r.Agrees || len(r.Sales.Findings) > 0 || !strings.Contains(found, c.want) || !strings.Contains(found, "file of gains: ") {
				t.Errorf("found\n%s\nwant %s", found, c.want)
			}
		})
	}
	f := newSealedFiles(t, folder, "euromillions-2018-10-31")
	path := f.stem + ".result-1"
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(b), `"extra":[`, `"extra":[12,`, 1)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := check(t.Context(), &options{memory: 500}, f.stem)
	if err != nil {
		t.Fatal(err)
	}
	if found := strings.Join(r.Count.Findings, "\n"); !strings.Contains(found, "numbers: 5 numbers and 3 extra numbers drawn") {
		t.Errorf("found\n%s", found)
	}
}

// soak is 1 in the long campaign, 0 otherwise.
func soak() int {
	if os.Getenv("TIRAGE_SOAK") != "" {
		return 1
	}
	return 0
}
