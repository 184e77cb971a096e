package central_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"tirage/central"
	"tirage/internal/covers"
	"tirage/rules/combin"
	"tirage/rules/drawing"
	"tirage/rules/money"
	"tirage/rules/prize"
	"tirage/store/mem"
	"tirage/store/storetest"
)

// otherControl is a control that finds something else.
type otherControl struct {
	w      *storetest.World
	of     central.Control
	sales  func(*central.Sales)
	counts func(*central.Count)
}

func (c otherControl) CountSales(ctx context.Context, draw string) (string, error) {
	paper, err := c.of.CountSales(ctx, draw)
	if err != nil || c.sales == nil {
		return paper, err
	}
	s, err := central.ReadPaper[central.Sales](paper)
	if err != nil {
		return "", err
	}
	c.sales(s)
	return central.SignPaper(s, c.w.Keys.Control)
}

func (c otherControl) CountResult(ctx context.Context, draw string) (string, error) {
	paper, err := c.of.CountResult(ctx, draw)
	if err != nil || c.counts == nil {
		return paper, err
	}
	n, err := central.ReadPaper[central.Count](paper)
	if err != nil {
		return "", err
	}
	c.counts(n)
	return central.SignPaper(n, c.w.Keys.Control)
}

// held takes a draw to a hold and says what must be refused meanwhile; then it is resumed.
func held(w *storetest.World, step func() error, resumes drawing.State) {
	w.Helper()
	var r *central.Refusal
	if err := step(); !errors.As(err, &r) || r.Reason != "draw.held" {
		w.Fatalf("not held: %v", err)
	}
	w.CheckBooks()
	if d := drawRow(w, loto); d.State != "held" || d.Resume != string(resumes) {
		w.Fatalf("the draw is %s, to be resumed as %s; want %s", d.State, d.Resume, resumes)
	}
	// Nothing moves, not even by the state that it was held in.
	w.Refused(central.Conflict, "system", manifestOf(w, func(*central.Manifest) {}))
	version := drawRow(w, loto).Version + 1
	result := lotoResult
	result.Draw, result.Version = loto, version
	w.Refused(central.Conflict, "system", central.RecordResult{
		Draw: loto, Result: signed(w, result, w.Keys.Operator), Outside: signed(w, central.Outside{Draw: loto, Version: version}, w.Keys.Operator),
	})
	w.Refused(central.Conflict, "staff/officer", central.ApproveDraw{Draw: loto, Version: version})
	if err := w.Operator.Seal(w.Context(), loto, lotoTerms); central.CodeOf(err) != central.Conflict {
		w.Fatalf("sealed while held: %v", err)
	}
	w.Do("staff/officer", central.ResumeDraw{Draw: loto, Why: "the control had an old copy"})
	if d := drawRow(w, loto); d.State != string(resumes) || d.Resume != "" {
		w.Fatalf("resumed as %s (%q)", d.State, d.Resume)
	}
}

// A control that counts one cent, one play or another digest holds the draw: before the result and after it. Once the cause is settled the draw goes on from
// where it was held.
func TestControlDiffers(t *testing.T) {
	for name, sales := range map[string]func(*central.Sales){
		"one cent":       func(s *central.Sales) { s.Stakes++ },
		"one play":       func(s *central.Sales) { s.Kinds[0].Plays++ },
		"another digest": func(s *central.Sales) { s.Digest[0] ^= 1 },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			closeLoto(w)
			good := w.Operator.Control
			w.Operator.Control = otherControl{w: w, of: good, sales: sales}
			seal := func() error { return w.Operator.Seal(t.Context(), loto, lotoTerms) }
			held(w, seal, drawing.Sealed)
			// The same counts again: what was found stands, and the draw does not move.
			if err := seal(); err == nil || !strings.Contains(err.Error(), "differs from the manifest") {
				t.Errorf("%v", err)
			}
			w.Operator.Control = good
			must(w, seal())
			if state := drawRow(w, loto).State; state != "balanced" {
				t.Errorf("the draw is %s", state)
			}
			must(w, seal()) // once more
		})
	}
	for name, counts := range map[string]func(*central.Count){
		"one winner":   func(c *central.Count) { c.Winners[8]++ },
		"one cent":     func(c *central.Count) { c.Due++; c.Gains++; c.Slices[0].Cents++ },
		"another hash": func(c *central.Count) { c.Slices[0].Hash[0] ^= 1 },
	} {
		t.Run("result/"+name, func(t *testing.T) {
			w := newWorld(t)
			stories["drawn"](w)
			good := w.Operator.Control
			w.Operator.Control = otherControl{w: w, of: good, counts: counts}
			count := func() error { _, err := w.Operator.Count(t.Context(), loto); return err }
			held(w, count, drawing.Drawn)
			w.Operator.Control = good
			must(w, count())
			must(w, count()) // once more
			if state := drawRow(w, loto).State; state != "counted" {
				t.Errorf("the draw is %s", state)
			}
		})
	}
}

// A seal that was interrupted goes on with its terms; other terms are refused instead of lost.
func TestSealIsOnce(t *testing.T) {
	w := newWorld(t)
	closeLoto(w)
	good := w.Operator.Control
	w.Operator.Control = brokenControl{}
	if err := w.Operator.Seal(t.Context(), loto, lotoTerms); err == nil || !strings.Contains(err.Error(), "the control is away") {
		t.Fatal(err)
	}
	if state := drawRow(w, loto).State; state != "sealed" {
		t.Fatalf("the draw is %s", state)
	}
	w.Operator.Control = good
	other := lotoTerms
	other.Jackpot++
	if err := w.Operator.Seal(t.Context(), loto, other); central.CodeOf(err) != central.Conflict || !strings.Contains(err.Error(), "sealed with other terms") {
		t.Errorf("%v", err)
	}
	must(w, w.Operator.Seal(t.Context(), loto, lotoTerms))
	if err := w.Operator.Seal(t.Context(), loto, other); central.CodeOf(err) != central.Conflict {
		t.Errorf("%v", err)
	}
}

type brokenControl struct{}

var errAway = errors.New("the control is away")

func (brokenControl) CountSales(context.Context, string) (string, error)  { return "", errAway }
func (brokenControl) CountResult(context.Context, string) (string, error) { return "", errAway }

// A corrected result before the approval is the next version: what was counted of the first is never paid.
func TestCorrectedResult(t *testing.T) {
	for _, counted := range []bool{false, true} {
		t.Run(fmt.Sprintf("counted %v", counted), func(t *testing.T) {
			w := newWorld(t)
			stories["drawn"](w)
			must(w, w.Operator.Record(t.Context(), loto, lotoResult, central.Outside{})) // the same once more
			if d := drawRow(w, loto); d.Version != 1 {
				t.Fatalf("the same result twice is version %d", d.Version)
			}
			if counted {
				_, err := w.Operator.Count(t.Context(), loto)
				must(w, err)
			}
			right := central.Result{Main: []int{1, 2, 3, 4, 7}, Extra: []int{1}}
			must(w, w.Operator.Record(t.Context(), loto, right, central.Outside{Winners: prize.Winners{1, 0, 0, 0, 0, 0, 0, 0, 0}}))
			if d := drawRow(w, loto); d.Version != 2 || d.State != "drawn" {
				t.Fatalf("version %d, %s", d.Version, d.State)
			}
			count, err := w.Operator.Count(t.Context(), loto)
			must(w, err)
			w.Refused(central.Conflict, "staff/officer", central.ApproveDraw{Draw: loto, Version: 1})
			must(w, w.Operator.Approve(t.Context(), loto, 2, "staff/officer"))
			must(w, w.Operator.Pay(t.Context(), loto))
			_, err = w.Operator.Draft(t.Context(), loto)
			must(w, err)
			n, err := w.Operator.Publish(t.Context(), loto, "staff/officer")
			must(w, err)
			if n.Version != 2 || count.Winners[0] == 0 || n.Ranks[0].Winners != count.Winners[0]+1 {
				t.Errorf("notice %+v", n)
			}
			var paid money.Cents
			for _, r := range rows(t, w.Store, central.Credits) {
				c := r.(*central.Credit)
				if paid += c.Cents; c.Version != 2 {
					t.Errorf("a credit of version %d", c.Version)
				}
			}
			if paid != count.Due {
				t.Errorf("%v paid, %v due", paid, count.Due)
			}
		})
	}
}

// manyWinners sells more plays that win the last ranks than one slice holds, and takes the draw to its approval.
func manyWinners(w *storetest.World) {
	w.Helper()
	openLoto(w)
	player := w.Player("one", 100_000)
	const plays = 2*central.SliceCredits + 345
	others := chosen(w, "6-7-8-9-10-11-12-13-14-15-16-17-18-19-20-21-22-23+6").Grid // 8 568 grids of the last rank
	asked := make([]<-chan error, plays)
	for i := range asked {
		asked[i] = ask(w, fmt.Sprint("p", i), central.BuyPlay{Player: player, Draw: loto, Lines: []central.Line{{Grid: combin.Unrank(combin.Matrix{Main: 5, MainOf: 49, Extra: 1, ExtraOf: 10}, others, int64(i))}}})
	}
	for _, a := range asked {
		if err := <-a; err != nil {
			w.Fatal(err)
		}
	}
	w.Clock.Set(instant(w, lotoDay+" 20:15:00"))
	for _, step := range []func() error{
		func() error { return w.Operator.Close(w.Context(), loto) },
		func() error { return w.Operator.Seal(w.Context(), loto, lotoTerms) },
		func() error { return w.Operator.Record(w.Context(), loto, lotoResult, central.Outside{}) },
		func() error { _, err := w.Operator.Count(w.Context(), loto); return err },
		func() error { return w.Operator.Approve(w.Context(), loto, 1, "staff/officer") },
	} {
		if err := step(); err != nil {
			w.Fatal(err)
		}
	}
}

// Payment that is stopped in the middle goes on with a new register from what is not paid: each credit is made once.
func TestPayGoesOn(t *testing.T) {
	store := &mem.Store{}
	stopped := make(chan struct{})
	w := storetest.NewWorld(t, store)
	manyWinners(w)
	w.Register.Close()
	// This register stops after the first slice.
	w = storetest.NewWorld(t, store, func(c *central.Config) {
		c.OnCommit = func([]central.Done) {
			select {
			case <-stopped:
			default:
				close(stopped)
			}
		}
	})
	w.Clock.Set(instant(t, lotoDay+" 21:00:00"))
	stopping := w.Register
	go func() {
		<-stopped
		stopping.Close()
	}()
	err := w.Operator.Pay(t.Context(), loto)
	if err != nil && central.CodeOf(err) != central.Unavailable {
		t.Fatal(err)
	}
	first := len(rows(t, store, central.Credits))
	w = storetest.NewWorld(t, store)
	w.Clock.Set(instant(t, lotoDay+" 22:00:00"))
	w.CheckBooks()
	must(w, w.Operator.Pay(t.Context(), loto))
	must(w, w.Operator.Pay(t.Context(), loto)) // nothing is left
	credits := len(rows(t, store, central.Credits))
	if d := drawRow(w, loto); credits != 2*central.SliceCredits+345 || first == 0 || d.State != "settled" || d.Paid != 3 {
		t.Errorf("%d credits, %d by the first register, %s with %d slices paid", credits, first, d.State, d.Paid)
	}
}

// Slices may be paid in any order; each once.
func TestSlicesInAnyOrder(t *testing.T) {
	w := newWorld(t)
	manyWinners(w)
	snap, err := w.Store.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	counting, err := central.NewCounting(t.Context(), snap, loto, w.Operator.OpenSecret)
	if err != nil {
		t.Fatal(err)
	}
	if err := counting.Winners(t.Context(), snap); err != nil {
		t.Fatal(err)
	}
	slices := map[int64][]central.Credit{}
	if _, err := counting.Slices(t.Context(), snap, func(n int64, credits []central.Credit) error {
		slices[n] = append([]central.Credit(nil), credits...)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	swapped := append([]central.Credit(nil), slices[0]...)
	swapped[0], swapped[1] = swapped[1], swapped[0]
	for _, c := range []struct {
		cmd  central.Command
		code central.Code
	}{
		{central.NewCreditSlice(loto, 1, 0, slices[1]), central.Conflict},
		{central.NewCreditSlice(loto, 1, 0, swapped), central.Conflict},
		{central.NewCreditSlice(loto, 1, 0, slices[0][1:]), central.Conflict},
		{central.NewCreditSlice(loto, 1, 2, slices[2]), ""},
		{central.NewCreditSlice(loto, 1, 2, slices[2]), central.Conflict},
		{central.NewCreditSlice(loto, 1, 0, slices[0]), ""},
		{central.DraftNotice{Draw: loto, Draft: signed(w, central.NoticeDraft{By: "system"}, w.Keys.Operator)}, central.Conflict},
		{central.NewCreditSlice(loto, 1, 1, slices[1]), ""},
		{central.NewCreditSlice(loto, 1, 1, slices[1]), central.Conflict},
	} {
		if _, err := w.Try("system", c.cmd); central.CodeOf(err) != c.code {
			t.Errorf("%s: %v, want %q", c.cmd.Kind(), err, c.code)
		}
	}
	w.CheckBooks()
	if d := drawRow(w, loto); d.State != "settled" {
		t.Errorf("the draw is %s", d.State)
	}
}

// A draw that nobody wins, and one that nobody plays, go to their end: there is nothing to pay.
func TestNothingToPay(t *testing.T) {
	covers.Covers(t, "P9")
	for _, plays := range []int{0, 1} {
		w := newWorld(t)
		draw := openLoto(w)
		player := w.Player("one", 100)
		for range plays {
			buy(w, central.BuyPlay{Player: player, Draw: draw, Lines: []central.Line{chosen(t, "10-20-30-40-49+1")}})
		}
		w.Clock.Set(instant(t, lotoDay+" 20:15:00"))
		count, notice := w.Evening(draw, lotoTerms, lotoResult, central.Outside{Winners: prize.Winners{0, 1, 5, 40, 500, 900, 9000, 20000, 90000}})
		if count.Due != 0 || count.Credits != 0 || len(rows(t, w.Store, central.Credits)) != 0 {
			t.Errorf("%d plays: %v due in %d credits", plays, count.Due, count.Credits)
		}
		if notice.Ranks[1].Winners != 1 || notice.Claims != "2020-08-21" {
			t.Errorf("%d plays: notice %+v", plays, notice)
		}
	}
}

// The stake of unsold shares is the operator's: the pack plays in full.
func TestUnsoldShares(t *testing.T) {
	w := newWorld(t)
	draw := closeLoto(w)
	// ten: 4 + 5 of 10 shares; small: 3 + 3 of two packs.
	if got := account(w, "unsold/"+draw); got != -1320 {
		t.Errorf("unsold %v", got)
	}
	before := account(w, "stakes/"+draw)
	var plays money.Cents
	for _, r := range rows(t, w.Store, central.Plays) {
		plays += r.(*central.Play).Stake
	}
	if before != plays+1320 {
		t.Errorf("stakes %v, plays %v", before, plays)
	}
}
