package central

import (
	"strings"

	"tirage/games"
)

// Buyer is the organiser, whose own part is quoted: each member agrees to a part of its own ([JoinGroup]).
func (c PlayGroup) Buyer() int64 { return c.Player }

func (c PlayGroup) terms(p *Plan, result any) (*Terms, error) {
	s, err := p.sale(c.Draw)
	if err != nil {
		return nil, err
	}
	g := get[Group](p, groupKey(c.Draw, int64(c.Group)))
	lines, err := g.lines()
	if err != nil {
		return nil, err
	}
	bought := result.(GroupBought)
	group := &GroupTerms{Receipts: g.Receipts, Cents: g.Stake}
	for _, r := range bought.Receipts {
		if r.Yours {
			group.Yours++
		}
	}
	return &Terms{
		Rules: s.book.Header.Version(), Draws: []DrawTerms{s.drawTerms()}, Lines: s.lineTerms(lines), Group: group, Combinations: bought.Combos,
		Codes: s.codeTerms(bought.Combos), Cents: c.Cents,
	}, nil
}

// Buyer is the player who subscribes.
func (c Subscribe) Buyer() int64 { return c.Player }

func (c Subscribe) terms(p *Plan, _ any) (*Terms, error) {
	book, err := p.subscribed(c.Game)
	if err != nil {
		return nil, err
	}
	series, err := seriesOf(book, p.Now, false)
	if err != nil {
		return nil, err
	}
	trial, err := p.trial(book, order{lines: c.Lines, addOns: c.AddOns})
	if err != nil {
		return nil, err
	}
	days, err := weekdays(book, c.Days)
	if err != nil {
		return nil, err
	}
	s := &saleOf{book: book, series: series}
	t := &Terms{
		Rules: book.Header.Version(), Draws: []DrawTerms{}, Lines: s.lineTerms(c.Lines), Combinations: trial.play.Combos, Codes: s.codeTerms(trial.play.Combos),
		Subscription: &SubscriptionTerms{Game: c.Game, Title: book.Header.Title, Days: strings.Fields(days)}, Cents: trial.cents(),
	}
	t.AddOns, err = addOnTerms(c.AddOns, trial.bought.AddOns)
	return t, err
}

// addOnTerms says what is added to a play, as it was asked for and sold.
func addOnTerms(asked []AddOn, bought []AddOnBought) (list []AddOnTerms, err error) {
	for i, a := range bought {
		book, err := games.Version(a.Rules)
		if err != nil {
			return nil, err
		}
		list = append(list, AddOnTerms{Game: a.Game, Title: book.Header.Title, Rules: a.Rules, Number: asked[i].Number, Cents: a.Cents})
	}
	return list, nil
}
