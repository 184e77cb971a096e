package season_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tirage/central"
	"tirage/games"
	"tirage/logbook"
	"tirage/rules/money"
	"tirage/store/mem"
	"tirage/store/storetest"
)

// season is an operator in virtual time: schedule, followers of the log, staff, and players with what they remember.
type season struct {
	*storetest.World
	checked   bool
	dice      *rand.Rand
	schedule  *central.Schedule
	groups    *central.GroupDesk
	croupier  *central.Croupier
	followers []*central.Follower
	players   []*player
	codes     map[string][]string // issued at a draw, by "draw series": some of them
	paused    map[string]bool     // draws that an officer has stopped once
	tally     tally
	gains     money.Cents
}

// tally counts what happened.
type tally map[string]int

func (y tally) String() string {
	var b strings.Builder
	for _, what := range slices.Sorted(maps.Keys(y)) {
		fmt.Fprintf(&b, "\n%7d %s", y[what], what)
	}
	return b.String()
}

// Members of the staff.
var (
	clerk   = central.StaffPrincipal("clerk")
	officer = central.StaffPrincipal("officer")
	teller  = central.StaffPrincipal("teller")
	care    = central.StaffPrincipal("care")
)

// newSeason opens the house: a register as a server that sells has it, the staff, what is announced by hand, the players.
func newSeason(t *testing.T, checked bool) *season {
	s := &season{
		World: storetest.NewWorld(t, &mem.Store{}, func(c *central.Config) { c.AllowReconstructed, c.QuotesOnly = false, true }), checked: checked,
		dice: rand.New(rand.NewPCG(seed, 0)), codes: map[string][]string{}, paused: map[string]bool{}, tally: tally{},
	}
	s.Clock.Set(paris(t, start))
	list := banList{s, &sync.Mutex{}}
	subscriptions := &central.Subscriptions{Register: s.Register, Store: s.Store, Clock: s.Clock, BanList: list}
	s.groups = &central.GroupDesk{Register: s.Register, Store: s.Store, BanList: list}
	s.croupier = &central.Croupier{Register: s.Register, Store: s.Store, Clock: s.Clock}
	s.followers = []*central.Follower{
		central.NewHistorian(s.Store), central.NewInbox(s.Store), central.NewSales(s.Store), central.NewRaises(s.Register, s.Store, s.Clock), central.NewMail(s.Store, post{s, map[string]bool{}}, s.Clock, 0),
	}
	s.schedule = &central.Schedule{
		Operator: s.Operator, Clock: s.Clock, Entropy: &storetest.Entropy{Seed: seed}, Games: []string{"loto", "euromillions"},
		Packs: packs, Elsewhere: s.elsewhere, BeforeClose: []central.BeforeClose{subscriptions.BeforeClose()},
	}
	for _, m := range [][2]string{{"clerk", "operator"}, {"officer", "officer"}, {"teller", "finance"}, {"care", "care"}} {
		s.must(central.SystemPrincipal, central.AddStaff{Name: m[0], Role: m[1], Password: "$argon2id$test"})
	}
	s.announce()
	for i := range playersMax {
		s.register(i)
	}
	return s
}

// announce enters what no weekday gives: the days are the tests' own but for Christmas and 1 February 2019.
func (s *season) announce() {
	for _, c := range []central.PlanDraw{
		{Game: "superloto", Day: "2018-11-16", Jackpot: 13_000_000 * money.Euro},
		{Game: "euromillions", Day: "2018-11-23", Exceptional: true},
		{Game: "grandloto", Day: "2018-12-25", Jackpot: 15_000_000 * money.Euro},
		{Game: "superloto", Day: "2019-01-18", Jackpot: 13_000_000 * money.Euro},
		{Game: "euromillions", Day: "2019-02-01", Super: 120_000_000 * money.Euro, Exceptional: true},
		{Game: "superloto", Day: "2019-03-15", Jackpot: 13_000_000 * money.Euro},
	} {
		s.must(clerk, c)
	}
}

// packs are what is on sale with a draw from 29 October 2018 on.
func packs(d *central.DrawDate) []central.PackOffer {
	if d.Day < "2018-10-29" {
		return nil
	}
	if d.Game == "euromillions" {
		return []central.PackOffer{
			{Type: "63", Multiples: []string{"7x3*1"}, Shares: 30, MaxPacks: 5},
			{Type: "stars", Multiples: []string{"5x5*1"}, Shares: 5, MaxPacks: 5},
		}
	}
	return []central.PackOffer{
		{Type: "60", Multiples: []string{"6x10*1"}, Shares: 10, MaxPacks: 5},
		{Type: "100", Multiples: []string{"6x10*1"}, Simples: 40, Shares: 20, MaxPacks: 1},
		{Type: "six", Simples: 6, Shares: 3, MaxPacks: 20},
	}
}

// elsewhere reports what the other countries have staked; one draw in three is left to the clerk.
func (s *season) elsewhere(_ context.Context, d *central.DrawDate) (*central.ReportOutside, error) {
	if d.Game != "euromillions" || s.dice.IntN(3) == 0 {
		return nil, nil
	}
	return s.report(d), nil
}

func (s *season) report(d *central.DrawDate) *central.ReportOutside {
	return &central.ReportOutside{Draw: d.ID(), Stakes: money.Cents(50_000_000+s.dice.Int64N(40_000_000)) * money.Euro}
}

// until lives on for so many weeks: what is due is done, and between people do what they like.
func (s *season) until(weeks int) {
	s.Helper()
	day := s.Clock.Now()
	for range 7 * weeks {
		next := tomorrow(day)
		visits := s.visits(day, next)
		for {
			report := s.step()
			at := next
			if !report.Next.IsZero() && report.Next.Before(at) {
				at = report.Next
			}
			for len(visits) > 0 && !visits[0].at.After(at) {
				s.wait(visits[0].at)
				s.visit(visits[0].player)
				visits = visits[1:]
			}
			s.wait(at)
			if !at.Before(next) {
				break
			}
		}
		s.night()
		day = next
	}
	s.step()
	s.follow()
	s.scan(central.Range{From: central.Key{Table: central.Messages}}, func(r central.Row) { s.tally["message "+r.(*central.Message).Kind]++ })
	s.tally["gains in euros"] = int(s.gains / money.Euro)
}

// wait lets time pass: a player may have stayed for longer than until then.
func (s *season) wait(until time.Time) {
	if until.After(s.Clock.Now()) {
		s.Clock.Set(until)
	}
}

// visit is when a player comes.
type visit struct {
	at     time.Time
	player *player
}

// visits draws who comes between two instants, in the order of time.
func (s *season) visits(from, to time.Time) (list []visit) {
	for _, p := range s.players {
		if s.dice.IntN(100) < p.often {
			list = append(list, visit{from.Add(time.Duration(s.dice.Int64N(int64(to.Sub(from))))).Truncate(time.Second), p})
		}
	}
	slices.SortStableFunc(list, func(a, b visit) int { return a.at.Compare(b.at) })
	return list
}

// night is what the house does once a day.
func (s *season) night() {
	s.Helper()
	s.follow()
	if _, err := s.croupier.Sweep(s.Context()); err != nil {
		s.Fatal(err)
	}
	s.payClaims()
}

// follow lets the followers of the log catch up.
func (s *season) follow() {
	s.Helper()
	for _, f := range s.followers {
		if err := f.CatchUp(s.Context()); err != nil {
			s.Fatal(err)
		}
	}
}

// step lets the schedule do what is due and the staff what waits for it, until nothing more is done.
func (s *season) step() *central.StepReport {
	s.Helper()
	for {
		report, err := s.schedule.Step(s.Context())
		if err != nil {
			s.Fatal(err)
		}
		for _, a := range report.Done {
			s.tally["draw "+a.What]++
		}
		acted := false
		for _, w := range report.Waits {
			acted = s.staff(w) || acted
		}
		if !acted {
			return report
		}
	}
}

// published counts what a draw has given, and checks the books.
func (s *season) published(draw string) {
	s.Helper()
	n := paperOf[central.Count](s, draw, central.DocCount, 1)
	s.gains = money.Add(s.gains, n.Due)
	s.tally["gain"] += int(n.Credits)
	if s.checked {
		s.CheckBooks()
	}
}

// must does a command that must be accepted. A panic in the middle of a season names the command.
func (s *season) must(principal string, c central.Command) central.Receipt {
	s.Helper()
	r, err := s.Try(principal, c)
	if err != nil {
		s.Fatalf("%v: %s %+v: %v", s.Clock.Now(), c.Kind(), c, err)
	}
	s.tally["command "+c.Kind()]++
	return r
}

// asked does what may be refused, and reports whether it was accepted.
func (s *season) asked(principal string, c central.Command) (central.Receipt, bool) {
	s.Helper()
	r, err := s.Try(principal, c)
	if err == nil {
		s.tally["command "+c.Kind()]++
	}
	return r, s.accepted(c, err)
}

// accepted counts a refusal. One that a season cannot bring about, or another error, ends the test.
func (s *season) accepted(c central.Command, err error) bool {
	s.Helper()
	var refused *central.Refusal
	switch {
	case err == nil:
		return true
	case !errors.As(err, &refused) || refused.Code == central.Internal || refused.Code == central.Unavailable:
		s.Fatalf("%v: %s %+v: %v", s.Clock.Now(), c.Kind(), c, err)
	}
	s.tally["refused "+refused.Reason]++
	return false
}

func (s *season) draw(id string) *central.Draw {
	s.Helper()
	return storetest.Get[central.Draw](s.World, central.Key{Table: central.Draws, S: id})
}

// rows reads a table.
func (s *season) rows(table central.TableID) (list []central.Row) {
	s.Helper()
	s.scan(central.Range{From: central.Key{Table: table}}, func(r central.Row) { list = append(list, r) })
	return list
}

func (s *season) scan(r central.Range, yield func(central.Row)) {
	s.Helper()
	snap, err := s.Store.Snapshot(s.Context())
	if err != nil {
		s.Fatal(err)
	}
	defer snap.Close()
	if err := snap.Scan(s.Context(), r, func(row central.Row) error { yield(row); return nil }); err != nil {
		s.Fatal(err)
	}
}

// outcome is what the season has left.
func (s *season) outcome() outcome {
	var tree logbook.Tree
	s.scan(central.Range{From: central.Key{Table: central.Leaves}}, func(r central.Row) {
		l := r.(*central.LeafRow)
		tree.Add(logbook.Hash(l.Salt, l.Body))
	})
	return outcome{tree.Size, tree.Root().String(), s.tally.String()}
}

// paperOf reads a paper of a draw.
func paperOf[T any](s *season, draw, kind string, version int64) *T {
	s.Helper()
	doc := storetest.Get[central.Doc](s.World, central.Key{Table: central.Docs, S: draw, U: kind, N: version})
	v, err := central.ReadPaper[T](doc.Body)
	if err != nil {
		s.Fatal(err)
	}
	return v
}

// banList names one player in fifty.
type banList struct {
	s  *season
	mu *sync.Mutex // the signer of a world is not for two
}

func (l banList) Ask(_ context.Context, p *central.Person) (string, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.s.Clear(p.Player, strings.HasSuffix(p.Family, "banned")), nil
}

// post is a mail port that takes each letter once.
type post struct {
	s    *season
	sent map[string]bool
}

func (p post) Deliver(_ context.Context, letters []central.Letter) error {
	for _, l := range letters {
		if p.sent[l.ID] {
			return fmt.Errorf("letter %s twice", l.ID)
		}
		p.sent[l.ID] = true
		p.s.tally["letter"]++
	}
	return nil
}

// paris reads a time of the clock on the wall.
func paris(t testing.TB, text string) time.Time {
	t.Helper()
	at, err := time.ParseInLocation(time.DateTime, text, games.Paris)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

// tomorrow is the next midnight in Paris: a day has 23 to 25 hours.
func tomorrow(t time.Time) time.Time {
	y, m, d := t.In(games.Paris).Date()
	return time.Date(y, m, d+1, 0, 0, 0, 0, games.Paris)
}
