package central

import (
	"slices"

	"tirage/games"
	"tirage/rules/rulebook"
)

// Replay (« rejouer ») buys the numbers of an earlier play again, for another draw, at the price and under the version of today. What a quick pick drew then is
// played as chosen numbers; games that were added then are added only when they are asked for again (assumed). The result is a [Bought].
type Replay struct {
	Player  int64   `json:"player,string"`
	Draw    string  `json:"draw"`    // to play at
	OfDraw  string  `json:"of_draw"` // of the earlier play
	OfPlay  ID      `json:"of_play"`
	AddOns  []AddOn `json:"add_ons,omitempty"`
	Channel Channel `json:"channel,omitempty"`
}

// replayArticle is the article by which no pack and no group play is played again: « Il n'est pas possible de rejouer une prise de jeu incluant le service
// “Packs MultiChances” ou la formule “Jeu en groupe” ».
const replayArticle = "loto@2018-10-29:14.5"

func (Replay) Kind() string { return "replay" }

func (c Replay) Keys() []Key   { return []Key{playerKey(c.Player), playKey(c.OfDraw, int64(c.OfPlay))} }
func (c Replay) Shared() []Key { return []Key{cappedKey, drawKey(c.Draw)} }

func (c Replay) Plan(p *Plan) (any, error) {
	lines, err := c.numbers(p)
	if err != nil {
		return nil, err
	}
	t, err := p.ticket(order{player: c.Player, draw: c.Draw, lines: lines, channel: c.Channel, addOns: c.AddOns})
	if err == nil {
		err = p.sell(t)
	}
	if err != nil {
		return nil, err
	}
	return t.bought, nil
}

// numbers returns the grids of the earlier play as chosen numbers.
func (c Replay) numbers(p *Plan) ([]Line, error) {
	if err := p.own(c.Player); err != nil {
		return nil, err
	}
	play := get[Play](p, playKey(c.OfDraw, int64(c.OfPlay)))
	if play == nil || !p.holds(c.Player, play) {
		return nil, refuse(NotFound, "replay.unknown", "of_play", "you have no play %v for draw %.40q", c.OfPlay, c.OfDraw)
	}
	book, err := games.Version(play.SaleRules)
	if err != nil {
		return nil, err
	}
	if err := replayable(play, book); err != nil {
		return nil, err
	}
	sale, err := p.sale(c.Draw)
	if err != nil {
		return nil, err
	}
	if sale.book.Header.Regulation != book.Header.Regulation {
		return nil, refuse(Invalid, "replay.game", "draw", "a play of %s for a draw of %s, accepted a draw of the same regulation; nothing is debited", book.Header.Title, sale.book.Header.Title)
	}
	var lines []Line
	for _, grid := range Grids(play.Lines) {
		lines = append(lines, Line{Grid: grid})
	}
	return lines, nil
}

// holds reports whether a player bought a play, or holds receipts of it.
func (p *Plan) holds(player int64, play *Play) bool {
	if play.Player == player || play.Kind != KindGroup {
		return play.Player == player
	}
	var keys []Key
	for n := range play.Shares {
		keys = append(keys, receiptKey(play.Draw, play.ID, n+1))
	}
	p.Need(keys...)
	return slices.ContainsFunc(keys, func(k Key) bool {
		r := get[GroupReceipt](p, k)
		return r != nil && r.Player == player
	})
}

// replayable refuses a pack (Art. loto@2018-10-29:14.8, Art. euromillions@2018-10-29:3.4.2.6: « Il n'est pas possible de rejouer une prise de jeu incluant le
// service “Packs MultiChances” ») and a group play (Art. loto@2018-10-29:14.5).
func replayable(play *Play, book *rulebook.Rulebook) error {
	switch play.Kind {
	case KindPack:
		r := refuse(Forbidden, "replay.pack", "of_play", "a pack is not played again; nothing is debited")
		r.Article = articleOf(book, "pack.excludes")
		return r
	case KindGroup:
		r := refuse(Forbidden, "replay.group", "of_play", "a group play is not played again; nothing is debited")
		r.Article = replayArticle
		return r
	}
	return nil
}

// Buyer is the player who buys.
func (c Replay) Buyer() int64 { return c.Player }

// terms are those of the sale of the same numbers as chosen.
func (c Replay) terms(p *Plan, result any) (*Terms, error) {
	lines, err := c.numbers(p)
	if err != nil {
		return nil, err
	}
	return BuyPlay{Player: c.Player, Draw: c.Draw, Lines: lines, AddOns: c.AddOns, Channel: c.Channel}.terms(p, result)
}

func playKey(draw string, id int64) Key { return Key{Table: Plays, S: draw, N: id} }
