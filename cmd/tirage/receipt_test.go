package main

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"tirage/central"
	"tirage/testdata/evenings"
	"tirage/verify"
)

// An evening is sold, drawn and published; its receipts, its checkpoint and its draw verify with the printed key.
func TestReceiptAndLog(t *testing.T) {
	db := filepath.Join(t.TempDir(), "evening.db")
	if code, _, errs := tirage("evening", write(t, string(evenings.Loto20200622)), "--db", db); code != 0 {
		t.Fatal(errs)
	}
	code, key, errs := tirage("log", "key", "--db", db)
	if code != 0 {
		t.Fatal(errs)
	}
	keys, err := verify.Keys(key)
	if err != nil {
		t.Fatal(err)
	}
	code, signed, errs := tirage("log", "checkpoint", "--db", db)
	if r := verify.Checkpoints([][]byte{[]byte(signed)}, keys, nil); code != 0 || !r.OK() {
		t.Fatalf("%s %s %+v", signed, errs, r)
	}
	code, file, errs := tirage("log", "draw", "--db", db, "loto-2020-06-22")
	report := verify.Draw(strings.NewReader(file), keys)
	if code != 0 || !report.OK() {
		t.Fatalf("%s %+v", errs, report)
	}
	plays := playsOf(t, db)
	for _, play := range plays[:min(5, len(plays))] {
		code, out, errs := tirage("receipt", "--db", db, play)
		if r := verify.Receipt([]byte(out), keys); code != 0 || !r.OK() {
			t.Fatalf("play %s: %s %s %+v", play, errs, out, r)
		}
	}
	if len(plays) == 0 {
		t.Error("no plays")
	}
	if code, _, errs := tirage("receipt", "--db", db, "0-999999"); code != exitBadInput || !strings.Contains(errs, "no such play") {
		t.Errorf("a play that does not exist: %d %s", code, errs)
	}
}

// playsOf lists the plays of a database.
func playsOf(t *testing.T, db string) (plays []string) {
	t.Helper()
	err := (&drawsDB{DB: db}).look(func(ctx context.Context, snap central.Snapshot) error {
		return snap.Scan(ctx, central.Range{From: central.Key{Table: central.Plays}}, func(r central.Row) error {
			plays = append(plays, central.PlayID(r.(*central.Play).ID))
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return plays
}
