package season_test

import (
	"slices"
	"strings"
	"time"

	"tirage/central"
	"tirage/games"
	"tirage/rules/prize"
	"tirage/rules/rulebook"
	"tirage/store/storetest"
)

// Draws at which something goes wrong.
const (
	postponed = "loto-2018-11-07" // no electricity: drawn the next morning
	held      = "loto-2018-11-14" // a ball is cracked
)

// staff does what a draw waits for, and reports whether it did anything.
func (s *season) staff(w central.Wait) bool {
	s.Helper()
	d := s.draw(w.Draw)
	switch w.For {
	case central.WaitTerms:
		date := storetest.Get[central.DrawDate](s.World, central.Key{Table: central.Calendar, S: d.Game, U: d.Day})
		if d.Game != "euromillions" || date.Reported == 1 {
			return false // the draw before is not approved
		}
		s.must(clerk, *s.report(date))
	case central.WaitResult:
		if !s.paused[d.ID] && (d.ID == postponed || d.ID == held) {
			s.paused[d.ID] = true
			s.pause(d)
			return true
		}
		r, o := s.drawn(d)
		if d.ID == postponed {
			r.Late = "no electricity on the evening"
		}
		s.good(s.Operator.As(clerk).Record(s.Context(), d.ID, r, o))
	case central.WaitApproval:
		s.good(s.Operator.Approve(s.Context(), d.ID, d.Version, officer))
	case central.WaitRelease:
		s.must(officer, central.ResumeDraw{Draw: d.ID, Why: "looked at"})
	case central.WaitNotice:
		_, err := s.Operator.Publish(s.Context(), d.ID, officer)
		s.good(err)
		s.tally["draw published"]++
		s.published(d.ID)
	default:
		s.Fatalf("draw %s waits for %q", d.ID, w.For)
	}
	return true
}

// pause stops a draw before it is drawn.
func (s *season) pause(d *central.Draw) {
	s.Helper()
	if d.ID == held {
		s.must(officer, central.HoldDraw{Draw: d.ID, Why: "a ball is cracked"})
		s.tally["draw held"]++
		return
	}
	until := tomorrow(s.Clock.Now()).Add(10 * time.Hour)
	s.must(officer, central.PostponeDraw{Draw: d.ID, Until: until, Why: "no electricity"})
	s.tally["draw postponed"]++
}

// good ends the test on an error.
func (s *season) good(err error) {
	s.Helper()
	if err != nil {
		s.Fatalf("%v: %v", s.Clock.Now(), err)
	}
}

// drawn draws a result: numbers, one time in three near to what somebody always plays, codes among those issued, and the winners of the other countries.
func (s *season) drawn(d *central.Draw) (r central.Result, o central.Outside) {
	s.Helper()
	book, err := games.InForce(d.Game, d.Day)
	s.good(err)
	m := book.Matrix
	r.Main, r.Extra = s.some(m.MainOf, m.Main), s.some(m.ExtraOf, m.Extra)
	if s.dice.IntN(3) == 0 {
		favourite := s.players[s.dice.IntN(len(s.players))].favourite(m)
		r.Main, r.Extra = favourite.Main(), favourite.Extra()
		if keep := s.dice.IntN(m.Main + 1); keep > 0 {
			r.Main = append(r.Main[:keep:keep], s.others(m.MainOf, m.Main-keep, r.Main[:keep])...)
		}
	}
	r.Codes = map[string][]string{}
	for _, p := range codePrizes(d, book) {
		issued := s.codes[d.ID+" "+p.Series]
		for range min(p.Winners, int64(len(issued))) {
			if code := issued[s.dice.IntN(len(issued))]; !slices.Contains(r.Codes[p.Series], code) {
				r.Codes[p.Series] = append(r.Codes[p.Series], code)
			}
		}
	}
	if strings.HasSuffix(d.Game, "loto") {
		r.Joker = string(s.digits(7))
		return r, o
	}
	for _, rank := range book.Prizes.Ranks {
		o.Winners = append(o.Winners, s.dice.Int64N(2*rank.Ways*30_000_000/m.Total()+2))
	}
	o.AddOns = map[string]prize.Winners{"etoileplus": make(prize.Winners, 10)}
	return r, o
}

// codePrizes lists what codes win at a draw: at Euro Millions those of the game sold with it, and of its own series at an exceptional draw.
func codePrizes(d *central.Draw, book *rulebook.Rulebook) (list []rulebook.CodePrize) {
	books := []*rulebook.Rulebook{book}
	if mymillion, err := games.InForce("mymillion", d.Day); err == nil && d.Game == "euromillions" {
		books = append(books, mymillion)
	}
	for _, b := range books {
		for _, p := range b.CodePrizes {
			if p.Series != "euromillions" || d.Exceptional == 1 {
				list = append(list, p)
			}
		}
	}
	return list
}

// some draws k of the numbers 1 to n.
func (s *season) some(n, k int) []int { return s.others(n, k, nil) }

// others draws k of the numbers 1 to n that are not taken.
func (s *season) others(n, k int, taken []int) (list []int) {
	for len(list) < k {
		if x := s.dice.IntN(n) + 1; !slices.Contains(taken, x) && !slices.Contains(list, x) {
			list = append(list, x)
		}
	}
	return list
}

func (s *season) digits(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = '0' + byte(s.dice.IntN(10))
	}
	return b
}

// payClaims pays the gains of a few of those who show a receipt.
func (s *season) payClaims() {
	s.Helper()
	var open []*central.Claim
	s.scan(central.Range{From: central.Key{Table: central.Claims}}, func(r central.Row) {
		if c := r.(*central.Claim); c.Player == 0 {
			open = append(open, c)
		}
	})
	for _, c := range open {
		if s.dice.IntN(20) > 0 {
			continue
		}
		if _, ok := s.asked(teller, central.PayClaim{Draw: c.Draw, Component: c.Component, Play: central.PlayID(c.Play)}); ok {
			s.tally["claim paid"]++
		}
	}
}
