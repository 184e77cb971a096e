package central_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
	"tirage/central"
	"tirage/rules/money"
	"tirage/store/mem"
	"tirage/store/storetest"
)

// What the page says of the money of a draw is what the ledger did, to the cent: the stakes, every fund and the operator, and what players were due.
func TestFlowIsTheLedger(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := drawNight(rt)
		w := storetest.NewWorld(rapidTB{t, rt}, &mem.Store{})
		defer w.Register.Close()
		bought, count := n.play(rt, w)
		var staked money.Cents
		for _, b := range bought {
			staked += b.Cents
		}
		f := flowOf(w, n.id())
		if len(f.In) > 0 && f.In[0].Kind == central.FlowPlayers && f.In[0].Cents != staked {
			rt.Fatalf("players staked %v, want %v", f.In[0].Cents, staked)
		}
		if f.Players != count.Due {
			rt.Fatalf("%v for players, %v were due", f.Players, count.Due)
		}
		sign := money.Cents(1)
		for _, list := range [][]central.FlowPart{f.Out, f.In} {
			for _, p := range list {
				if p.Kind != "fund" && p.Kind != "operator" {
					continue
				}
				want := account(w, p.Kind+"/"+p.Of)
				if p.Kind == "fund" {
					want -= count.Packs.Reserve[p.Of]
				}
				if sign*p.Cents != want {
					rt.Fatalf("%s/%s: %v in the flow, %v in the ledger", p.Kind, p.Of, sign*p.Cents, want)
				}
			}
			sign = -1
		}
	})
}

func flowOf(w *storetest.World, draw string) *central.Flow {
	w.Helper()
	snap, err := w.Store.Snapshot(w.Context())
	must(w, err)
	defer snap.Close()
	f, err := central.ReadFlow(w.Context(), snap, draw)
	must(w, err)
	return f
}

// The life of a draw as its log tells it: each step once, in order, with the leaf that made it; a player's own command under the same key is none of it.
func TestStoryOfADraw(t *testing.T) {
	w := newWorld(t)
	countedLoto(w)
	id := w.Player("another", 10)
	_, err := w.Register.Do(t.Context(), central.Request{Principal: central.PlayerPrincipal(id), Key: "approve/" + planned + "/1", Command: central.SetCheck{Player: id, Minutes: 30}})
	must(w, err)
	tell := func() (steps []string, err error) {
		snap, err := w.Store.Snapshot(t.Context())
		must(w, err)
		defer snap.Close()
		moments, err := central.ReadStory(t.Context(), snap, planned)
		for i, m := range moments {
			if steps = append(steps, m.Step); i > 0 && m.At.Before(moments[i-1].At) {
				t.Errorf("%s before %s", m.Step, moments[i-1].Step)
			}
		}
		return steps, err
	}
	if _, err := tell(); reason(err) != "draw.unpublished" {
		t.Errorf("told before the publication: %v", err)
	}
	must(w, w.Operator.Approve(t.Context(), planned, 1, officer))
	must(w, w.Operator.Pay(t.Context(), planned))
	_, err = w.Operator.As("staff/drafter").Draft(t.Context(), planned)
	must(w, err)
	_, err = w.Operator.Publish(t.Context(), planned, officer)
	must(w, err)
	steps, err := tell()
	must(w, err)
	// The draw was opened and its result recorded by hand here, under keys that name no step; the evening of the back office (server) tells it with its draw room.
	want := []string{central.StepClosed, central.StepSealed, central.StepBalanced, central.StepCounted, central.StepApproved, central.StepPaid, central.StepPublished}
	if !slices.Equal(steps, want) {
		t.Errorf("the story is %v, want %v", steps, want)
	}
}
