package central_test

import (
	"context"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"tirage/central"
	"tirage/rules/combin"
	"tirage/rules/drawing"
	"tirage/rules/money"
	"tirage/store/mem"
)

// changedReader shows the rows of a store with some of them changed, or without them.
type changedReader struct {
	central.Reader
	change func(central.Row) central.Row // nil: the row is gone
}

func (r changedReader) Snapshot(ctx context.Context) (central.Snapshot, error) {
	snap, err := r.Reader.Snapshot(ctx)
	return changedSnapshot{snap, r.change}, err
}

type changedSnapshot struct {
	central.Snapshot
	change func(central.Row) central.Row
}

func (s changedSnapshot) Scan(ctx context.Context, r central.Range, yield func(central.Row) error) error {
	return s.Snapshot.Scan(ctx, r, func(row central.Row) error {
		if row = s.change(row); row == nil {
			return nil
		}
		return yield(row)
	})
}

// What stands at the close must be what was sold: a play, a pack or a share that is missing, an amount or a grid that was changed, a code that moved. The
// draw refuses to start: it is not sealed, or held by the control, and no result is accepted.
func TestCase02WhatWasSoldIsInTheDraw(t *testing.T) {
	plays := 0
	for name, change := range map[string]func(central.Row) central.Row{
		"a play is missing": func(r central.Row) central.Row {
			if _, ok := r.(*central.Play); ok {
				if plays++; plays == 3 {
					return nil
				}
			}
			return r
		},
		"a pack is missing": func(r central.Row) central.Row {
			if p, ok := r.(*central.Pack); ok && p.N == 0 {
				return nil
			}
			return r
		},
		"one cent less": func(r central.Row) central.Row {
			if p, ok := r.(*central.Play); ok && p.Kind == central.KindSimple {
				other := *p
				other.Stake--
				return &other
			}
			return r
		},
		"another share is sold": func(r central.Row) central.Row {
			if p, ok := r.(*central.Pack); ok && p.Type == "ten" {
				other := *p
				other.Sold++
				return &other
			}
			return r
		},
		"another grid": func(r central.Row) central.Row {
			if p, ok := r.(*central.Play); ok && p.Kind == central.KindSimple {
				other := *p
				c, err := combin.Parse("1-2-3-4-6+6")
				if err != nil {
					t.Fatal(err)
				}
				other.Lines = make([]byte, 8)
				for i := range 8 {
					other.Lines[i] = byte(uint64(c) >> (56 - 8*i))
				}
				return &other
			}
			return r
		},
		"another code": func(r central.Row) central.Row {
			if p, ok := r.(*central.PackContent); ok {
				other := *p
				other.CodeAt++
				return &other
			}
			return r
		},
	} {
		t.Run(name, func(t *testing.T) {
			plays = 0
			w := newWorld(t)
			closeLoto(w)
			w.Operator.Store = changedReader{w.Store, change}
			err := w.Operator.Seal(t.Context(), loto, lotoTerms)
			w.Operator.Store = w.Store
			state := drawRow(w, loto).State
			if err == nil || state != string(drawing.Closed) && state != string(drawing.Held) {
				t.Fatalf("the draw is %s: %v", state, err)
			}
			if err := w.Operator.Record(t.Context(), loto, lotoResult, central.Outside{}); central.CodeOf(err) != central.Conflict {
				t.Errorf("a result is recorded: %v", err)
			}
			// A manifest that seals something else than was sold is found by the books too.
			err = central.CheckBooks(t.Context(), w.Store)
			if held := state == string(drawing.Held); held != (err != nil && strings.Contains(err.Error(), "not those that were sealed")) {
				t.Errorf("the draw is %s, the books say %v", state, err)
			}
		})
	}
}

// The clock of the system decides, no other: no sale carries a time of its own, the last microsecond sells and the next one does not, and
// what a device counts down to follows from the two instants that the system tells, whichever way the device's own clock is wrong.
func TestCase41TheSystemsClockDecides(t *testing.T) {
	for _, c := range central.Commands() {
		if _, ok := c.(central.Sale); !ok {
			continue
		}
		for _, f := range reflect.VisibleFields(reflect.TypeOf(c)) {
			if f.Type == reflect.TypeFor[time.Time]() || strings.HasSuffix(f.Name, "At") {
				t.Errorf("%s carries %s", c.Kind(), f.Name)
			}
		}
	}
	w := newWorld(t)
	draw := openLoto(w)
	player := w.Player("one", 100)
	buy := central.BuyPlay{Player: player, Draw: draw, Lines: []central.Line{quick(5, 1)}}
	closes := instant(t, lotoDay+" 20:15:00")
	w.Clock.Set(closes.Add(-time.Microsecond))
	w.Do(central.PlayerPrincipal(player), buy)
	for _, wrong := range []time.Duration{-30 * time.Second, 0, 30 * time.Second} {
		now := closes.Add(-10 * time.Minute)
		w.Clock.Set(now.Add(time.Hour)) // no later than what was sold last
		snap, err := w.Store.Snapshot(t.Context())
		must(w, err)
		catalogue, err := central.ReadCatalogue(t.Context(), snap, now)
		must(w, err)
		snap.Close()
		device := now.Add(wrong)
		offset := catalogue.At.Sub(device)
		var left time.Duration
		for _, g := range catalogue.Games {
			for _, d := range g.Draws {
				if d.Draw == draw {
					left = d.ClosesAt.Sub(device.Add(offset))
				}
			}
		}
		if left != 10*time.Minute {
			t.Errorf("a device %v off counts down from %v", wrong, left)
		}
	}
	w.Clock.Set(closes)
	w.Refused(central.Closed, central.PlayerPrincipal(player), buy)
}

// At new year nothing changes shape: draws are named by game and day, and each follows from the one before it across the year.
func TestCase42DrawsAcrossNewYear(t *testing.T) {
	s := newSeason(t, &mem.Store{}, "2018-12-29 12:00:00", func(s *central.Schedule) {
		s.Results = func(context.Context, *central.Draw) (*central.Result, *central.Outside, error) {
			return &central.Result{Main: []int{45, 46, 47, 48, 49}, Extra: []int{9, 10}[:1]}, nil, nil
		}
		s.Games = []string{"loto"}
	})
	s.unchecked = true
	s.until("2019-01-05 21:00:00")
	snap, err := s.Store.Snapshot(t.Context())
	s.good(err)
	defer snap.Close()
	views, err := central.ReadDrawViews(t.Context(), snap, central.DrawQuery{Game: "loto", To: "2019-01-05"})
	s.good(err)
	var ids []string
	jackpot := money.Cents(200_000_000)
	for _, v := range views {
		ids = append(ids, v.Draw)
		if m := paperOf[central.Manifest](t, snap, v.Draw, central.DocManifest, 0); m.Terms.Jackpot != jackpot {
			t.Errorf("%s has a jackpot of %v, want %v", v.Draw, m.Terms.Jackpot, jackpot)
		}
		jackpot += 100_000_000
		if v.State != "published" {
			t.Errorf("%s is %s", v.Draw, v.State)
		}
	}
	if diff := cmp.Diff([]string{"loto-2018-12-29", "loto-2018-12-31", "loto-2019-01-02", "loto-2019-01-05"}, ids); diff != "" {
		t.Error(diff)
	}
	s.CheckBooks()
}
