package central

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"tirage/games"
	"tirage/rules/ladder"
	"tirage/rules/odds"
	"tirage/rules/rulebook"
)

// WithdrawGame stops the sale of a ladder game, or of shares of packs ([ServicePacks]): nothing new starts, open rounds and draws finish. It also serves a game that can't begin on its day.
// The result is an [Offer].
type WithdrawGame struct {
	Game    string `json:"game"`
	Why     string `json:"why"`              // for the record
	French  string `json:"french,omitempty"` // message to the players; "": for technical reasons
	English string `json:"english,omitempty"`
}

// ResumeGame puts a withdrawn game on sale again. The result is an [Offer].
type ResumeGame struct {
	Game string `json:"game"`
	Why  string `json:"why"`
}

// Offer says whether a ladder game can be played now, and what its players are told when not.
type Offer struct {
	Game    string `json:"game"`
	Rules   string `json:"rules,omitempty"` // version in force, "" before the first one
	OnSale  bool   `json:"on_sale"`
	French  string `json:"french,omitempty"`
	English string `json:"english,omitempty"`

	article string // that states the day of effect and orders the message, "" for none
}

const (
	whyMax     = 500 // bytes of a reason for the record
	messageMax = 500 // bytes of a message to players
)

func (WithdrawGame) Kind() string  { return "withdraw_game" }
func (c WithdrawGame) Keys() []Key { return []Key{gameKey(c.Game)} }
func (ResumeGame) Kind() string    { return "resume_game" }
func (c ResumeGame) Keys() []Key   { return []Key{gameKey(c.Game)} }

// Plan withdraws the game.
// Art. donuts@2019-06-25:1, Art. donuts@2019-06-25:annex.1 (where the day can't be met for technical reasons, a message tells the players on the sites).
func (c WithdrawGame) Plan(p *Plan) (any, error) {
	if len(c.French) > messageMax || len(c.English) > messageMax {
		return nil, refuse(Invalid, "game.message", "french", "messages of %d and %d bytes, accepted at most %d", len(c.French), len(c.English), messageMax)
	}
	g, first, err := p.setGame(c.Game, c.Why, 0)
	if err != nil {
		return nil, err
	}
	g.Withdrawn, g.French, g.English = 1, c.French, c.English
	if g.French == "" {
		g.French = fmt.Sprintf("« %s » ne peut pas être proposé pour le moment, pour des raisons techniques.", first.Title)
	}
	if g.English == "" {
		g.English = fmt.Sprintf("“%s” cannot be offered for the time being, for technical reasons.", first.Title)
	}
	return offer(c.Game, g, p.Now)
}

// Plan puts the game on sale again.
func (c ResumeGame) Plan(p *Plan) (any, error) {
	g, _, err := p.setGame(c.Game, c.Why, 1)
	if err != nil {
		return nil, err
	}
	g.Withdrawn, g.French, g.English = 0, "", ""
	return offer(c.Game, g, p.Now)
}

// setGame returns the row of a ladder game, or of the service of the packs, for a change by the staff, when it stands as expected.
func (p *Plan) setGame(game, why string, withdrawn int64) (*Game, firstVersion, error) {
	first, err := firstOf(game)
	if err != nil {
		return nil, first, err
	}
	if strings.TrimSpace(why) == "" || len(why) > whyMax {
		return nil, first, refuse(Invalid, "game.why", "why", "say why, in at most %d bytes", whyMax)
	}
	g := edit[Game](p, gameKey(game))
	if g == nil {
		g = &Game{ID: game}
		p.insert(g)
	}
	if g.Withdrawn != withdrawn {
		return nil, first, refuse(Conflict, "game.state", "game", "%s is %s already", game, [2]string{"on sale", "withdrawn"}[g.Withdrawn])
	}
	g.Why, g.At = why, p.Now.UnixMicro()
	return g, first, nil
}

// ladderGame returns the latest rulebook of a ladder game.
func ladderGame(game string) (*rulebook.Rulebook, error) {
	versions, err := games.Versions(game)
	if err != nil {
		return nil, refuse(NotFound, "game.unknown", "game", "%v", err)
	}
	book := versions[len(versions)-1]
	if book.Ladder == nil {
		return nil, refuse(Invalid, "game.no_ladder", "game", "%s is a game of draws: it has no rounds", game)
	}
	return book, nil
}

// offered returns the rules of a round that starts now. The first one writes the row of its game: what every start holds and a withdrawal
// changes must exist, or a withdrawal on one node would not be seen by a start on another that had found no row.
func (p *Plan) offered(game string) (*ladderRules, error) {
	row := get[Game](p, gameKey(game))
	o, err := offer(game, row, p.Now)
	if err != nil {
		return nil, err
	}
	if !o.OnSale {
		r := refuse(Closed, "round.not_on_sale", "game", "%s", o.English)
		r.French, r.Article = o.French, o.article
		return nil, r
	}
	if row == nil {
		p.insert(&Game{ID: game, At: p.Now.UnixMicro()})
	}
	return ladderUnder(o.Rules)
}

// offer says whether a ladder game, or the service of the packs, is on sale: from the day of effect of its rulebook on, not before the day to which
// it was put off, and not while it is withdrawn. The message of the staff comes before that of the calendar: it tells why the day is not met.
// Art. donuts@2019-06-25:1, Art. donuts@2019-06-25:annex.1 (« possibles à compter du 25 juin 2019 »).
func offer(game string, row *Game, now time.Time) (*Offer, error) {
	if game == ServicePacks {
		return offerPacks(row, now), nil
	}
	first, err := firstOf(game)
	if err != nil {
		return nil, err
	}
	o := &Offer{Game: game, article: first.article}
	if book, err := games.At(game, now); err == nil {
		o.Rules, o.OnSale = book.Header.Version(), true
	}
	o.tell(row, first, now)
	return o, nil
}

// ReadOffer says whether a ladder game can be played, or shares of packs bought ([ServicePacks]), at an instant, for the pages and the catalogue.
func ReadOffer(ctx context.Context, snap Snapshot, game string, now time.Time) (*Offer, error) {
	row, err := snap.Get(ctx, gameKey(game))
	if err != nil {
		return nil, err
	}
	g, _ := row.(*Game)
	return offer(game, g, now)
}

var frenchMonths = strings.Fields("janvier février mars avril mai juin juillet août septembre octobre novembre décembre")

// frenchDay writes "25 juin 2019".
func frenchDay(t time.Time) string {
	day := strconv.Itoa(t.Day())
	if t.Day() == 1 {
		day = "1er"
	}
	return fmt.Sprintf("%s %s %d", day, frenchMonths[t.Month()-1], t.Year())
}

// ladderRules is one version of a ladder game with what every answer about a round shows of it.
type ladderRules struct {
	version string
	book    *rulebook.Rulebook
	table   *ladder.Table
	items   []int       // items on the pile at each level, from 0 on
	next    []NextLevel // what is ahead at each level, from 0 on; the last level has nothing ahead
}

// ladders keeps the rules by version: rulebooks never change.
var ladders sync.Map // string → *ladderRules

// ladderUnder returns the rules of a version: those that a round was sold under stand to its end.
func ladderUnder(version string) (*ladderRules, error) {
	if l, ok := ladders.Load(version); ok {
		return l.(*ladderRules), nil
	}
	book, err := games.Version(version)
	if err != nil {
		return nil, err
	}
	if book.Ladder == nil {
		return nil, fmt.Errorf("%s is no ladder", version)
	}
	l := &ladderRules{version: version, book: book, table: book.Ladder, items: []int{0}}
	for _, o := range book.Ladder.Odds() {
		l.items = append(l.items, o.Items)
		l.next = append(l.next, NextLevel{Level: o.Level, Items: o.Items, Chance: o.Pass.RatString(), French: odds.French(o.Pass, 2), English: odds.English(o.Pass, 2)})
	}
	ladders.Store(version, l)
	return l, nil
}
