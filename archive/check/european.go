package check

import (
	"fmt"

	"tirage/rules/money"
	"tirage/rules/prize"
)

// pot is what is known of the jackpot cycle of Euro Millions before a draw.
type pot struct {
	known     bool
	why       string      // why it is not
	since     string      // day from which every fund is known
	low, high prize.Cycle // the carry lies between
	cap       money.Cents // in force; 0: that of the table
	capKnown  bool
	last      *draw
}

// followEuro judges the draws of Euro Millions in the order of their dates.
func followEuro(draws []*draw) {
	p := pot{why: "the draws before are not in these files"}
	for _, d := range draws {
		p.step(d)
		p.last = d
	}
}

func (p *pot) step(d *draw) {
	if d.rules == nil || !d.Counted() {
		d.judge()
		p.lose("the fund of " + d.Date + " is not known")
		return
	}
	p.arrive(d)
	d.terms.Super = superJackpots[d.Date]
	if p.known {
		d.terms.Cycle = p.high
	}
	w := d.judge()
	if d.verdict == Contradicted && !p.known {
		d.overflow(p.why)
	}
	switch {
	case d.verdict != Explained:
		p.lose(d.Date + " is " + string(d.verdict))
		p.unfollowed(d)
	case p.known:
		p.settle(d, w)
	default:
		p.unfollowed(d)
	}
	p.position(d)
}

// lose gives the cycle up.
func (p *pot) lose(why string) { p.known, p.why = false, why }

// arrive brings the cycle to the day of d: a gap or the end of the list of super jackpots loses it, a super jackpot makes it known again, for
// the guaranteed amount takes the place of the pot.
func (p *pot) arrive(d *draw) {
	j := d.rules.Prizes.Jackpot
	gap := p.last != nil && missing(d.rules, p.last.Date, d.Date)
	if gap {
		d.file.event(d.Date, Gap, "draws are missing since %s: the jackpot is not followed across", p.last.Date)
		p.lose("draws are missing since " + p.last.Date)
	}
	p.arriveCap(d, gap)
	super := superJackpots[d.Date]
	switch {
	case d.Date > superListed:
		p.lose("super jackpots after " + superListed + " are not listed")
	case super > 0 && !p.known:
		p.start(d.Date, prize.Cycle{Position: max(j.LateFrom, 1)})
	case p.known && !p.capKnown && p.high.Carry >= j.Cap/2: // no fund is half a cap: below, no cap is in reach of this draw
		p.lose("the cap in force is not known")
	}
	if super > 0 {
		d.file.event(d.Date, Super, "%s € guaranteed", super.String())
	}
	p.low.Cap, p.high.Cap = p.cap, p.cap
}

// arriveCap sets the cap in force. It is that of the table when the table is new, and may have been raised unseen when draws under the table are not
// in the files.
func (p *pot) arriveCap(d *draw, gap bool) {
	j := d.rules.Prizes.Jackpot
	fresh := p.last == nil || p.last.rules == nil || p.last.rules.Prizes.Jackpot.Cap != j.Cap
	if fresh {
		p.cap, p.capKnown = j.Cap, true
	}
	if j.CapStep > 0 && (gap || fresh) {
		p.capKnown = d.Date == d.rules.Header.Effective || !missing(d.rules, d.rules.Header.Effective, d.Date)
	}
}

// start begins with a cycle that is known.
func (p *pot) start(since string, c prize.Cycle) {
	p.known, p.since, p.low, p.high = true, since, c, c
}

// overflow turns the contradiction of a draw whose carry is not known into an untestable one, when all of it is more money at the first lower rank with a
// winner than its share, no more than the overflow of a draw at the cap.
func (d *draw) overflow(why string) {
	t := *d.rules.Prizes
	capped := prize.Terms{Cycle: prize.Cycle{Position: max(t.Jackpot.LateFrom, 2), Carry: t.Jackpot.Cap}}
	w, err := explain(t, capped, d.winners, d.gains) // all ranks but that one
	if err != nil {
		return
	}
	capped.Fund = w.high
	most, err := prize.Settle(t, capped, d.winners)
	if err != nil {
		return
	}
	capped.Carry, capped.Fund = 0, w.low
	least, err := prize.Settle(t, capped, d.winners)
	if err != nil {
		return
	}
	for k := 1; k < len(d.gains); k++ {
		if d.winners[k] == 0 {
			continue
		}
		if over := money.Mul(d.gains[k]-least.Unit[k], d.winners[k]); over >= overflowLeast && d.gains[k] <= most.Unit[k] {
			d.is(Untestable, fmt.Sprintf("rank %d pays %v more than its share: an overflow of the cap, which can't be tested since the carry is unknown (%s)", k+1, over, why))
		}
		return
	}
}

// overflowLeast tells an overflow from a misprint where the carry is unknown. The smallest overflow in the sources is 3.8 M€.
const overflowLeast = million

// settle has the engine pay the draw at both ends of what is known, and compares.
func (p *pot) settle(d *draw, w funds) {
	t := *d.rules.Prizes
	low, err := prize.Settle(t, prize.Terms{Cycle: p.low, Super: d.terms.Super, Fund: w.low}, d.winners)
	if err != nil {
		d.is(Untestable, err.Error())
		p.lose("the terms of " + d.Date + " are not known")
		return
	}
	high, err := prize.Settle(t, prize.Terms{Cycle: p.high, Super: d.terms.Super, Fund: w.high}, d.winners)
	if err != nil {
		d.is(Untestable, err.Error())
		p.lose("the terms of " + d.Date + " are not known")
		return
	}
	for k, g := range d.gains {
		if d.winners[k] > 0 && (g < low.Unit[k] || g > high.Unit[k]) {
			d.is(Contradicted, fmt.Sprintf("rank %d: %d winners of %v: the funds since %s give %v to %v", k+1, d.winners[k], g, p.since, low.Unit[k], high.Unit[k]))
			break
		}
	}
	if d.winners[0] > 0 {
		d.file.Jackpots = append(d.file.Jackpots, Jackpot{d.Date, d.winners[0], d.gains[0], low.Unit[0], high.Unit[0], ""})
		p.since = d.Date
	}
	d.tell(low.Events, high.Events)
	p.low, p.high, p.cap = low.Next, high.Next, high.Next.Cap
}

// tell turns what happened to the money into events of the file. Amounts are between those of the two ends.
func (d *draw) tell(low, high []prize.Event) {
	for _, e := range high {
		least := e.Cents
		for _, l := range low {
			if l.Kind == e.Kind {
				least = l.Cents
			}
		}
		between := e.Cents.String() + " €"
		if least != e.Cents {
			between = least.String() + " € to " + between
		}
		switch e.Kind {
		case prize.EventTopUp:
			d.file.event(d.Date, Start, "first draw of a cycle, raised to %s", between)
		case prize.EventCapReached:
			d.file.event(d.Date, Capped, "rank 1 at its cap of %s", between)
		case prize.EventOverflow:
			d.file.event(d.Date, Capped, "%s above the cap fall to rank %d", between, e.To)
		case prize.EventRollDown:
			d.file.event(d.Date, Capped, "the whole pot of %s falls to rank %d", between, e.To)
		case prize.EventCapRaised:
			d.file.event(d.Date, Capped, "a capped jackpot is won: the cap rises to %s", between)
		}
	}
}

// unfollowed notes a jackpot that nothing predicts, after which the cycle is known again.
func (p *pot) unfollowed(d *draw) {
	if d.winners[0] > 0 {
		d.file.Jackpots = append(d.file.Jackpots, Jackpot{Date: d.Date, Winners: d.winners[0], Printed: d.gains[0], Why: p.why})
	}
	p.afterWin(d)
}

// afterWin starts a cycle when rank 1 of d was won.
func (p *pot) afterWin(d *draw) {
	if d.winners[0] == 0 {
		return
	}
	j := d.rules.Prizes.Jackpot
	top := p.cap
	if top == 0 {
		top = j.Cap
	}
	if d.gains[0] >= top/money.Cents(d.winners[0]) {
		p.cap = min(top+j.CapStep, j.CapMax)
	}
	p.start(d.Date, prize.Cycle{Position: 1, Cap: p.cap})
}

// trueFrom is the day from which the printed position in the cycle is that of its draw. Before, it is that of the next one.
const trueFrom = "2019-03-01"

// position compares the printed position with the count, after the draw was settled.
func (p *pot) position(d *draw) {
	printed := d.Cycle.Position
	if !p.known || printed == 0 || d.winners[0] > 0 && d.Date >= trueFrom {
		return
	}
	want := p.high.Position // of the next draw
	if d.Date >= trueFrom {
		want--
	}
	if printed != want && !p.high.AfterSuper {
		d.file.event(d.Date, Oddity, "position %d in the cycle is printed, %d is counted", printed, want)
	}
}
