package season_test

import (
	"cmp"
	"slices"

	"tirage/central"
	"tirage/games"
	"tirage/rules/combin"
	"tirage/rules/money"
	"tirage/store/storetest"
)

func sortDraws(list []*central.Draw) {
	slices.SortFunc(list, func(a, b *central.Draw) int {
		return cmp.Or(cmp.Compare(a.ClosesAt, b.ClosesAt), cmp.Compare(a.ID, b.ID))
	})
}

// lines draws what a player plays: quick picks, multiples, the favourite grid.
func (s *season) lines(p *player, d *central.Draw) (list []central.Line) {
	s.Helper()
	book, err := games.InForce(d.Game, d.Day)
	s.good(err)
	m := book.Matrix
	for range 1 + s.dice.IntN(3) {
		switch s.dice.IntN(5) {
		case 0:
			list = append(list, central.Line{Grid: p.favourite(m)})
		case 1:
			list = append(list, central.Line{Quick: combin.Format{Main: m.Main + 1, Extra: m.Extra}})
		default:
			list = append(list, central.Line{Quick: combin.Format{Main: m.Main, Extra: m.Extra}})
		}
	}
	return list
}

// addOns draws whether the game that goes with a draw is added.
func (s *season) addOns(game string) []central.AddOn {
	switch {
	case s.dice.IntN(3) > 0:
		return nil
	case game == "euromillions":
		return []central.AddOn{{Game: "etoileplus"}}
	}
	a := central.AddOn{Game: "jokerplus", Stake: []money.Cents{100, 200}[s.dice.IntN(2)]}
	if s.dice.IntN(3) == 0 {
		a.Number = string(s.digits(7))
	}
	return []central.AddOn{a}
}

func (s *season) buyPlay(p *player) {
	d := s.pick()
	c := central.BuyPlay{
		Player: p.id, Draw: d.ID, Lines: s.lines(p, d), AddOns: s.addOns(d.Game),
		Channel: []central.Channel{central.ChannelWeb, central.ChannelApp, central.ChannelRetail}[s.dice.IntN(3)],
	}
	if s.dice.IntN(6) == 0 {
		for _, more := range s.open(d.Game) {
			if more.ID != d.ID && len(c.Further) < 3 {
				c.Further = append(c.Further, more.ID)
			}
		}
	}
	s.buy(p, c, "bought "+string(c.Channel))
}

func (s *season) buyShares(p *player) {
	d := s.pick()
	var types []*central.PackType
	s.scan(central.Range{From: central.Key{Table: central.PackTypes, S: d.ID}, Prefix: 1}, func(r central.Row) { types = append(types, r.(*central.PackType)) })
	if len(types) == 0 {
		return
	}
	t := types[s.dice.IntN(len(types))]
	shares := []int64{1, 1, 2, 5, 10}[s.dice.IntN(5)]
	s.buy(p, central.BuyShares{Player: p.id, Draw: d.ID, Type: t.Type, Shares: shares, Channel: central.ChannelWeb}, "bought shares")
}

func (s *season) playAgain(p *player) {
	if len(p.plays) == 0 {
		return
	}
	d, of := s.pick(), p.plays[s.dice.IntN(len(p.plays))]
	s.buy(p, central.Replay{Player: p.id, Draw: d.ID, OfDraw: of.draw, OfPlay: of.play, Channel: central.ChannelWeb}, "bought replay")
}

// playGroup: a player proposes a group, others join, one may leave, the play is registered.
func (s *season) playGroup(p *player) {
	d := s.pick()
	r, ok := s.asked(p.self, central.ProposeGroup{Player: p.id, Draw: d.ID, Lines: s.lines(p, d), Receipts: 2 + s.dice.Int64N(9), Channel: central.ChannelWeb})
	if !ok {
		return
	}
	var g central.GroupState
	storetest.Result(s.World, r, &g)
	for range s.dice.IntN(4) {
		other := s.players[s.dice.IntN(len(s.players))]
		s.login(other)
		n := 1 + s.dice.Int64N(2)
		_, joined := s.asked(other.self, central.JoinGroup{
			Player: other.id, Draw: d.ID, Group: g.Group, Invitation: g.Invitation, Receipts: n, Cents: money.Mul(g.Part, n),
		})
		if joined && s.dice.IntN(8) == 0 {
			s.must(other.self, central.LeaveGroup{Player: other.id, Draw: d.ID, Group: g.Group})
		}
	}
	snap, err := s.Store.Snapshot(s.Context())
	s.good(err)
	now, err := central.ReadGroup(s.Context(), snap, d.ID, g.Group, p.id, "")
	snap.Close()
	s.good(err)
	s.buy(p, central.PlayGroup{Player: p.id, Draw: d.ID, Group: g.Group, Cents: now.Cents}, "bought group")
}

// subscribe begins, resumes, pauses or ends a subscription.
func (s *season) subscribe(p *player) {
	snap, err := s.Store.Snapshot(s.Context())
	s.good(err)
	list, err := central.ReadSubscriptions(s.Context(), snap, p.id)
	snap.Close()
	s.good(err)
	for _, sub := range list {
		switch {
		case sub.State == central.SubscriptionSuspended && s.dice.IntN(2) == 0:
			s.asked(p.self, central.ResumeSubscription{Player: p.id, Subscription: sub.Subscription, Cents: sub.Cents})
			return
		case sub.State == central.SubscriptionActive && s.dice.IntN(8) == 0:
			s.asked(p.self, central.PauseSubscription{Player: p.id, Subscription: sub.Subscription})
			return
		case sub.State == central.SubscriptionActive && s.dice.IntN(4) == 0:
			s.asked(p.self, central.EndSubscription{Player: p.id, Subscription: sub.Subscription})
			return
		}
	}
	c := central.Subscribe{Player: p.id, Game: "loto", Lines: []central.Line{{Quick: combin.Format{Main: 5, Extra: 1}}}, Cents: 220, Channel: central.ChannelApp}
	if s.dice.IntN(2) == 0 {
		c.Game, c.Lines, c.Cents = "euromillions", []central.Line{{Quick: combin.Format{Main: 5, Extra: 2}}}, 250
		c.Days = [][]string{nil, {"friday"}}[s.dice.IntN(2)]
	}
	s.buy(p, c, "ordered subscription")
}

// quoted asks for a quote, and reports whether there is one.
func (s *season) quoted(sale central.Sale) (*central.Slip, bool) {
	s.Helper()
	q, err := s.Register.Quote(s.Context(), sale)
	if !s.accepted(sale, err) {
		return nil, false
	}
	slip, err := central.ParseQuote(q.Text)
	s.good(err)
	return slip, true
}

// buy is how people buy: a quote, a deposit if need be, then « Je valide » or « Modifier ». What nothing is said against in the quote is sold.
func (s *season) buy(p *player, sale central.Sale, what string) {
	s.Helper()
	sale, err := s.groups.Ready(s.Context(), sale)
	s.good(err)
	q, err := s.Register.Quote(s.Context(), sale)
	if !s.accepted(sale, err) {
		return
	}
	slip, err := central.ParseQuote(q.Text)
	s.good(err)
	if q.Missing > 0 && s.dice.IntN(3) > 0 {
		s.deposit(p, (q.Missing/money.Euro+5)*money.Euro)
	}
	if s.dice.IntN(20) == 0 {
		s.must(p.self, central.DropQuote{Quote: *slip})
		s.tally["dropped"]++
		return
	}
	if slip.Order.Sale, err = s.groups.Ready(s.Context(), slip.Order.Sale); err != nil {
		s.Fatal(err)
	}
	r, ok := s.asked(p.self, central.Confirm{Quote: *slip})
	switch {
	case ok:
		s.tally[what]++
		s.bought(p, q, r)
	case q.Hindrance == nil && q.Missing == 0:
		s.Fatalf("nothing was said against %+v, but it is not sold", sale)
	}
}

// bought notes the plays and some of the codes of an order.
func (s *season) bought(p *player, q *central.Quote, r central.Receipt) {
	s.Helper()
	if q.Subscription != nil {
		return
	}
	var b central.Bought
	storetest.Result(s.World, r, &b)
	for i, play := range append([]central.Bought{b}, b.Further...) {
		draw := q.Draws[i].Draw
		var id central.ID
		s.good(id.UnmarshalText([]byte(play.Play)))
		p.plays = append(p.plays, past{draw, id})
		for _, run := range play.Codes {
			if key := draw + " " + run.Series; !slices.Contains(s.codes[key], run.First) {
				s.codes[key] = append(s.codes[key], run.First)
			}
		}
	}
}

// What is never sold.
const (
	packByAbo    = "a pack by Abo+"
	packWithMore = "a pack with an added game, at a point of sale or for several draws"
)

// tryForbidden asks for something that the articles refuse.
func (s *season) tryForbidden(p *player) {
	s.Helper()
	d := s.pick()
	shares := central.BuyShares{Player: p.id, Draw: d.ID, Type: "60", Shares: 1, Channel: central.ChannelWeb}
	if d.Game == "euromillions" {
		shares.Type = "63"
	}
	switch s.dice.IntN(6) {
	case 0:
		shares.AddOns = []central.AddOn{{Game: "jokerplus", Stake: 100}}
	case 1:
		shares.Channel = central.ChannelRetail
	case 2:
		shares.Further = []string{s.pick().ID}
	case 3:
		s.buy(p, central.Subscribe{Player: p.id, Game: "loto", Pack: "60", Cents: 220, Channel: central.ChannelWeb}, packByAbo)
		return
	case 4:
		closed := "loto-2018-10-22"
		s.buy(p, central.BuyPlay{Player: p.id, Draw: closed, Lines: []central.Line{{Quick: combin.Format{Main: 5, Extra: 1}}}, Channel: central.ChannelWeb}, "bought web")
		return
	default:
		s.asked(p.self, central.StartRound{Player: p.id, Game: "donuts"})
		return
	}
	s.buy(p, shares, packWithMore)
}
