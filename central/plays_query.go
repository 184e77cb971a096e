package central

import (
	"context"
	"fmt"
	"slices"
	"time"

	"tirage/games"
	"tirage/ledger"
	"tirage/rules/drawing"
	"tirage/rules/money"
	"tirage/rules/prize"
)

// PlayRecord is a play in its player's history, from the confirmation on and for ever: what was bought, the grids and codes that take part, and what
// they won once that is paid. For shares it is the whole pack.
//
// Art. loto@2018-10-29:14.8, Art. euromillions@2018-10-29:3.4.2.6 (« Le joueur peut également retrouver le détail de sa prise de jeu et consulter le
// contenu du Pack auquel il participe en consultant son historique »).
type PlayRecord struct {
	Play         string        `json:"play"` // with the draw it names the play
	Draw         DrawTerms     `json:"draw"`
	State        string        `json:"state"` // of the draw
	At           time.Time     `json:"at"`
	Channel      Channel       `json:"channel,omitempty"`
	Rules        string        `json:"rules"`
	Cents        money.Cents   `json:"cents"` // debited, with the games added
	Grids        []GridRecord  `json:"grids"` // of the whole pack for shares
	Combinations int64         `json:"combinations"`
	Codes        []CodeRun     `json:"codes"`
	AddOns       []AddOnBought `json:"add_ons,omitempty"`
	Pack         string        `json:"pack,omitempty"`        // "TYPE/N"
	Shares       int64         `json:"shares,omitempty"`      // that the player holds …
	PackShares   int64         `json:"pack_shares,omitempty"` // … of so many
	Receipts     []int64       `json:"receipts,omitempty"`    // of a group play: those that the player holds …
	OfReceipts   int64         `json:"of_receipts,omitempty"` // … of so many
	Gain         *money.Cents  `json:"gain,omitempty"`        // of the player; none: the draw is not settled yet
}

// GridRecord is one grid of a play or a pack.
type GridRecord struct {
	Grid  string `json:"grid"`
	Quick bool   `json:"quick,omitempty"` // drawn by the system (Système Flash)
}

// PlaysQuery asks for the plays of a player, the latest first: at most Limit of those whose movement comes before Before (0: from the latest on).
type PlaysQuery struct {
	Player int64
	Before int64
	Limit  int
}

// PlaysPage is a part of a player's history.
type PlaysPage struct {
	Plays  []PlayRecord `json:"plays"`
	Before int64        `json:"before,omitempty"` // asks for the next page; 0: there is none
}

// PlaysMax bounds the plays of a page.
const PlaysMax = 100

// ReadPlays reads a page of a player's plays. Codes follow from the secret of their draw, which the register's sealer opens.
func (r *Register) ReadPlays(ctx context.Context, q PlaysQuery) (*PlaysPage, error) {
	if q.Limit < 1 || q.Limit > PlaysMax {
		return nil, refuse(Invalid, "plays.limit", "limit", "%d plays asked for, accepted 1 to %d", q.Limit, PlaysMax)
	}
	snap, err := r.cfg.Store.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	defer snap.Close()
	all, err := movements(ctx, snap, q.Player)
	if err != nil {
		return nil, err
	}
	page := &PlaysPage{Plays: []PlayRecord{}}
	for _, m := range slices.Backward(all) {
		draw, ok := stakedOn(m)
		if !ok || q.Before > 0 && m.Version >= q.Before {
			continue
		}
		if len(page.Plays) == q.Limit {
			return page, nil
		}
		record, err := r.quotes.play(ctx, snap, q.Player, draw, m.Node<<48|(m.Leaf+1))
		if err != nil {
			return nil, err
		}
		page.Plays, page.Before = append(page.Plays, *record), m.Version
	}
	page.Before = 0
	return page, nil
}

// stakedOn returns the draw for which a movement is the stake of a play, false for any other movement.
func stakedOn(m *Movement) (draw string, ok bool) {
	if ledger.Account(m.Account).Kind() != "stakes" || m.Cents >= 0 {
		return "", false
	}
	draw = m.Account[len("stakes/"):]
	_, day := splitDrawID(draw)
	return draw, day != ""
}

// ReadPlay reads one play of a player. Nobody reads another player's.
func (r *Register) ReadPlay(ctx context.Context, player int64, draw, play string) (*PlayRecord, error) {
	var id RoundID // plays and rounds are numbered alike
	if err := id.UnmarshalText([]byte(play)); err != nil || !storable(draw) {
		return nil, refuse(NotFound, "play.unknown", "play", "there is no such play")
	}
	snap, err := r.cfg.Store.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	defer snap.Close()
	return r.quotes.play(ctx, snap, player, draw, int64(id))
}

func (q *quoting) play(ctx context.Context, snap Snapshot, player int64, draw string, id int64) (*PlayRecord, error) {
	row, err := snap.Get(ctx, Key{Table: Plays, S: draw, N: id})
	if err != nil {
		return nil, err
	}
	play, _ := row.(*Play)
	var receipts []*GroupReceipt
	if play != nil && play.Kind == KindGroup {
		if receipts, err = receiptsHeld(ctx, snap, play, player); err != nil {
			return nil, err
		}
	}
	if play == nil || play.Player != player && len(receipts) == 0 {
		return nil, refuse(NotFound, "play.unknown", "play", "there is no such play")
	}
	d, err := readDraw(ctx, snap, draw)
	if err != nil {
		return nil, err
	}
	s, err := q.soldAs(play, d)
	if err != nil {
		return nil, fmt.Errorf("play %s for draw %s: %w", PlayID(id), draw, err)
	}
	out := &PlayRecord{
		Play: PlayID(id), Draw: s.drawTerms(), State: d.State, At: time.UnixMicro(play.At).UTC(), Channel: Channel(play.Channel), Rules: play.SaleRules,
		Cents: play.Stake, Combinations: play.Combos, Shares: play.Shares,
	}
	if out.Codes, err = s.codeRuns(play.Combos, play.CodeAt, play.CodeAt2); err != nil {
		return nil, err
	}
	if err := out.addGrids(ctx, snap, play); err != nil {
		return nil, err
	}
	out.addReceipts(play, receipts)
	if err := out.addAddOns(ctx, snap, s, play); err != nil {
		return nil, err
	}
	return out, out.addGain(ctx, snap, s, play)
}

// soldAs returns what the sale of a play went by.
func (q *quoting) soldAs(play *Play, d *Draw) (*saleOf, error) {
	s := &saleOf{draw: d}
	var err error
	if s.book, err = games.Version(play.SaleRules); err != nil {
		return nil, err
	}
	if s.prizes, err = games.Version(play.PrizeRules); err != nil {
		return nil, err
	}
	if s.series, err = seriesOf(s.book, time.UnixMicro(play.At), d.Exceptional == 1); err != nil {
		return nil, err
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	s.secret, err = (&Plan{reg: q.reg}).secret(d)
	return s, err
}

// addGrids lists the grids of the play, or those of the whole pack.
func (r *PlayRecord) addGrids(ctx context.Context, snap Snapshot, play *Play) error {
	lines, quick := play.Lines, play.Quick
	if play.Kind == KindPack {
		content, err := snap.Get(ctx, Key{Table: PackContents, S: play.Draw, U: play.PackType, N: play.Pack})
		if err != nil {
			return err
		}
		t, err := snap.Get(ctx, typeKey(play.Draw, play.PackType))
		if err != nil {
			return err
		}
		if content == nil || t == nil {
			return fmt.Errorf("pack %s/%d of draw %s is missing", play.PackType, play.Pack, play.Draw)
		}
		if lines = content.(*PackContent).Lines; play.Pack > 0 || len(t.(*PackType).Given) == 0 {
			quick = -1 // all of them
		}
		r.Pack, r.PackShares = fmt.Sprintf("%s/%d", play.PackType, play.Pack), t.(*PackType).Shares
	}
	for i, g := range Grids(lines) {
		r.Grids = append(r.Grids, GridRecord{g.String(), quick>>i&1 == 1})
	}
	return nil
}

// addAddOns lists the games added to the play.
func (r *PlayRecord) addAddOns(ctx context.Context, snap Snapshot, s *saleOf, play *Play) error {
	for _, game := range s.book.Sale.AddOns {
		row, err := snap.Get(ctx, Key{Table: AddOnRows, S: play.Draw, U: game, N: play.ID})
		if err != nil {
			return err
		}
		if a, _ := row.(*AddOnRow); a != nil {
			r.AddOns = append(r.AddOns, AddOnBought{a.Game, a.Stake, a.SaleRules, prize.FormatDigits(a.Number)})
			r.Cents = money.Add(r.Cents, a.Stake)
		}
	}
	return nil
}

// addGain adds up what the play was credited, or what waits for its player, once the draw is settled.
func (r *PlayRecord) addGain(ctx context.Context, snap Snapshot, s *saleOf, play *Play) error {
	if state := drawing.State(s.draw.State); state != drawing.Settled && state != drawing.Published {
		return nil
	}
	components := []string{ComponentRanks}
	for _, series := range s.series {
		components = append(components, componentCode(series.ID))
	}
	for _, a := range r.AddOns {
		components = append(components, a.Game)
	}
	if play.Kind == KindGroup {
		components = r.ofReceipts(components)
	}
	var gain money.Cents
	for _, c := range components {
		credit, err := snap.Get(ctx, Key{Table: Credits, S: play.Draw, U: c, N: play.ID, M: s.draw.Version})
		if err != nil {
			return err
		}
		if credit != nil {
			gain = money.Add(gain, credit.(*Credit).Cents)
			continue
		}
		claim, err := snap.Get(ctx, claimKey(play.Draw, c, play.ID, s.draw.Version))
		if err != nil {
			return err
		}
		if claim != nil {
			gain = money.Add(gain, claim.(*Claim).Cents)
		}
	}
	r.Gain = &gain
	return nil
}
