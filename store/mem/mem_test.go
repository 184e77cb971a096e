package mem

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
	"tirage/central"
)

// Whatever is written in whatever order, a snapshot scans what a sorted list of the rows as they then stood gives, whatever was written after it.
func TestSnapshotsAgainstLists(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		store, rows := &Store{}, map[central.Key]*central.Claim{}
		name := rapid.StringMatching("[ab]{0,2}")
		number := rapid.Int64Range(-1, 4)
		drawKey := func() central.Key {
			return central.Key{Table: central.Claims, S: name.Draw(rt, "draw"), U: name.Draw(rt, "component"), N: number.Draw(rt, "play"), M: number.Draw(rt, "version")}
		}
		type view struct {
			snap central.Snapshot
			rows map[central.Key]*central.Claim
		}
		var views []view
		for range rapid.IntRange(1, 60).Draw(rt, "writes") {
			k := drawKey()
			r := &central.Claim{Draw: k.S, Component: k.U, Play: k.N, Version: k.M, At: rapid.Int64().Draw(rt, "at")}
			changes := &central.Changes{Put: []central.Row{r}}
			if rows[k] == nil {
				changes = &central.Changes{New: []central.Row{r}}
			}
			commit(rt, store, changes)
			rows[k] = r
			if rapid.IntRange(0, 9).Draw(rt, "look") == 0 {
				snap, _ := store.Snapshot(t.Context())
				views = append(views, view{snap, maps.Clone(rows)})
			}
		}
		for _, v := range views {
			r := central.Range{From: drawKey(), Prefix: rapid.IntRange(0, 4).Draw(rt, "prefix"), After: rapid.Bool().Draw(rt, "after"), Limit: rapid.IntRange(0, 3).Draw(rt, "limit")}
			got := []central.Row{}
			if err := v.snap.Scan(t.Context(), r, func(row central.Row) error { got = append(got, row); return nil }); err != nil {
				rt.Fatal(err)
			}
			if diff := cmp.Diff(listed(v.rows, r), got); diff != "" {
				rt.Fatalf("%+v (-want +got): %s", r, diff)
			}
			one, _ := v.snap.Get(t.Context(), r.From)
			if want := v.rows[r.From]; (one == nil) != (want == nil) || want != nil && *one.(*central.Claim) != *want {
				rt.Fatalf("got %v, want %v", one, want)
			}
		}
	})
}

func commit(t *rapid.T, s *Store, c *central.Changes) {
	tx, _ := s.Begin(t.Context())
	defer tx.Rollback()
	if err := tx.Apply(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// listed is a scan written plainly.
func listed(rows map[central.Key]*central.Claim, r central.Range) []central.Row {
	keys := slices.Collect(maps.Keys(rows))
	slices.SortFunc(keys, compare)
	out := []central.Row{}
	for _, k := range keys {
		in := !r.After || compare(k, r.From) > 0
		for i, v := range k.Values()[:r.Prefix] {
			in = in && v == r.From.Values()[i]
		}
		if in && (r.Limit == 0 || len(out) < r.Limit) {
			out = append(out, rows[k])
		}
	}
	return out
}
