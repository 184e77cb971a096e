package site

import (
	"net/url"
	"slices"
	"strconv"

	"tirage/central"
	"tirage/rules/money"
	"tirage/web/kit"
)

// again is the choice of a replay: the numbers of an earlier play, a draw to play them at, games added anew, and what that costs today.
type again struct {
	*central.PlayRecord
	Name   string
	Game   central.GameOffer
	Draws  []offer // on sale
	At     string  // the draw that is chosen
	Cents  money.Cents
	Before money.Cents // the same grids when they were played
	AddOns map[string]money.Cents
	Wrong  string // why these numbers are not played again, or why the order was refused
}

// againDraws is how many coming draws a replay is offered for.
const againDraws = 5

// can reports whether the page offers anything to play.
func (a *again) can() bool { return len(a.Draws) > 0 && a.Pack == "" && a.OfReceipts == 0 }

// hasQuick reports whether the system chose one of the grids then.
func (a *again) hasQuick() bool {
	return slices.ContainsFunc(a.Grids, func(g central.GridRecord) bool { return g.Quick })
}

// replayable reports whether « rejouer » is offered for a play: never for a pack or a group play.
//
// Art. loto@2018-10-29:14.5, Art. loto@2018-10-29:14.8, Art. euromillions@2018-10-29:3.4.2.6.
func (r *receipt) replayable() bool { return r.Pack == "" && r.OfReceipts == 0 }

func againPath(p *central.PlayRecord) string {
	return receiptPath(p.Draw.Draw, p.Play, false) + "/again"
}

// again shows the choice of a replay.
func (s *site) again(v *kit.Visit) error {
	a, err := s.readAgain(v)
	if err != nil {
		return err
	}
	return v.Show(a.page(v), againPage(v, a))
}

func (a *again) page(v *kit.Visit) kit.Page {
	return page(v.T("Rejouer", "Play again"), kit.NavPlays, tint(a.Draw.Game))
}

// readAgain reads the earlier play and what its game sells now.
func (s *site) readAgain(v *kit.Visit) (*again, error) {
	record, err := s.host.Register.ReadPlay(v.Context(), v.Caller.Player, v.R.PathValue("draw"), v.R.PathValue("play"))
	if err != nil {
		return nil, err
	}
	c, err := catalogue(v)
	if err != nil {
		return nil, err
	}
	a := &again{PlayRecord: record, Name: playName(v, record), At: v.Form("draw"), Before: record.Cents}
	for _, added := range record.AddOns {
		a.Before -= added.Cents
	}
	for _, g := range c.Games {
		if g.Game == record.Draw.Game {
			a.Game = g
		}
	}
	for _, d := range a.Game.Draws {
		if d.OnSale {
			a.Draws = append(a.Draws, offer{d, a.Game.Price})
		}
	}
	if a.At == "" && len(a.Draws) > 0 {
		a.At = a.Draws[0].Draw
	}
	a.AddOns, a.Cents = addedOf(v, a.Game.AddOns), money.Mul(a.Game.Price, a.Combinations)
	return a, nil
}

// addedOf reads the stakes of added games from the address of a page.
func addedOf(v *kit.Visit, offers []central.AddOnOffer) map[string]money.Cents {
	added := map[string]money.Cents{}
	for _, a := range offers {
		if cents, err := strconv.ParseInt(v.Form("with-"+a.Game), 10, 64); err == nil && cents > 0 {
			added[a.Game] = money.Cents(cents)
		}
	}
	return added
}

// addOns are the added games as an order asks for them.
func addOns(offers []central.AddOnOffer, added map[string]money.Cents) (list []central.AddOn) {
	for _, a := range offers {
		cents, ok := added[a.Game]
		if !ok {
			continue
		}
		add := central.AddOn{Game: a.Game}
		if len(a.Stakes) > 0 {
			add.Stake = cents
		}
		list = append(list, add)
	}
	return list
}

// query writes the choice as the page takes it.
func (a *again) query() url.Values {
	q := url.Values{"draw": {a.At}}
	for game, cents := range a.AddOns {
		q.Set("with-"+game, strconv.FormatInt(int64(cents), 10))
	}
	return q
}

// changePath leads to the board with the same grids, to change them; "" where they are more than it shows.
func (a *again) changePath() string {
	if len(a.Grids) > linesShown {
		return ""
	}
	q := a.query()
	for _, g := range a.Grids {
		q.Add("line", g.Grid)
	}
	return "/play/" + a.Game.Game + "?" + q.Encode()
}

// againRecap quotes the replay, at the price of today, and shows the recap.
func (s *site) againRecap(v *kit.Visit) error {
	a, err := s.readAgain(v)
	if err != nil {
		return err
	}
	of := new(central.ID)
	if err := of.UnmarshalText([]byte(a.Play)); err != nil {
		return v.NotFound()
	}
	order := central.Replay{
		Player: v.Caller.Player, Draw: a.At, OfDraw: a.Draw.Draw, OfPlay: *of, AddOns: addOns(a.Game.AddOns, a.AddOns), Channel: central.ChannelWeb,
	}
	err = s.recap(v, order, againPath(a.PlayRecord)+"?"+a.query().Encode())
	if r := kit.Refused(err); r != nil { // back to the choice, which keeps everything
		a.Wrong = v.Said(r)
		return v.Status(422).Show(a.page(v), againPage(v, a))
	}
	return err
}
