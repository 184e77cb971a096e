package central_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"tirage/central"
	"tirage/games"
	"tirage/logbook"
	"tirage/rules/combin"
	"tirage/store/storetest"
)

// season is a register with its schedule in virtual time.
type season struct {
	*storetest.World
	schedule  *central.Schedule
	players   []int64
	done      []string // acts, in order
	won       map[string]bool
	unchecked bool // the books are those of a run that was checked
}

// newSeason starts a season of both calendars at an instant of Paris. The numbers of each draw follow from its name.
func newSeason(t testing.TB, store central.Store, start string, change ...func(*central.Schedule)) *season {
	t.Helper()
	s := &season{World: storetest.NewWorld(t, store), won: map[string]bool{}}
	s.Clock.Set(instant(t, start))
	s.schedule = &central.Schedule{
		Operator: s.Operator, Clock: s.Clock, Entropy: &storetest.Entropy{Seed: 11}, Games: []string{"loto", "euromillions"},
		Packs: func(d *central.DrawDate) []central.PackOffer {
			if d.Day < "2018-10-29" || d.Game != "loto" {
				return nil
			}
			return []central.PackOffer{{Type: "ten", Multiples: []string{"6x10*1"}, Shares: 10, MaxPacks: 3}}
		},
		Elsewhere: func(_ context.Context, d *central.DrawDate) (*central.ReportOutside, error) {
			if d.Game != "euromillions" {
				return nil, nil
			}
			return &central.ReportOutside{Stakes: 60_000_000_00}, nil
		},
		Results: s.results,
	}
	for _, f := range change {
		f(s.schedule)
	}
	for i := range 4 {
		s.players = append(s.players, s.Player(fmt.Sprint("player ", i), 10_000))
	}
	return s
}

// results draws the numbers of a draw from its name: nobody reads them in the sales.
func (s *season) results(_ context.Context, d *central.Draw) (*central.Result, *central.Outside, error) {
	book, err := games.InForce(d.Game, d.Day)
	if err != nil {
		return nil, nil, err
	}
	m, shift := book.Matrix, 0
	for _, c := range d.ID {
		shift = (shift*31 + int(c)) % 1_000_003
	}
	r := &central.Result{}
	for i := range m.Main {
		r.Main = append(r.Main, (shift+7*i)%m.MainOf+1)
	}
	for i := range m.Extra {
		r.Extra = append(r.Extra, (shift+5*i)%m.ExtraOf+1)
	}
	return r, nil, nil
}

// step lets the schedule do what is due, approves and publishes what waits for it, and checks the books when a draw is published.
func (s *season) step() *central.StepReport {
	s.Helper()
	report, err := s.schedule.Step(s.Context())
	if err != nil {
		s.Fatal(err)
	}
	for _, a := range report.Done {
		if a.What != "drafted" { // published in this step, too
			s.done = append(s.done, a.Draw+" "+a.What)
		}
	}
	approved := false
	for _, w := range report.Waits {
		switch w.For {
		case central.WaitApproval:
			d := drawRow(s.World, w.Draw)
			s.good(s.Operator.Approve(s.Context(), w.Draw, d.Version, officer))
			approved = true
		case central.WaitNotice:
			_, err := s.Operator.Publish(s.Context(), w.Draw, officer)
			s.good(err)
			s.done = append(s.done, w.Draw+" published")
			if !s.unchecked {
				s.CheckBooks()
			}
			approved = true
		}
	}
	if approved {
		return s.step()
	}
	return report
}

// until lives through the season: at each instant at which something is due the schedule steps, and before it people play.
func (s *season) until(end string) {
	s.Helper()
	last := instant(s, end)
	for {
		report := s.step()
		s.play()
		if report.Next.IsZero() || report.Next.After(last) {
			s.Clock.Set(last)
			s.step()
			return
		}
		s.Clock.Set(report.Next)
	}
}

// play buys something for the next draws: web and retail, simple and multiple, shares.
func (s *season) play() {
	s.Helper()
	now := s.Clock.Now().UnixMicro()
	var next []*central.Draw
	for _, r := range rows(s, s.Store, central.Draws) {
		if d := r.(*central.Draw); d.OpensAt <= now && now < d.ClosesAt {
			next = append(next, d)
		}
	}
	slices.SortFunc(next, func(a, b *central.Draw) int { return int(a.ClosesAt/1e6 - b.ClosesAt/1e6) })
	for i, d := range next[:min(2, len(next))] {
		player := s.players[(len(s.done)+i)%len(s.players)]
		self := central.PlayerPrincipal(player)
		extra := 1
		if d.Game == "euromillions" {
			extra = 2
		}
		// Half of the grids are near what is drawn, so that there are winners at every step.
		lines := []central.Line{quick(5, extra), quick(6, extra), s.near(d)}
		for j, channel := range []central.Channel{central.ChannelWeb, central.ChannelRetail} {
			if _, err := s.Try(self, central.BuyPlay{Player: player, Draw: d.ID, Lines: lines[j:], Channel: channel}); err != nil {
				s.Fatal(err)
			}
		}
		_, err := s.Try(self, central.BuyShares{Player: player, Draw: d.ID, Type: "ten", Shares: 2, Channel: central.ChannelApp})
		if code := central.CodeOf(err); err != nil && code != central.NotFound && code != central.Closed && code != central.SoldOut {
			s.Fatal(err)
		}
	}
}

func (s *season) near(d *central.Draw) central.Line {
	r, _, err := s.results(s.Context(), d)
	s.good(err)
	c, err := combin.Of(r.Main, r.Extra)
	s.good(err)
	if s.won[d.ID] || len(s.done)%3 > 0 { // once in a while somebody has it all
		r.Main[0] = (r.Main[0]+1)%40 + 1
		if other, err := combin.Of(r.Main, r.Extra); err == nil {
			c = other
		}
	}
	s.won[d.ID] = true
	return central.Line{Grid: c}
}

// good ends the test on an error.
func (s *season) good(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// hash is the root over the bodies of all leaves.
func (s *season) hash() string {
	var tree logbook.Tree
	for _, r := range rows(s, s.Store, central.Leaves) {
		l := r.(*central.LeafRow)
		tree.Add(logbook.Hash(l.Salt, l.Body))
	}
	return tree.Root().String()
}

// paperOf reads a paper of a draw.
func paperOf[T any](t testing.TB, snap central.Snapshot, draw, kind string, version int64) *T {
	t.Helper()
	row, err := snap.Get(t.Context(), central.Key{Table: central.Docs, S: draw, U: kind, N: version})
	if err != nil || row == nil {
		t.Fatalf("%s of %s: %v, %v", kind, draw, row, err)
	}
	v, err := central.ReadPaper[T](row.(*central.Doc).Body)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
