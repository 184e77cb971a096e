package main

import (
	"context"
	"fmt"
	"io"
	"slices"

	"tirage/central"
	"tirage/ledger"
	states "tirage/rules/drawing"
)

// drawsListCmd is `tirage draws list`.
type drawsListCmd struct {
	drawsDB
	Game string `placeholder:"GAME" help:"Only this game."`
	From string `placeholder:"DAY" help:"Only draws from this day on, YYYY-MM-DD."`
	To   string `placeholder:"DAY" help:"Only draws up to this day."`
	All  bool   `help:"Also draws that are published or skipped."`
}

// stateWords say where a draw stands.
var stateWords = map[string]string{
	central.DatePlanned: "planned", central.DateSkipped: "skipped",
	string(states.Open): "on sale", string(states.Closed): "closed, to be sealed", string(states.Sealed): "sealed, to be balanced",
	string(states.Balanced): "sealed and balanced, to be drawn", string(states.Drawn): "drawn, to be counted",
	string(states.Counted): "counted twice, waits for the officer", string(states.Approved): "approved, being paid",
	string(states.Settled): "paid, its notice is to be published", string(states.Published): "published", string(states.Held): "held",
	string(states.Postponed): "postponed",
}

// Run prints the calendar.
func (c *drawsListCmd) Run(p *program) error {
	return c.look(func(ctx context.Context, snap central.Snapshot) error {
		list, err := central.ReadDrawViews(ctx, snap, central.DrawQuery{Game: c.Game, From: c.From, To: c.To, Open: !c.All})
		if err != nil {
			return err
		}
		if c.JSON {
			return p.printJSON(slices.Concat([]*central.DrawView{}, list))
		}
		if len(list) == 0 {
			_, err := fmt.Fprintln(p.out, "no draw of the calendar is as asked for")
			return err
		}
		t := table{align: "lllllrr"}
		t.add("draw", "", "on sale from", "closes", "drawn at", "plays", "stakes")
		for _, v := range list {
			t.add(v.Draw, stateWords[v.State], shownTime(v.OpensAt), shownTime(v.ClosesAt), shownTime(v.DrawsAt), fmt.Sprint(v.Plays), euros(v.Stakes))
		}
		t.print(p.out, "")
		return nil
	})
}

// drawsShowCmd is `tirage draws show`.
type drawsShowCmd struct {
	drawsDB
	Draw string `arg:"" help:"Draw: loto-2018-10-29."`
}

// Run prints one draw.
func (c *drawsShowCmd) Run(p *program) error {
	return c.look(func(ctx context.Context, snap central.Snapshot) error {
		v, err := central.ReadDrawView(ctx, snap, c.Draw)
		if err != nil {
			return err
		}
		if c.JSON {
			return p.printJSON(v)
		}
		printDraw(p.out, v)
		return nil
	})
}

func printDraw(w io.Writer, v *central.DrawView) {
	state := stateWords[v.State]
	if v.Resume != "" {
		state += ", then " + stateWords[v.Resume]
	}
	t := table{align: "ll"}
	t.add("state", state)
	if v.Why != "" {
		t.add("why", v.Why)
	}
	t.add("on sale from", shownTime(v.OpensAt))
	t.add("closes", shownTime(v.ClosesAt))
	t.add("drawn at", shownTime(v.DrawsAt))
	if !v.FirstAt.Equal(v.DrawsAt) {
		t.add("first announced for", shownTime(v.FirstAt))
	}
	if v.Exceptional {
		t.add("exceptional", "codes Euro Millions are issued")
	}
	if v.Announced.Jackpot > 0 {
		t.add("announced jackpot", euros(v.Announced.Jackpot))
	}
	if v.Announced.Super > 0 {
		t.add("guaranteed", euros(v.Announced.Super))
	}
	if v.Reported {
		t.add("reported by others", fmt.Sprintf("stakes %s, fund %s", euros(v.Announced.Stakes), euros(v.Announced.Fund)))
	}
	t.add("sold", fmt.Sprintf("%d plays, %s", v.Plays, euros(v.Stakes)))
	if v.Version > 0 {
		t.add("result", fmt.Sprintf("version %d, recorded by %s", v.Version, v.Recorder))
	}
	if v.Slices > 0 {
		t.add("paid", fmt.Sprintf("%d of %d slices of credits", v.Paid, v.Slices))
	}
	if v.Until != "" {
		claims := "payable through " + v.Until
		switch {
		case v.Lapsed:
			claims = "were payable through " + v.Until + ", what nobody claimed is in its fund"
		case v.Waiting > 0:
			claims += ", " + euros(v.Waiting) + " wait for winners"
		}
		t.add("gains", claims)
	}
	fmt.Fprintln(w, v.Draw)
	t.print(w, "  ")
}

// drawsTermsCmd is `tirage draws terms`.
type drawsTermsCmd struct {
	drawsActor
	Draw string `arg:"" help:"Draw: loto-2018-10-29."`
	Seal bool   `help:"Sign the terms with the plays of the closed draw, and have the control agree."`
}

// Run prints the proposal, and seals with it when it is asked to.
func (c *drawsTermsCmd) Run(p *program) error {
	if c.Seal {
		return c.act(p, func(ctx context.Context, d *desk) error {
			if err := d.SealProposed(ctx, c.Draw); err != nil {
				return err
			}
			return c.shown(ctx, p, d.Operator, c.Draw)
		})
	}
	return c.look(func(ctx context.Context, snap central.Snapshot) error {
		t, err := central.ProposeTerms(ctx, snap, c.Draw)
		if err != nil {
			return err
		}
		if c.JSON {
			return p.printJSON(t)
		}
		printTerms(p.out, t)
		return nil
	})
}

func printTerms(w io.Writer, p *central.Proposal) {
	t := table{align: "ll"}
	after := "no draw before it"
	if p.After != "" {
		after = p.After
	}
	t.add("follows", after)
	t.add("place in the cycle", fmt.Sprint(p.Terms.Position))
	if p.Terms.Jackpot > 0 {
		t.add("jackpot", euros(p.Terms.Jackpot))
	}
	if p.Terms.Carry > 0 {
		t.add("carried over", euros(p.Terms.Carry))
	}
	if p.Terms.Super > 0 {
		t.add("guaranteed", euros(p.Terms.Super))
	}
	if p.Terms.Fund > 0 {
		t.add("fund", euros(p.Terms.Fund))
	}
	if p.Terms.OutsideStakes > 0 {
		t.add("stakes elsewhere", euros(p.Terms.OutsideStakes))
	}
	accounts := []ledger.Account{}
	for a := range p.Funds {
		accounts = append(accounts, a)
	}
	slices.Sort(accounts)
	for _, a := range accounts {
		t.add(string(a), euros(p.Funds[a]))
	}
	if p.Short > 0 {
		t.add("short", euros(p.Short)+": what is guaranteed is more than its fund holds")
	}
	for _, m := range p.Missing {
		t.add("missing", m.String())
	}
	fmt.Fprintln(w, p.Draw)
	t.print(w, "  ")
}

// shown prints a draw as it stands after an act.
func (d *drawsDB) shown(ctx context.Context, p *program, o *central.Operator, draw string) error {
	snap, err := o.Store.Snapshot(ctx)
	if err != nil {
		return err
	}
	defer snap.Close()
	v, err := central.ReadDrawView(ctx, snap, draw)
	if err != nil {
		return err
	}
	if d.JSON {
		return p.printJSON(v)
	}
	printDraw(p.out, v)
	return nil
}
