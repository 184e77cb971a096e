package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"tirage/central"
	"tirage/identity"
	"tirage/rules/combin"
	"tirage/rules/money"
)

// person is a player of the demo.
type person struct {
	family, email, what string
	deposit             money.Cents
	buys                func(*central.DrawDate) []basket
}

// basket is what somebody buys in one confirmation.
type basket struct {
	lines  []central.Line
	addOns []central.AddOn
	typ    string // of a pack
	shares int64
}

const (
	verified = "has an identity that player care verifies"
	excluded = "has excluded himself for a day"
)

// Stakes and deposits of a week, and what each has deposited at first.
const (
	weekly  money.Cents = 1_000_00
	deposit money.Cents = 500_00
)

// favourite are the grids that the first player always plays.
var favourite = map[string]string{"loto": "5-9-21-36-39+5", "superloto": "5-9-21-36-39+5", "euromillions": "10-16-19-23-43+2-8"}

var people = []person{
	{"Un", "player1@demo.example", "plays the same numbers at every draw", deposit, func(d *central.DrawDate) []basket {
		grid, err := combin.Parse(favourite[d.Game])
		if err != nil {
			return nil
		}
		return []basket{{lines: []central.Line{{Grid: grid}}}, {typ: largest(d), shares: 1}}
	}},
	{"Deux", "player2@demo.example", "buys shares of packs by ten", deposit, func(d *central.DrawDate) []basket {
		return []basket{{typ: largest(d), shares: 10}}
	}},
	{"Trois", "player3@demo.example", "plays multiples and shares", deposit, func(d *central.DrawDate) []basket {
		return []basket{{lines: []central.Line{quick(d, 1)}}, {typ: smallest(d), shares: 5}}
	}},
	{"Quatre", "player4@demo.example", "plays quick picks, with Joker+ at Loto", deposit, func(d *central.DrawDate) []basket {
		b := basket{lines: []central.Line{quick(d, 0), quick(d, 0), quick(d, 0)}}
		if d.Game == "loto" {
			b.addOns = []central.AddOn{{Game: "jokerplus", Stake: 1_00}}
		}
		return []basket{b, {typ: largest(d), shares: 2}}
	}},
	{"Cinq", "player5@demo.example", "has money and has bought nothing yet", 50_00, nil},
	{"Six", "player6@demo.example", verified, 0, nil},
	{"Sept", "player7@demo.example", excluded, 0, nil},
}

func largest(d *central.DrawDate) string {
	packs := Packs(d)
	return packs[len(packs)-1].Type
}

func smallest(d *central.DrawDate) string { return Packs(d)[0].Type }

// quick is a quick pick of a draw with so many numbers more than it draws.
func quick(d *central.DrawDate, more int) central.Line {
	if d.Game == "euromillions" {
		return central.Line{Quick: combin.Format{Main: 5 + more, Extra: 2}}
	}
	return central.Line{Quick: combin.Format{Main: 5 + more, Extra: 1}}
}

// hire opens the accounts of the staff.
func (s *seeder) hire(ctx context.Context) error {
	for _, a := range Staff() {
		if _, err := s.desk.Hire(ctx, central.SystemPrincipal, "hire/"+a.Name, a.Name, string(a.Role), Password); err != nil {
			return err
		}
	}
	return nil
}

// join registers all players, as people do at a desk.
func (s *seeder) join(ctx context.Context) error {
	s.players = make([]int64, len(people))
	return each(len(people), func(i int) error {
		p := &people[i]
		receipt, err := s.desk.SignUp(ctx, p.email, identity.Form{Given: "Démo", Family: p.family, Birth: "1980-02-29", Email: p.email, Password: Password})
		if err != nil {
			return err
		}
		var created central.PlayerCreated
		if err := json.Unmarshal(receipt.Result, &created); err != nil {
			return err
		}
		s.players[i] = created.Player
		if p.what == verified {
			return nil
		}
		return s.welcome(ctx, created.Player, p)
	})
}

// crowd registers the further players.
func (s *seeder) crowd(ctx context.Context) error {
	return each(s.Crowd, func(i int) error {
		p := &person{family: "Foule", email: CrowdName(i), deposit: deposit}
		receipt, err := s.desk.SignUp(ctx, p.email, identity.Form{Given: "Démo", Family: p.family, Birth: "1980-02-29", Email: p.email, Password: Password})
		if err != nil {
			return err
		}
		var created central.PlayerCreated
		if err := json.Unmarshal(receipt.Result, &created); err != nil {
			return err
		}
		return s.welcome(ctx, created.Player, p)
	})
}

// welcome confirms an identity, chooses limits and deposits.
func (s *seeder) welcome(ctx context.Context, player int64, p *person) error {
	self := central.PlayerPrincipal(player)
	if err := s.do(ctx, "staff/care", central.VerifyIdentity{Player: player, Evidence: "made up"}, nil); err != nil {
		return err
	}
	if _, err := s.desk.Confirm(ctx, "staff/operator", "confirm/"+self, player); err != nil {
		return err
	}
	for _, of := range []string{central.LimitStakes, central.LimitDeposits} {
		if err := s.do(ctx, self, central.SetLimit{Player: player, Of: of, Cents: weekly}, nil); err != nil {
			return err
		}
	}
	if p.what == excluded {
		return nil // only when the past is over
	}
	if _, err := s.desk.Login(ctx, p.email, Password); err != nil {
		return err
	}
	var asked central.PaymentState
	if err := s.do(ctx, self, central.RequestDeposit{Player: player, Cents: p.deposit}, &asked); err != nil {
		return err
	}
	_, id, err := central.ParsePaymentName(asked.Payment)
	if err != nil {
		return err
	}
	return s.do(ctx, central.ProviderPrincipal("test"), central.SettlePayment{Player: player, Payment: id, Cents: p.deposit, Reference: "demo-" + asked.Payment, Paid: true}, nil)
}

// sell lets all players buy for a draw.
func (s *seeder) sell(ctx context.Context, d *central.DrawDate) error {
	if Packs(d) == nil {
		return nil
	}
	return each(len(people), func(i int) error {
		if people[i].buys == nil {
			return nil
		}
		if _, err := s.desk.Login(ctx, people[i].email, Password); err != nil {
			return err
		}
		for n, b := range people[i].buys(d) {
			if err := s.buy(ctx, s.players[i], d, b, n); err != nil {
				return fmt.Errorf("%s for %s: %w", people[i].email, d.ID(), err)
			}
		}
		return nil
	})
}

// buy quotes and confirms.
func (s *seeder) buy(ctx context.Context, player int64, d *central.DrawDate, b basket, n int) error {
	var sale central.Sale = central.BuyPlay{Player: player, Draw: d.ID(), Lines: b.lines, AddOns: b.addOns, Channel: central.ChannelWeb}
	if b.shares > 0 {
		sale = central.BuyShares{Player: player, Draw: d.ID(), Type: b.typ, Shares: b.shares, Channel: central.ChannelWeb}
	}
	q, err := s.register.Quote(ctx, sale)
	if err != nil {
		return err
	}
	slip, err := central.ParseQuote(q.Text)
	if err != nil {
		return err
	}
	var bought central.Bought
	_, err = s.once(ctx, central.PlayerPrincipal(player), fmt.Sprintf("buy/%s/%d", d.ID(), n), central.Confirm{Quote: *slip}, &bought)
	if refused := new(central.Refusal); errors.As(err, &refused) && refused.Code == central.Insufficient {
		return nil // played it all
	}
	if err == nil && b.shares > 0 {
		s.mu.Lock()
		s.shares[d.ID()] = held{player, bought.Play}
		s.mu.Unlock()
	}
	return err
}

// each does something for each of n at a time.
func each(n int, f func(i int) error) error {
	errs := make([]error, n)
	var running sync.WaitGroup
	for i := range n {
		running.Go(func() { errs[i] = f(i) })
	}
	running.Wait()
	return errors.Join(errs...)
}
