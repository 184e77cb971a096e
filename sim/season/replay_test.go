package season_test

import (
	"bytes"
	"path/filepath"
	"testing"

	"golang.org/x/mod/sumdb/note"

	"tirage/audit"
	"tirage/central"
	"tirage/store/sql"
)

// checkReplay exports the log of the season, rebuilds every table from it alone, compares, and does the same into a database.
func (s *season) checkReplay(t *testing.T) {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	key := s.Keys.Public(central.RoleLog)
	var file bytes.Buffer
	_, err := audit.Export(t.Context(), &file, &central.Log{Store: s.Store, Signer: s.Keys.Log, Operator: "tirage.example"}, key, nil)
	must(err)
	verifier, err := note.NewVerifier(key)
	must(err)
	into, err := sql.OpenSQLite(t.Context(), filepath.Join(t.TempDir(), "again.db"))
	must(err)
	defer into.Close()
	o := audit.Options{From: &audit.File{R: bytes.NewReader(file.Bytes()), Size: int64(file.Len())}, Keys: note.VerifierList(verifier)}
	for _, with := range []func(){func() { o.Store = s.Store }, func() { o.Store, o.Into = nil, into }} {
		with()
		r, err := audit.Replay(t.Context(), o)
		must(err)
		if !r.OK() || !r.Compared {
			t.Fatalf("%v, %v, %d differences: %v", r.Fault, r.Contradictions, r.Differing, r.Differences)
		}
		rows := map[string]int64{}
		for _, c := range r.Tables {
			rows[c.Table] = c.Stored
		}
		for _, table := range []string{"plays", "packs", "credits", "subscriptions", "groups", "receipts", "claims", "add_ons"} {
			if rows[table] == 0 {
				t.Errorf("no row of %s", table)
			}
		}
		t.Logf("replayed %d bytes, %+v: 0 differences, rows %v", file.Len(), r.Logs, rows)
	}
}
