package check

import (
	"fmt"

	"tirage/archive"
	"tirage/rules/money"
	"tirage/rules/prize"
)

// run is the jackpot cycle of Loto, which Super Loto and Grand Loto de Noël take part in.
type run struct {
	known    bool
	next     prize.Cycle // what the next draw is due to announce
	ordinary *draw       // the last draw of Loto itself
}

// followLoto judges the draws of the three games in the order of their dates.
func followLoto(draws []*draw) {
	var r run
	for _, d := range draws {
		r.step(d)
	}
}

func (r *run) step(d *draw) {
	if d.Game == archive.Loto {
		if r.ordinary != nil && d.rules != nil && missing(d.rules, r.ordinary.Date, d.Date) {
			d.file.event(d.Date, Gap, "draws are missing since %s: the jackpot is not followed across", r.ordinary.Date)
			r.known = false
		}
		r.ordinary = d
	}
	if d.rules == nil {
		d.judge()
		r.known = false
		return
	}
	d.terms = prize.Terms{Cycle: prize.Cycle{Jackpot: r.announced(d)}}
	if r.known {
		d.terms.Position = r.next.Position
	}
	w := d.judge()
	if d.verdict == Explained {
		r.compare(d)
	}
	r.advance(d, w)
}

// announced returns the jackpot announced for d: printed where nobody won it, else what is due if that gives the part printed, else the parts
// added up.
func (r *run) announced(d *draw) money.Cents {
	n, part := d.winners[0], d.gains[0]
	switch {
	case n == 0:
		return part
	case r.known && money.CeilDiv(r.next.Jackpot, n, max(d.rules.Prizes.Jackpot.RoundUp, 1)) == part:
		return r.next.Jackpot
	case part > prize.Bound/money.Cents(n):
		return prize.Bound
	}
	return part * money.Cents(n)
}

// compare sets what is announced beside what is due.
func (r *run) compare(d *draw) {
	got, due := d.terms.Jackpot, r.next.Jackpot
	switch first := d.rules.Prizes.Jackpot.AfterWin; {
	case !r.known || got == due:
	case d.Game != archive.Loto:
		d.file.event(d.Date, TakeOver, "%s announces %s € and takes over the running jackpot of %s €", d.Game, got.String(), due.String())
	case got > due:
		d.file.event(d.Date, TopUp, "jackpot of %s € where %s € was due", got.String(), due.String())
	case got == first:
		d.file.event(d.Date, Reset, "jackpot of %s € where %s € was due: a draw outside these files ended the cycle", got.String(), due.String())
		d.terms.Position = 1
	default:
		d.is(Contradicted, fmt.Sprintf("rank 1: a jackpot of %v where the cycle leads to %v", got, due))
	}
}

// advance asks the engine what the next draw starts from.
func (r *run) advance(d *draw, w funds) {
	terms := d.terms
	if d.rules.Prizes.Model == prize.Pool {
		terms.Fund = max(w.low, 1) // a contradicted draw has none, and the jackpot does not depend on it
	}
	s, err := prize.Settle(*d.rules.Prizes, terms, d.winners)
	r.known, r.next = err == nil, s.Next
}
