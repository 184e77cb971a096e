package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"tirage/central"
	"tirage/internal/pgtest"
	"tirage/store/sql"
	"tirage/testdata/evenings"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// demoDatabase makes the database of the real evening.
func demoDatabase(t *testing.T) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "tirage.db")
	if code, _, errs := tirage("evening", write(t, string(evenings.Loto20200622)), "--db", path); code != 0 {
		t.Fatal(errs)
	}
	return path
}

// saved runs `tirage backup` and returns what it reports, less the names.
func saved(t *testing.T, db, file string) (r backupReport) {
	t.Helper()
	code, out, errs := tirage("backup", "--db", db, "--to", file, "--json")
	if code != 0 || errs != "" {
		t.Fatalf("exit %d: %s", code, errs)
	}
	return readReport(t, out)
}

func restored(t *testing.T, file, db string) (r backupReport) {
	t.Helper()
	code, out, errs := tirage("restore", "--from", file, "--db", db, "--json")
	if code != 0 || errs != "" {
		t.Fatalf("exit %d: %s", code, errs)
	}
	return readReport(t, out)
}

func readReport(t *testing.T, out string) (r backupReport) {
	t.Helper()
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	return r
}

// A real evening goes from SQLite into a file, into PostgreSQL, into a file and into SQLite again, and is the same evening.
func TestBackupAndRestore(t *testing.T) {
	db, dir := demoDatabase(t), t.TempDir()
	file := filepath.Join(dir, "one.backup")
	code, out, errs := tirage("backup", "--db", db, "--to", file)
	if code != 0 || errs != "" || !strings.HasSuffix(out, "\nbooks balanced\n") {
		t.Fatalf("exit %d: %s\n%s", code, errs, out)
	}
	for _, want := range []string{"saved " + db + " in " + file + ", as of ", "\n  plays", "\nlog of node 0: ", " leaves, root "} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the backup may be read by others: %v, %v", info.Mode(), err)
	}
	first := restored(t, file, filepath.Join(dir, "restored.db"))
	same := func(name string, r backupReport) {
		t.Helper()
		if diff := cmp.Diff([]any{first.Rows, first.Logs, first.Books}, []any{r.Rows, r.Logs, r.Books}); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	t.Run("postgres", func(t *testing.T) {
		dsn := pgtest.DSN(t)
		same("restored into PostgreSQL", restored(t, file, dsn))
		again := filepath.Join(dir, "postgres.backup")
		r := saved(t, dsn, again)
		same("saved from PostgreSQL", r)
		if r.Database != "the PostgreSQL database" {
			t.Errorf("the report names %q", r.Database)
		}
		same("back on SQLite", restored(t, again, filepath.Join(dir, "back.db")))
	})
	same("saved again", saved(t, filepath.Join(dir, "restored.db"), filepath.Join(dir, "two.backup")))
	if left := strings.Join(names(t, dir), " "); strings.Contains(left, "partial") || strings.Contains(left, "-wal") {
		t.Errorf("left behind: %s", left)
	}
}

func TestBackupRefuses(t *testing.T) {
	db, dir := demoDatabase(t), t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	file := in("good.backup")
	saved(t, db, file)
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	put := func(name string, b []byte) string {
		t.Helper()
		if err := os.WriteFile(in(name), b, 0o600); err != nil {
			t.Fatal(err)
		}
		return in(name)
	}
	flipped := append([]byte(nil), content...)
	flipped[len(flipped)/2] ^= 4
	short, bent, text := put("short.backup", content[:len(content)/2]), put("bent.backup", flipped), put("text.txt", []byte("hello"))
	interrupted := in("slow.backup")
	put("slow.backup.partial", nil)
	before := names(t, dir)
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"backup", "--db", in("none.db"), "--to", in("x")}, "there is no database of tirage"},
		{[]string{"backup", "--db", text, "--to", in("x")}, "no SQLite database"},
		{[]string{"backup", "--db", db, "--to", file}, "exists and is left as it is"},
		{[]string{"backup", "--db", db, "--to", interrupted}, "was interrupted"},
		{[]string{"backup", "--db", db, "--to", in("none/x")}, "no such file or directory"},
		{[]string{"backup", "--db", db}, "missing flags: --to"},
		{[]string{"restore", "--from", in("none.backup"), "--db", in("x.db")}, "no such file or directory"},
		{[]string{"restore", "--from", dir, "--db", in("x.db")}, "is a folder"},
		{[]string{"restore", "--from", text, "--db", in("x.db")}, "no backup of tirage"},
		{[]string{"restore", "--from", db, "--db", in("x.db")}, "no backup of tirage"},
		{[]string{"restore", "--from", short, "--db", in("x.db")}, "cut short"},
		{[]string{"restore", "--from", bent, "--db", in("x.db")}, "the backup is damaged"},
		{[]string{"restore", "--from", file, "--db", db}, "the database is not empty"},
		{[]string{"restore", "--from", file, "--db", in("none/x.db")}, "cannot be made"},
	} {
		code, out, errs := tirage(c.args...)
		if code != exitBadInput || out != "" || !strings.Contains(errs, c.says) {
			t.Errorf("%v: exit %d, %q, want %q", c.args, code, errs, c.says)
		}
		if diff := cmp.Diff(before, names(t, dir)); diff != "" {
			t.Errorf("%v leaves files (-before +after): %s", c.args, diff)
		}
	}
}

// Books that do not balance are saved and restored, and both commands say so and fail.
func TestBackupOfBrokenBooks(t *testing.T) {
	db, dir := demoDatabase(t), t.TempDir()
	store, err := sql.OpenSQLite(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	tx, err := store.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	robbery := &central.Changes{Add: []central.Row{&central.AccountRow{Name: "bank", Balance: -100}}}
	if err := errors.Join(tx.Apply(t.Context(), robbery), tx.Commit(t.Context()), store.Close()); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "broken.backup")
	for _, args := range [][]string{{"backup", "--db", db, "--to", file}, {"restore", "--from", file, "--db", filepath.Join(dir, "broken.db")}} {
		code, out, errs := tirage(args...)
		if code != exitContradicted || !strings.Contains(errs, "the books do not balance: ") || strings.Contains(out, "balanced") {
			t.Errorf("%v: exit %d, %s%s", args, code, errs, out)
		}
	}
	if left := strings.Join(names(t, dir), " "); left != "broken.backup broken.db" {
		t.Errorf("left: %s", left)
	}
}
