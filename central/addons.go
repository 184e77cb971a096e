package central

import (
	"fmt"
	"slices"
	"sync"

	"tirage/fairness"
	"tirage/games"
	"tirage/rules/money"
	"tirage/rules/prize"
	"tirage/rules/rulebook"
)

// AddOn is a game added to a play of grids: Joker+ to a play of Loto, Étoile+ to one of Euro Millions. A game of digits has a number, which the
// system gives or the player chooses (assumed: no source at hand says who chooses), and one of its stakes. A game on the numbers of the play costs
// its price for each simple combination.
type AddOn struct {
	Game   string      `json:"game"`
	Stake  money.Cents `json:"stake,omitempty"`  // of a game of digits
	Number string      `json:"number,omitempty"` // of a game of digits: chosen, such as "5 697 395"; "": the system gives one
}

// soldKinds lists what the sales of a draw are counted by, sorted: the kinds of plays, and every game that may be added to one.
var soldKinds = sync.OnceValue(func() []string {
	kinds := append([]string{KindGroup, KindMultiple, KindPack, KindSimple}, addedEver()...)
	slices.Sort(kinds)
	return kinds
})

// addedEver lists every game that a rulebook adds to plays.
var addedEver = sync.OnceValue(func() (list []string) {
	for _, book := range games.All() {
		list = append(list, book.Sale.AddOns...)
	}
	slices.Sort(list)
	return slices.Compact(list)
})

// AddOnBought is what a play holds of an added game.
type AddOnBought struct {
	Game   string      `json:"game"`
	Cents  money.Cents `json:"cents"`
	Rules  string      `json:"rules"`
	Number string      `json:"number,omitempty"` // printed: "5 697 395"
}

// AddOnRow is a game added to a play, such as Joker+: its stake is not in the play's. Plays without one have no row here.
type AddOnRow struct {
	Draw, Game string // "jokerplus", "etoileplus"
	Play       int64
	Stake      money.Cents
	Number     string // of a game of digits, without spaces; "" for a game on the numbers of the play
	SaleRules  string // rulebook version of the sale: price
	PrizeRules string // rulebook version of the draw's day: ranks and gains
}

func (*AddOnRow) Table() TableID { return AddOnRows }
func (r *AddOnRow) Fields() []any {
	return []any{&r.Draw, &r.Game, &r.Play, (*int64)(&r.Stake), &r.Number, &r.SaleRules, &r.PrizeRules}
}

// addOn plans one game added to a play, or refuses it. Its stake is its own row's: what the winners of the play's own game share is not changed by it.
func (s *saleOf) addOn(p *Plan, play *Play, a AddOn, field string) (*AddOnRow, error) {
	if !slices.Contains(s.book.Sale.AddOns, a.Game) {
		return nil, refuse(Invalid, "add_on.game", field+".game", "game %.20q, accepted with %s: %q; nothing is debited", a.Game, s.book.Header.Title, s.book.Sale.AddOns)
	}
	book, err := games.At(a.Game, p.Now)
	if err != nil {
		return nil, refuse(Closed, "draw.rules", field+".game", "%v", err)
	}
	prizes, err := games.InForce(a.Game, s.draw.Day)
	if err != nil {
		return nil, refuse(Closed, "draw.rules", field+".game", "%v", err)
	}
	row := &AddOnRow{
		Draw: play.Draw, Game: a.Game, Play: play.ID, Stake: a.Stake, SaleRules: book.Header.Version(), PrizeRules: prizes.Header.Version(),
	}
	if book.Digits != nil {
		return row, s.digits(row, book, a, field)
	}
	if a.Number != "" {
		return nil, refuse(Invalid, "add_on.numbers", field+".number", "a number, but %s plays the numbers of the grids; nothing is debited", book.Header.Title)
	}
	row.Stake = money.Mul(book.Sale.Price, play.Combos)
	if a.Stake != 0 && a.Stake != row.Stake {
		return nil, refuse(Invalid, "add_on.price", field+".stake", "a stake of %v, accepted %v: %v for each of the %d simple combinations; nothing is debited", a.Stake, row.Stake, book.Sale.Price, play.Combos)
	}
	return row, nil
}

// digits gives a game of digits its number: as chosen, or from the secret of the draw.
func (s *saleOf) digits(row *AddOnRow, book *rulebook.Rulebook, a AddOn, field string) (err error) {
	if _, ok := digitStake(book, a.Stake); !ok {
		var accepted []money.Cents
		for _, st := range book.Digits.Stakes {
			accepted = append(accepted, st.Stake)
		}
		return refuse(Invalid, "add_on.stake", field+".stake", "a stake of %v, accepted with %s: %v; nothing is debited", a.Stake, book.Header.Title, accepted)
	}
	if a.Number == "" {
		row.Number = fairness.Number(s.secret, row.Draw, row.Play, row.Game, book.Digits.Length)
		return nil
	}
	if row.Number, err = prize.ParseDigits(a.Number, book.Digits.Length); err != nil {
		return refuse(Invalid, "add_on.number", field+".number", "number %.20q, accepted %d digits; nothing is debited", a.Number, book.Digits.Length)
	}
	return nil
}

// digitStake returns the place of a stake in the table of a game of digits.
func digitStake(book *rulebook.Rulebook, stake money.Cents) (int, bool) {
	i := slices.IndexFunc(book.Digits.Stakes, func(s rulebook.DigitStake) bool { return s.Stake == stake })
	return i, i >= 0
}

// add puts the games added to a play on its ticket.
func (t *ticket) add(p *Plan, s *saleOf, addOns []AddOn) error {
	for i, a := range addOns {
		field := fmt.Sprintf("add_ons.%d", i)
		row, err := s.addOn(p, t.play, a, field)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(t.addOns, func(r *AddOnRow) bool { return r.Game == row.Game }) {
			return refuse(Invalid, "add_on.twice", field+".game", "game %s stands twice, accepted once for a play; nothing is debited", row.Game)
		}
		t.addOns = append(t.addOns, row)
		t.bought.Cents = money.Add(t.bought.Cents, row.Stake)
		t.bought.AddOns = append(t.bought.AddOns, AddOnBought{row.Game, row.Stake, row.SaleRules, prize.FormatDigits(row.Number)})
	}
	return nil
}
