package exports_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"testing"
	"time"

	"tirage/central"
	"tirage/evening"
	"tirage/exports"
	"tirage/rules/money"
	"tirage/store/mem"
	"tirage/testdata/evenings"
	"tirage/vault"
)

var read = time.Date(2020, 6, 23, 8, 0, 0, 0, time.UTC)

// lived is the store after the evening of 22 June 2020.
func lived(t *testing.T) central.Store {
	t.Helper()
	s, err := evening.Parse(evenings.Loto20200622File, evenings.Loto20200622)
	if err != nil {
		t.Fatal(err)
	}
	o := evening.Options{Store: &mem.Store{}, Entropy: &evening.Rehearsal{Seed: 1}}
	if o.Keys, err = vault.New(o.Entropy); err != nil {
		t.Fatal(err)
	}
	if _, err := evening.Run(t.Context(), s, o); err != nil {
		t.Fatal(err)
	}
	return o.Store
}

// document is a report as JSON.
type document struct {
	Rows   []map[string]any `json:"rows"`
	Count  int              `json:"count"`
	Totals map[string]int64 `json:"totals"`
}

func exported(t *testing.T, store central.Store, name string, s exports.Scope) (d document) {
	t.Helper()
	report, err := exports.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	s.Now = read
	f, err := exports.Spool(t.Context(), store, report, s, exports.JSON, "fr")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	raw, err := io.ReadAll(f)
	if err != nil || int64(len(raw)) != f.Size || json.Unmarshal(raw, &d) != nil || len(d.Rows) != d.Count {
		t.Fatalf("%s: %v %s", name, err, raw)
	}
	return d
}

// Whether the followers have come as far as the log or not, the exports are the same.
func TestExportsWaitForNoFollower(t *testing.T) {
	store := lived(t)
	before := fmt.Sprint(exported(t, store, "sales", exports.Scope{}), exported(t, store, "statement", exports.Scope{Player: 1}))
	for _, f := range []*central.Follower{central.NewSales(store), central.NewHistorian(store)} {
		if err := f.CatchUp(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if after := fmt.Sprint(exported(t, store, "sales", exports.Scope{}), exported(t, store, "statement", exports.Scope{Player: 1})); after != before {
		t.Errorf("before\n%s\nafter\n%s", before, after)
	}
}

// What is exported ties with the books: all accounts add up to zero, players own what their statements end with, sales by hour are those of the draws.
func TestCase03ExportsTieWithTheBooks(t *testing.T) {
	store := lived(t)
	snap, err := store.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	if d := exported(t, store, "funds", exports.Scope{}); d.Totals["balance_cents"] != 0 || d.Count < 5 {
		t.Errorf("all accounts: %v of %d", d.Totals, d.Count)
	}
	sales, draws := exported(t, store, "sales", exports.Scope{}), exported(t, store, "draws", exports.Scope{})
	if sales.Totals["stakes_cents"] != draws.Totals["stakes_cents"] || sales.Totals["plays"] != draws.Totals["plays"] || sales.Totals["plays"] == 0 {
		t.Errorf("sales by hour %v, by draw %v", sales.Totals, draws.Totals)
	}
	var players, moved money.Cents
	balances, err := central.Balances(t.Context(), snap)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range balances {
		players -= c
	}
	leaves := 0
	err = snap.Scan(t.Context(), central.Range{From: central.Key{Table: central.Players}}, func(r central.Row) error {
		moved += money.Cents(exported(t, store, "statement", exports.Scope{Player: r.(*central.Player).ID}).Totals["amount_cents"])
		return nil
	})
	if err == nil {
		err = snap.Scan(t.Context(), central.Range{From: central.Key{Table: central.Leaves}}, func(central.Row) error {
			leaves++
			return nil
		})
	}
	if err != nil || moved != players || players == 0 {
		t.Errorf("statements %v, books %v, %v", moved, players, err)
	}
	if d := exported(t, store, "log", exports.Scope{}); d.Count != leaves || d.Rows[0]["command"] == "" {
		t.Errorf("%d rows of %d leaves", d.Count, leaves)
	}
	if d := exported(t, store, "liability", exports.Scope{}); d.Rows[0]["balance_cents"] != float64(players) {
		t.Errorf("owed: %v", d.Rows)
	}
	if d := exported(t, store, "rounding", exports.Scope{}); d.Count != 1 || d.Totals["rounding_cents"] != int64(balances["rounding/loto-2020-06-22"]) {
		t.Errorf("rounding %v", d.Rows)
	}
	// A period outside holds nothing; each report is written in each form and language.
	for _, name := range []string{"sales", "log", "statement"} {
		if d := exported(t, store, name, exports.Scope{From: "2001-01-01", To: "2001-01-02", Player: 1}); d.Count != 0 {
			t.Errorf("%s of 2001: %v", name, d.Rows)
		}
	}
	for _, report := range exports.Reports() {
		for _, f := range exports.Formats() {
			for _, lang := range []string{"fr", "en"} {
				file, err := exports.Spool(t.Context(), store, report, exports.Scope{Player: 1, Now: read}, f, lang)
				if err != nil || file.Size == 0 {
					t.Fatalf("%s %s %s: %v", report.Name, f, lang, err)
				}
				file.Close()
			}
		}
	}
}

func TestExportsThatAreRefused(t *testing.T) {
	store := &mem.Store{}
	sales, _ := exports.Find("sales")
	for reason, s := range map[string]exports.Scope{"export.day": {From: "22/06/2020"}, "export.period": {From: "2020-06-22", To: "2020-06-21"}} {
		_, err := exports.Spool(t.Context(), store, sales, s, exports.CSV, "fr")
		if r := new(central.Refusal); !errors.As(err, &r) || r.Reason != reason || r.French == "" {
			t.Errorf("%+v: %v, want %s", s, err, reason)
		}
	}
	if _, err := exports.Find("secrets"); err == nil {
		t.Error("there is a report of secrets")
	}
	if _, err := exports.ParseFormat("docx"); err == nil {
		t.Error("docx is taken")
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	var b bytes.Buffer
	many := &exports.Table{Name: "many", Columns: []exports.Column{{Name: "n", Kind: exports.Count}}, Rows: func(yield func(exports.Row, error) bool) { yield(exports.Row{int64(1)}, nil) }}
	if err := exports.Write(ctx, &b, exports.CSV, "fr", many, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
