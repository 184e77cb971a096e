package storetest_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"tirage/central"
	"tirage/logbook"
	"tirage/store/storetest"
)

// Schedules on two nodes run the same calendar at the same moment: each draw is opened once with one secret, and has one result, whichever node was first.
func TestCase21OneDrawOneResult(t *testing.T) {
	twoNodes(t, func(t *testing.T, a, b *storetest.World) {
		worlds := []*storetest.World{a, b}
		var schedules []*central.Schedule
		for i, w := range worlds {
			schedules = append(schedules, &central.Schedule{
				Operator: w.Operator, Clock: w.Clock, Entropy: &storetest.Entropy{Seed: uint64(i)}, // other secrets
				Results: func(_ context.Context, d *central.Draw) (*central.Result, *central.Outside, error) {
					return &central.Result{Main: []int{1, 2, 3, 4, 5 + i}, Extra: []int{1}}, nil, nil // and other numbers
				},
			})
		}
		const draw = "superloto-2020-07-03"
		plan, err := a.Register.Do(t.Context(), central.Request{Principal: "system", Key: "plan", Command: central.PlanDraw{Game: "superloto", Day: "2020-07-03"}})
		check(t, err)
		closes := time.Date(2020, 7, 3, 18, 15, 0, 0, time.UTC)
		for _, at := range []time.Time{plan.At, closes, closes.Add(30 * time.Minute)} {
			for _, w := range worlds {
				w.Clock.Set(at)
			}
			errs := make(chan error, len(schedules))
			for _, s := range schedules {
				go func() { _, err := s.Step(context.Background()); errs <- err }()
			}
			if err := errors.Join(<-errs, <-errs); err != nil {
				t.Fatal(err)
			}
			a.CheckBooks()
		}
		d, err := b.Operator.Draw(t.Context(), draw)
		check(t, err)
		if d.State != "counted" || d.Version != 1 {
			t.Errorf("the draw is %s with version %d of its result", d.State, d.Version)
		}
		acts := map[string]int{}
		snap, err := a.Store.Snapshot(t.Context())
		check(t, err)
		defer snap.Close()
		check(t, snap.Scan(t.Context(), central.Range{From: central.Key{Table: central.Leaves}}, func(r central.Row) error {
			leaf, _, err := logbook.ParseLeaf(r.(*central.LeafRow).Body)
			acts[leaf.Kind]++
			return err
		}))
		for _, kind := range []string{"open_draw", "close_draw", "seal_draw", "balance_draw", "record_result", "count_draw"} {
			if acts[kind] != 1 {
				t.Errorf("%s stands in %d leaves", kind, acts[kind])
			}
		}
	})
}
