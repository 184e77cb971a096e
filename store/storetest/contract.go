package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"tirage/central"
	"tirage/store/mem"
)

// Contract tests everything that package central expects of a store. open returns a fresh, empty store.
//
//	storetest.Contract(t, func(t *testing.T) central.Store { return openSomething(t) })
func Contract(t *testing.T, open func(t *testing.T) central.Store) {
	store := open(t) // each test has rows of its own in it
	for _, c := range []struct {
		name string
		test func(*testing.T, central.Store)
	}{
		{"Values", testValues},
		{"NewRows", testNewRows},
		{"Writes", testWrites},
		{"Floor", testFloor},
		{"Isolation", testIsolation},
		{"Load", testLoad},
		{"Scan", testScan},
		{"LongScan", testLongScan},
		{"Locks", testLocks},
		{"Base", testBase},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, store) })
	}
	t.Run("Model", func(t *testing.T) { testModel(t, open) })
}

// write commits changes.
func write(t testing.TB, s central.Store, c central.Changes) {
	t.Helper()
	tx := begin(t, s)
	defer tx.Rollback()
	if err := tx.Apply(context.Background(), &c); err != nil {
		t.Fatal(err)
	}
	if err := tx.Commit(context.Background()); err != nil {
		t.Fatal(err)
	}
}

func begin(t testing.TB, s central.Store) central.Tx {
	t.Helper()
	tx, err := s.Begin(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return tx
}

func look(t testing.TB, s central.Reader) central.Snapshot {
	t.Helper()
	snap, err := s.Snapshot(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return snap
}

// get returns the committed row with a key, nil when there is none.
func get(t testing.TB, s central.Reader, k central.Key) central.Row {
	t.Helper()
	snap := look(t, s)
	defer snap.Close()
	r, err := snap.Get(context.Background(), k)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// text writes a row so that two can be compared.
func text(r central.Row) string {
	if r == nil {
		return "no row"
	}
	var b strings.Builder
	b.WriteString(central.Schema[r.Table()].Name)
	for _, f := range r.Fields() {
		switch f := f.(type) {
		case *int64:
			fmt.Fprintf(&b, " %d", *f)
		case *string:
			fmt.Fprintf(&b, " %q", *f)
		case *[]byte:
			fmt.Fprintf(&b, " %x", *f)
		}
	}
	return b.String()
}

func same(t testing.TB, got, want central.Row) {
	t.Helper()
	if text(got) != text(want) {
		t.Errorf("found %.300s\nwant  %.300s", text(got), text(want))
	}
}

// Whatever a column can hold comes back as it was.
func testValues(t *testing.T, s central.Store) {
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	rows := []central.Row{
		&central.Profile{ID: math.MinInt64, Name: "", Created: math.MaxInt64},
		&central.Profile{ID: math.MaxInt64, Name: "O'Brien \"é\" 😀 \\ $1 ? \t\n\x01", Created: math.MinInt64},
		&central.LeafRow{Node: 0, Index: 0, Salt: all, Body: bytes.Repeat([]byte("x"), 300_000)},
		&central.LeafRow{Node: 0, Index: 1},
	}
	write(t, s, central.Changes{New: rows})
	for _, r := range rows {
		same(t, get(t, s, central.KeyOf(r)), r)
	}
}

// A new row never overwrites one that is there: the transaction is to be tried again, and leaves nothing behind.
func testNewRows(t *testing.T, s central.Store) {
	rows := map[string]func(n int64) central.Row{
		"changed":  func(n int64) central.Row { return &central.CodePointer{Scope: "new", Next: n} },
		"appended": func(n int64) central.Row { return &central.KeyRow{Key: "k", Principal: "p", Node: n} },
	}
	for name, row := range rows {
		write(t, s, central.Changes{New: []central.Row{row(1)}})
		tx := begin(t, s)
		err := tx.Apply(context.Background(), &central.Changes{New: []central.Row{&central.Profile{ID: 9, Name: name}, row(2)}})
		if !errors.Is(err, central.ErrRetry) {
			t.Errorf("%s: inserted twice with %v, want ErrRetry", name, err)
		}
		tx.Rollback()
		same(t, get(t, s, central.KeyOf(row(1))), row(1))
		same(t, get(t, s, central.Key{Table: central.Profiles, N: 9}), nil)
	}
	tx := begin(t, s)
	defer tx.Rollback()
	if err := tx.Apply(context.Background(), &central.Changes{New: []central.Row{rows["appended"](3)}}); !errors.Is(err, central.ErrRetry) {
		t.Errorf("a new transaction after a failed one: %v, want ErrRetry", err)
	}
}

// Rows are replaced whole; totals are added to, from nothing too; a transaction sees what it wrote.
func testWrites(t *testing.T, s central.Store) {
	pointer := central.Key{Table: central.CodePointers, S: "writes"}
	account := func(n int64) central.Row {
		return &central.AccountRow{Name: "bank", Node: 3, Balance: cents(n)}
	}
	write(t, s, central.Changes{New: []central.Row{&central.CodePointer{Scope: "writes", Next: 1}}, Add: []central.Row{account(-5), &central.Counter{Name: "writes", N: 7}}})
	tx := begin(t, s)
	if _, err := tx.Load(context.Background(), []central.Key{pointer}, nil); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := tx.Apply(context.Background(), &central.Changes{Put: []central.Row{&central.CodePointer{Scope: "writes", Next: 2}}, Add: []central.Row{account(12)}}); err != nil {
			t.Fatal(err)
		}
	}
	rows, err := tx.Load(context.Background(), []central.Key{pointer, central.KeyOf(account(0))}, nil)
	if err != nil || len(rows) != 2 {
		t.Fatalf("loaded %d rows with %v, want 2", len(rows), err)
	}
	same(t, rows[0], &central.CodePointer{Scope: "writes", Next: 2})
	same(t, rows[1], account(19))
	if err := tx.Commit(context.Background()); err != nil {
		t.Fatal(err)
	}
	tx.Rollback() // does nothing
	same(t, get(t, s, pointer), &central.CodePointer{Scope: "writes", Next: 2})
	same(t, get(t, s, central.KeyOf(account(0))), account(19))
	same(t, get(t, s, central.Key{Table: central.Counters, S: "writes"}), &central.Counter{Name: "writes", N: 7})
}

// The store itself refuses a balance below zero, whatever a command planned.
func testFloor(t *testing.T, s central.Store) {
	write(t, s, central.Changes{New: []central.Row{&central.Player{ID: 101, Balance: 5}}})
	for name, c := range map[string]*central.Changes{
		"new":      {New: []central.Row{&central.Player{ID: 102, Balance: -1}}},
		"replaced": {Put: []central.Row{&central.Player{ID: 101, Balance: -1}}},
	} {
		tx := begin(t, s)
		err := tx.Apply(context.Background(), c)
		if err == nil {
			err = tx.Commit(context.Background())
		}
		// No new attempt helps, and the commands beside it must not suffer: the register parts them.
		if err == nil || errors.Is(err, central.ErrRetry) || errors.Is(err, central.ErrInDoubt) || errors.Is(err, central.ErrDown) {
			t.Errorf("%s: a balance of −0.01 is answered with %v", name, err)
		}
		tx.Rollback()
	}
	same(t, get(t, s, central.Key{Table: central.Players, N: 101}), &central.Player{ID: 101, Balance: 5})
	same(t, get(t, s, central.Key{Table: central.Players, N: 102}), nil)
}

// A view shows what was committed when it was opened, nothing later and nothing unfinished.
func testIsolation(t *testing.T, s central.Store) {
	ctx, k := context.Background(), central.Key{Table: central.Slices, S: "isolation", N: 1, M: 1}
	before := look(t, s)
	defer before.Close()
	tx := begin(t, s)
	if err := tx.Apply(ctx, &central.Changes{New: []central.Row{&central.Slice{Draw: "isolation", Version: 1, N: 1, Cents: 5}}}); err != nil {
		t.Fatal(err)
	}
	same(t, get(t, s, k), nil)
	if err := tx.Commit(ctx); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if r, err := before.Get(ctx, k); err != nil || r != nil {
			t.Errorf("a view opened before the commit shows %v, %v", r, err)
		}
	}
	if n := count(t, before, central.Range{From: k, Prefix: 1}); n != 0 {
		t.Errorf("a view opened before the commit scans %d rows", n)
	}
	same(t, get(t, s, k), &central.Slice{Draw: "isolation", Version: 1, N: 1, Cents: 5})
}

func count(t testing.TB, snap central.Snapshot, r central.Range) (n int) {
	t.Helper()
	if err := snap.Scan(context.Background(), r, func(central.Row) error { n++; return nil }); err != nil {
		t.Fatal(err)
	}
	return n
}

// A load returns the rows that exist, in the order of (table, key), however many keys there are.
func testLoad(t *testing.T, s central.Store) {
	var rows []central.Row
	var keys, shared []central.Key
	for i := range int64(300) {
		rows = append(rows, &central.Player{ID: 1000 + 2*i, Balance: cents(i)})
		keys = append(keys, central.Key{Table: central.Players, N: 1000 + 2*i}, central.Key{Table: central.Players, N: 1001 + 2*i})
	}
	rows = append(rows, &central.Draw{ID: "a"}, &central.Draw{ID: "b"})
	shared = append(shared, central.Key{Table: central.Draws, S: "b"}, central.Key{Table: central.Draws, S: "c"})
	keys = append(keys, central.Key{Table: central.Draws, S: "a"})
	var packs []central.Row
	for i := range int64(70) {
		packs = append(packs, &central.Pack{Draw: "a", Type: "x", N: i, Sold: 1}, &central.Pack{Draw: "a", Type: "y", N: i, Sold: 1})
		keys = append(keys, central.Key{Table: central.Packs, S: "a", U: "x", N: i})
	}
	write(t, s, central.Changes{New: append(rows, packs...)})
	snap := look(t, s)
	seen, err := central.GetMany(context.Background(), snap, append(append(slices.Clone(shared), keys...), keys...)...)
	snap.Close()
	if err != nil {
		t.Fatal(err)
	}
	distinct := map[string]bool{}
	for _, r := range seen {
		distinct[text(r)] = true
	}
	if want := 300 + 2 + 70; len(distinct) != want || !distinct[text(rows[7])] || !distinct[text(packs[8])] {
		t.Errorf("%d rows seen in a snapshot, want %d", len(distinct), want)
	}
	tx := begin(t, s)
	defer tx.Rollback()
	found, err := tx.Load(context.Background(), keys, shared)
	if err != nil {
		t.Fatal(err)
	}
	if want := 300 + 2 + 70; len(found) != want {
		t.Fatalf("%d rows loaded, want %d", len(found), want)
	}
	for i, r := range rows {
		if i < 300 {
			same(t, found[i], r)
		}
	}
	for i := range int64(70) {
		same(t, found[302+i], &central.Pack{Draw: "a", Type: "x", N: i, Sold: 1})
	}
	if none, err := tx.Load(context.Background(), nil, nil); err != nil || len(none) != 0 {
		t.Errorf("no keys: %d rows, %v", len(none), err)
	}
}

// awkward texts, whose order by bytes differs from that of any language.
var awkward = []string{"", " ", "-", "1", "10", "9", "A", "Z", "_", "a", "a ", "a-b", "ab", "à", "é", "z", "É", "\x7f", "ﬁ", "😀", "\U0010FFFF", "\uFFFD"}

// A scan gives what the model gives: prefix, bound, limit, order by bytes.
func testScan(t *testing.T, s central.Store) {
	model := &mem.Store{}
	var rows []central.Row
	for i, draw := range awkward {
		for j, typ := range awkward {
			if (i+j)%3 == 0 {
				for n := range int64(3) {
					rows = append(rows, &central.PackContent{Draw: draw, Type: typ, N: n*(math.MaxInt64/4) - 5, Combos: int64(i)})
				}
			}
		}
	}
	for _, store := range []central.Store{s, model} {
		write(t, store, central.Changes{New: rows})
	}
	engine, want := look(t, s), look(t, model)
	defer engine.Close()
	defer want.Close()
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		key := central.KeyOf(rows[r.IntN(len(rows))])
		if r.IntN(4) == 0 {
			key.U = awkward[r.IntN(len(awkward))]
		}
		rg := central.Range{From: key, Prefix: r.IntN(4), After: r.IntN(2) == 0, Limit: r.IntN(3) * r.IntN(40)}
		if got, want := scan(t, engine, rg), scan(t, want, rg); got != want {
			t.Fatalf("range %+v: found\n%.2000s\nwant\n%.2000s", rg, got, want)
		}
	}
	stop := errors.New("stop")
	n := 0
	if err := engine.Scan(context.Background(), central.Range{From: central.Key{Table: central.PackContents}}, func(central.Row) error { n++; return stop }); err != stop || n != 1 {
		t.Errorf("stopped with %v after %d rows", err, n)
	}
}

func scan(t testing.TB, snap central.Snapshot, r central.Range) string {
	t.Helper()
	var b strings.Builder
	err := snap.Scan(context.Background(), r, func(row central.Row) error {
		b.WriteString(text(row) + "\n")
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A scan of more rows than any page holds gives each once, and reads within it see the same view.
func testLongScan(t *testing.T, s central.Store) {
	const all = 10_000
	rows := make([]central.Row, all)
	for i := range rows {
		rows[i] = &central.Credit{Draw: "d", Component: "ranks", Play: int64(i), Version: 1}
	}
	write(t, s, central.Changes{New: rows})
	snap := look(t, s)
	defer snap.Close()
	next := int64(0)
	err := snap.Scan(context.Background(), central.Range{From: central.Key{Table: central.Credits, S: "d"}, Prefix: 1}, func(r central.Row) error {
		if play := r.(*central.Credit).Play; play != next {
			return fmt.Errorf("credit %d stands where %d should", play, next)
		}
		if next++; next%1000 != 0 {
			return nil
		}
		_, err := snap.Get(context.Background(), central.KeyOf(r))
		return err
	})
	if err != nil || next != all {
		t.Errorf("%d credits scanned, %v", next, err)
	}
	if n := count(t, snap, central.Range{From: central.Key{Table: central.Credits}, Limit: all - 1}); n != all-1 {
		t.Errorf("%d credits scanned of at most %d", n, all-1)
	}
}

// What a transaction has loaded for itself nobody changes before its end: no addition is lost.
func testLocks(t *testing.T, s central.Store) {
	const workers, times = 6, 25
	keys := []central.Key{{Table: central.Players, N: 301}, {Table: central.CodePointers, S: "locks"}}
	write(t, s, central.Changes{New: []central.Row{&central.Player{ID: 301}, &central.CodePointer{Scope: "locks"}}})
	step := func() error {
		ctx := context.Background()
		tx, err := s.Begin(ctx)
		if err != nil {
			return err
		}
		defer tx.Rollback()
		rows, err := tx.Load(ctx, keys, nil)
		if err != nil {
			return err
		}
		player, pointer := *rows[0].(*central.Player), *rows[1].(*central.CodePointer)
		player.Version++
		pointer.Next++
		if err := tx.Apply(ctx, &central.Changes{Put: []central.Row{&player, &pointer}, Add: []central.Row{&central.Counter{Name: "locks", N: 1}}}); err != nil {
			return err
		}
		return tx.Commit(ctx)
	}
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for range times {
				if err := step(); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	same(t, get(t, s, keys[0]), &central.Player{ID: 301, Version: workers * times})
	same(t, get(t, s, keys[1]), &central.CodePointer{Scope: "locks", Next: workers * times})
	same(t, get(t, s, central.Key{Table: central.Counters, S: "locks"}), &central.Counter{Name: "locks", N: workers * times})
}

// A transaction stands on what the one before it has left: its number grows by one with each commit, and only then.
func testBase(t *testing.T, s central.Store) {
	base := func(commit bool) (int64, bool) {
		tx := begin(t, s)
		defer tx.Rollback()
		state, alone := tx.Base()
		if err := tx.Apply(t.Context(), &central.Changes{Add: []central.Row{&central.Counter{Name: "base", N: 1}}}); err != nil {
			t.Fatal(err)
		}
		if commit {
			if err := tx.Commit(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		return state, alone
	}
	first, alone := base(true)
	if !alone {
		return
	}
	look(t, s).Close()
	for i, commit := range []bool{false, true, true} {
		if got, _ := base(commit); got != first+int64(max(i, 1)) {
			t.Errorf("transaction %d stands on state %d after %d", i, got, first)
		}
	}
	tx := begin(t, s)
	defer tx.Rollback()
	for _, c := range []struct {
		since int64
		table central.TableID
		want  bool
	}{{first, central.Counters, true}, {first, central.Players, false}, {first + 3, central.Counters, false}} {
		if got := tx.Since(c.since, c.table); got != c.want {
			t.Errorf("table %d written since state %d: %t, want %t", c.table, c.since, got, c.want)
		}
	}
}
