package season_test

import (
	"fmt"
	"strings"
	"time"

	"tirage/central"
	"tirage/rules/combin"
	"tirage/rules/money"
	"tirage/store/storetest"
)

const playersMax = 200

// player is a person with an account and habits.
type player struct {
	id    int64
	self  string // principal
	often int    // percentage of the days on which the player comes
	lucky int    // decides the favourite numbers
	plays []past
}

// past is a play that its player remembers.
type past struct {
	draw string
	play central.ID
}

// favourite is the grid that a player always comes back to.
func (p *player) favourite(m combin.Matrix) combin.Combination {
	var main, extra []int
	for i := range m.Main {
		main = append(main, (p.lucky+9*i)%m.MainOf+1)
	}
	for i := range m.Extra {
		extra = append(extra, (p.lucky+5*i)%m.ExtraOf+1)
	}
	c, err := combin.Of(main, extra)
	if err != nil {
		panic(err)
	}
	return c
}

// register opens an account, as far as the person comes: one in forty never shows papers, one in fifty is on the ban list.
func (s *season) register(i int) {
	s.Helper()
	p := &player{often: 5 + s.dice.IntN(20), lucky: s.dice.IntN(40)}
	family := fmt.Sprintf("%c%c", 'a'+i/26, 'a'+i%26)
	if i%50 == 49 {
		family += " banned"
	}
	var created central.PlayerCreated
	storetest.Result(s.World, s.must("visitor", central.RegisterPlayer{
		Given: "Player", Family: family, Birth: fmt.Sprintf("%d-02-28", 1940+i%60), Email: fmt.Sprintf("p%03d@example.org", i), Password: "$argon2id$test",
	}), &created)
	p.id, p.self = created.Player, central.PlayerPrincipal(created.Player)
	s.players = append(s.players, p)
	if i%40 == 39 {
		return
	}
	s.must(care, central.VerifyIdentity{Player: p.id, Evidence: "identity card"})
	s.asked(clerk, central.ConfirmIdentity{Player: p.id, Clearance: s.clear(p)})
	for _, of := range []string{central.LimitStakes, central.LimitDeposits} {
		s.must(p.self, central.SetLimit{Player: p.id, Of: of, Cents: s.limit()})
	}
	s.login(p)
	s.deposit(p, s.limit())
}

func (s *season) limit() money.Cents {
	return []money.Cents{20, 50, 100, 200, 500}[s.dice.IntN(5)] * money.Euro
}

// clear is the answer of the ban list about a player.
func (s *season) clear(p *player) string {
	s.Helper()
	return s.Clear(p.id, p.id == 0)
}

func (s *season) login(p *player) bool {
	s.Helper()
	_, ok := s.asked(central.SystemPrincipal, s.Session(p.id, true))
	return ok
}

// deposit asks for money, which the provider lets come, all but one time in twenty.
func (s *season) deposit(p *player, cents money.Cents) {
	s.Helper()
	r, ok := s.asked(p.self, central.RequestDeposit{Player: p.id, Cents: cents})
	if ok {
		s.settle(r, s.dice.IntN(20) > 0)
	}
}

// settle is the provider's word on a payment.
func (s *season) settle(r central.Receipt, paid bool) {
	s.Helper()
	var asked central.PaymentState
	storetest.Result(s.World, r, &asked)
	s.must(central.ProviderPrincipal("test"), storetest.Settled(s.World, asked, paid))
}

// act is something that a player may do, so many times in a hundred.
type act struct {
	weight int
	do     func(*season, *player)
}

var acts = []act{
	{30, (*season).buyPlay}, {16, (*season).buyShares}, {8, (*season).playGroup}, {6, (*season).playAgain}, {6, (*season).subscribe},
	{11, (*season).payIn}, {6, (*season).payOut}, {4, (*season).changeLimit}, {1, (*season).exclude}, {4, (*season).stayLong}, {5, (*season).tryForbidden}, {3, (*season).read},
}

// visit lets a player log in and do a few things.
func (s *season) visit(p *player) {
	s.Helper()
	s.login(p)
	for range 1 + s.dice.IntN(3) {
		at := s.dice.IntN(100)
		for _, a := range acts {
			if at -= a.weight; at < 0 {
				a.do(s, p)
				break
			}
		}
	}
}

// open lists the draws on sale, those that close first at the head, of a game or of all.
func (s *season) open(game string) (list []*central.Draw) {
	s.Helper()
	now := s.Clock.Now().UnixMicro()
	for _, r := range s.rows(central.Draws) {
		if d := r.(*central.Draw); d.OpensAt <= now && now < d.ClosesAt && (game == "" || d.Game == game) {
			list = append(list, d)
		}
	}
	sortDraws(list)
	return list
}

// pick is a draw on sale, mostly one of the next.
func (s *season) pick() *central.Draw {
	s.Helper()
	list := s.open("")
	return list[min(s.dice.IntN(len(list)), s.dice.IntN(len(list)), s.dice.IntN(len(list)))]
}

// deposits and withdrawals

func (s *season) payIn(p *player) { s.deposit(p, s.limit()) }

func (s *season) payOut(p *player) {
	if cents := s.Balance(p.id) / money.Cents(1+s.dice.IntN(3)); cents > 0 {
		if r, ok := s.asked(p.self, central.RequestWithdrawal{Player: p.id, Cents: cents}); ok {
			s.settle(r, s.dice.IntN(10) > 0)
		}
	}
}

// protections

func (s *season) changeLimit(p *player) {
	of := []string{central.LimitStakes, central.LimitDeposits}[s.dice.IntN(2)]
	s.asked(p.self, central.SetLimit{Player: p.id, Of: of, Cents: s.limit()})
	if s.dice.IntN(6) == 0 {
		s.asked(p.self, central.CancelRaise{Player: p.id, Of: of})
	}
}

func (s *season) exclude(p *player) {
	c := central.ExcludePlayer{Player: p.id, Hours: 24 * (1 + s.dice.Int64N(7))}
	if s.dice.IntN(5) == 0 {
		c.Hours, c.Months = 0, 1
	}
	s.asked(p.self, c)
}

// stayLong: a quote that is confirmed too late, a reality check that opens meanwhile.
func (s *season) stayLong(p *player) {
	d := s.pick()
	sale := central.BuyPlay{Player: p.id, Draw: d.ID, Lines: s.lines(p, d), Channel: central.ChannelApp}
	slip, ok := s.quoted(sale)
	if !ok {
		return
	}
	s.asked(p.self, central.SetCheck{Player: p.id, Minutes: 1 + s.dice.Int64N(60)})
	s.wait(s.Clock.Now().Add(time.Duration(5+s.dice.IntN(20)) * time.Minute))
	s.asked(p.self, central.Confirm{Quote: *slip})
	if s.dice.IntN(3) > 0 {
		s.asked(p.self, central.AckCheck{Player: p.id, Clearance: s.clear(p)})
	}
}

// read reads the inbox and marks a page of it as read.
func (s *season) read(p *player) {
	snap, err := s.Store.Snapshot(s.Context())
	s.good(err)
	defer snap.Close()
	page, err := central.ReadInbox(s.Context(), snap, central.InboxQuery{Player: p.id, Limit: 20})
	s.good(err)
	c := central.ReadMessages{Player: p.id}
	for _, m := range page.Messages {
		if text := m.Facts; strings.Contains(text, "%!") {
			s.Errorf("message %v: %s", m.ID, text)
		}
		c.Messages = append(c.Messages, m.ID)
	}
	if len(c.Messages) > 0 {
		s.must(p.self, c)
	}
}
