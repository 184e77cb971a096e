package central

import (
	"context"
	"slices"
	"strings"
	"time"

	"tirage/games"
	"tirage/rules/money"
	"tirage/rules/prize"
	"tirage/rules/rulebook"
)

// Of « Abo+ » the texts at hand say only what it does not take: packs (Art. loto@2018-10-29:14.8, Art. euromillions@2018-10-29:3.4.2.6: « Le Service Abo +
// ne permet pas l'enregistrement d'une prise de jeu incluant le Service “Packs Multi Chances” »). All else is assumed:
const (
	// SubscriptionLead is how long before the close of a draw its subscriptions are debited: the player who is told of a miss has a day to play.
	SubscriptionLead = 24 * time.Hour
	// SubscriptionMisses is after how many misses in a row a subscription is suspended.
	SubscriptionMisses = 3
	// MaxSubscriptions bounds the subscriptions of a player that have not ended.
	MaxSubscriptions = 10
)

// Subscribe begins a subscription: from the next moment of debit on, the lines are played at each draw of the game, or at those of some days of the
// week, until the player ends it. Quick picks are drawn anew for each draw. The player agrees to a stake for each draw; when the price is another one day
// the subscription is suspended. The result is a [SubscriptionState].
type Subscribe struct {
	Player  int64       `json:"player,string"`
	Game    string      `json:"game"`
	Lines   []Line      `json:"lines"`
	AddOns  []AddOn     `json:"add_ons,omitempty"`
	Days    []string    `json:"days,omitempty"` // "monday" …; none: every draw of the game
	Cents   money.Cents `json:"cents"`          // what the player agrees to be debited for each draw
	Channel Channel     `json:"channel,omitempty"`

	// What may be played once and is refused as a subscription.
	Pack     string `json:"pack,omitempty"`     // type of a pack
	Receipts int64  `json:"receipts,omitempty"` // of a group play
}

// SubscriptionState is a subscription as its player sees it.
type SubscriptionState struct {
	Subscription ID          `json:"subscription"`
	Game         string      `json:"game"`
	Lines        []Line      `json:"lines"`
	AddOns       []AddOn     `json:"add_ons,omitempty"`
	Days         []string    `json:"days,omitempty"` // none: every draw
	Channel      Channel     `json:"channel,omitempty"`
	Cents        money.Cents `json:"cents"` // for each draw
	State        string      `json:"state"`
	From         time.Time   `json:"from"`            // draws that close later are played
	Misses       int64       `json:"misses"`          // in a row
	Draw         string      `json:"draw,omitempty"`  // the last one handled
	Play         *ID         `json:"play,omitempty"`  // at that draw; none: it was missed
	Why          string      `json:"why,omitempty"`   // reason of the last miss
	After        int64       `json:"suspended_after"` // misses in a row
}

func (Subscribe) Kind() string  { return "subscribe" }
func (c Subscribe) Keys() []Key { return append(slotKeys(c.Player), playerKey(c.Player)) }

func (c Subscribe) Plan(p *Plan) (any, error) {
	if err := p.present(c.Player); err != nil {
		return nil, err
	}
	if err := p.shown(); err != nil {
		return nil, err
	}
	book, err := p.subscribed(c.Game)
	if err != nil {
		return nil, err
	}
	if err := c.excluded(book); err != nil {
		return nil, err
	}
	if err := p.channel(c.Channel); err != nil {
		return nil, err
	}
	s := &Subscription{
		Player: c.Player, ID: p.ID(), Game: c.Game, Channel: string(c.Channel), Cents: c.Cents, State: SubscriptionActive, Since: p.Now.UnixMicro(),
	}
	if s.Days, err = weekdays(book, c.Days); err != nil {
		return nil, err
	}
	if err := p.agreed(book, order{lines: c.Lines, addOns: c.AddOns}, c.Cents); err != nil {
		return nil, err
	}
	if s.Lines, err = writeList(c.Lines); err != nil {
		return nil, err
	}
	if s.AddOns, err = writeList(c.AddOns); err != nil {
		return nil, err
	}
	if err := p.seat(s); err != nil {
		return nil, err
	}
	return s.state()
}

// subscribed returns the rulebook in force of a game with draws of its own.
func (p *Plan) subscribed(game string) (*rulebook.Rulebook, error) {
	book, err := games.At(game, p.Now)
	if err != nil {
		return nil, refuse(Invalid, "draw.game", "game", "%v", err)
	}
	if book.Prizes == nil || book.Prizes.Model == prize.SidePool {
		return nil, refuse(Invalid, "draw.game", "game", "%s has no draw of its own", game)
	}
	return book, nil
}

// excluded refuses what no subscription takes: packs by the articles, group plays because each one has its own members (assumed).
func (c Subscribe) excluded(book *rulebook.Rulebook) error {
	switch {
	case c.Pack != "":
		r := refuse(Invalid, "subscription.pack", "pack", "a pack by Abo+: not possible; nothing is debited")
		r.Article = articleOf(book, "pack.excludes")
		return r
	case c.Receipts != 0:
		return refuse(Invalid, "subscription.group", "receipts", "a group play by Abo+: not possible; nothing is debited")
	}
	return nil
}

// weekdays writes the days of the week of a subscription in the order of the calendar, "" for all.
func weekdays(book *rulebook.Rulebook, days []string) (string, error) {
	var list []string
	for _, day := range book.Calendar.Weekdays {
		if slices.Contains(days, day) {
			list = append(list, day)
		}
	}
	if len(list) != len(days) {
		return "", refuse(Invalid, "subscription.days", "days", "days %.80q, accepted some of %q, each once, or none for every draw", days, book.Calendar.Weekdays)
	}
	if len(list) == len(book.Calendar.Weekdays) {
		list = nil
	}
	return strings.Join(list, " "), nil
}

// agreed refuses lines and added games that are not sold, or not at the stake that the player agrees to.
func (p *Plan) agreed(book *rulebook.Rulebook, o order, cents money.Cents) error {
	t, err := p.trial(book, o)
	if err != nil {
		return err
	}
	if t.cents() != cents {
		return refuse(Conflict, "subscription.cents", "cents", "%v for each draw, accepted %v; nothing is debited", cents, t.cents())
	}
	return nil
}

// trial tries a sale without a draw, for its price.
func (p *Plan) trial(book *rulebook.Rulebook, o order) (*ticket, error) {
	sale := &saleOf{draw: &Draw{Game: book.Header.Game, Day: games.Day(p.Now)}, book: book}
	t := &ticket{play: &Play{}}
	if _, err := (&picking{p: p, sale: sale}).fill(t.play, o.lines); err != nil {
		return nil, err
	}
	return t, t.add(p, sale, o.addOns)
}

// seat gives a subscription the first place that is free.
func (p *Plan) seat(s *Subscription) error {
	p.Need(slotKeys(s.Player)...)
	for _, k := range slotKeys(s.Player) {
		s.Slot = k.M
		row := edit[Subscription](p, k)
		if row == nil {
			p.insert(s)
			return nil
		}
		if row.State == SubscriptionEnded {
			*row = *s
			return nil
		}
	}
	return refuse(Conflict, "subscription.many", "", "%d subscriptions, accepted at most %d at a time: end one first", MaxSubscriptions, MaxSubscriptions)
}

// Price returns what a subscription costs for each draw under the version in force at an instant: the amount to agree to.
func (c Subscribe) Price(now time.Time) (money.Cents, error) {
	p := &Plan{Now: now}
	book, err := p.subscribed(c.Game)
	if err != nil {
		return 0, err
	}
	t, err := p.trial(book, order{lines: c.Lines, addOns: c.AddOns})
	if err != nil {
		return 0, err
	}
	return t.cents(), nil
}

// state is the subscription as its player sees it.
func (r *Subscription) state() (*SubscriptionState, error) {
	o, err := r.order("")
	if err != nil {
		return nil, err
	}
	s := &SubscriptionState{
		Subscription: ID(r.ID), Game: r.Game, Lines: o.lines, AddOns: o.addOns, Days: strings.Fields(r.Days), Channel: o.channel, Cents: r.Cents, State: r.State,
		From: time.UnixMicro(r.Since).Add(SubscriptionLead).UTC(), Misses: r.Misses, Draw: r.Draw, Why: r.Why, After: SubscriptionMisses,
	}
	if r.Play != 0 {
		play := ID(r.Play)
		s.Play = &play
	}
	return s, nil
}

// ResumeSubscription makes a suspended subscription active again, at the stake that the player agrees to now. The result is a [SubscriptionState].
type ResumeSubscription struct {
	Player       int64       `json:"player,string"`
	Subscription ID          `json:"subscription"`
	Cents        money.Cents `json:"cents"` // for each draw
}

func (ResumeSubscription) Kind() string  { return "resume_subscription" }
func (c ResumeSubscription) Keys() []Key { return append(slotKeys(c.Player), playerKey(c.Player)) }

func (c ResumeSubscription) Plan(p *Plan) (any, error) {
	if err := p.present(c.Player); err != nil {
		return nil, err
	}
	s, err := p.subscription(c.Player, c.Subscription)
	if err != nil {
		return nil, err
	}
	if s.State != SubscriptionSuspended {
		return nil, refuse(Conflict, "subscription.state", "", "subscription %v is %s: accepted one that is %s", c.Subscription, s.State, SubscriptionSuspended)
	}
	book, err := p.subscribed(s.Game)
	if err != nil {
		return nil, err
	}
	o, err := s.order("")
	if err != nil {
		return nil, err
	}
	if err := p.agreed(book, o, c.Cents); err != nil {
		return nil, err
	}
	s.State, s.Cents, s.Misses, s.Since = SubscriptionActive, c.Cents, 0, p.Now.UnixMicro()
	return s.state()
}

// subscription returns one of a player's subscriptions for writing.
func (p *Plan) subscription(player int64, id ID) (*Subscription, error) {
	p.Need(slotKeys(player)...)
	for _, k := range slotKeys(player) {
		if s := get[Subscription](p, k); s != nil && s.ID == int64(id) {
			return edit[Subscription](p, k), nil
		}
	}
	return nil, refuse(NotFound, "subscription.unknown", "subscription", "you have no subscription %v", id)
}

// PauseSubscription suspends an active subscription until its player resumes it ([ResumeSubscription]): nothing is debited meanwhile. It may be asked for at any
// time, also during an exclusion. The result is a [SubscriptionState].
type PauseSubscription struct {
	Player       int64 `json:"player,string"`
	Subscription ID    `json:"subscription"`
}

func (PauseSubscription) Kind() string  { return "pause_subscription" }
func (c PauseSubscription) Keys() []Key { return append(slotKeys(c.Player), playerKey(c.Player)) }

func (c PauseSubscription) Plan(p *Plan) (any, error) {
	if err := p.own(c.Player); err != nil {
		return nil, err
	}
	s, err := p.subscription(c.Player, c.Subscription)
	if err != nil {
		return nil, err
	}
	if s.State != SubscriptionActive {
		return nil, refuse(Conflict, "subscription.state", "", "subscription %v is %s: accepted one that is %s", c.Subscription, s.State, SubscriptionActive)
	}
	s.State = SubscriptionSuspended
	return s.state()
}

// EndSubscription ends a subscription, at any time, also during an exclusion. Plays that were bought stand. The result is a [SubscriptionState].
type EndSubscription struct {
	Player       int64 `json:"player,string"`
	Subscription ID    `json:"subscription"`
}

func (EndSubscription) Kind() string  { return "end_subscription" }
func (c EndSubscription) Keys() []Key { return append(slotKeys(c.Player), playerKey(c.Player)) }

func (c EndSubscription) Plan(p *Plan) (any, error) {
	if err := p.own(c.Player); err != nil {
		return nil, err
	}
	s, err := p.subscription(c.Player, c.Subscription)
	if err != nil {
		return nil, err
	}
	if s.State == SubscriptionEnded {
		return nil, refuse(Conflict, "subscription.state", "", "subscription %v is %s: accepted one that is not", c.Subscription, s.State)
	}
	s.State = SubscriptionEnded
	return s.state()
}

// ReadSubscriptions returns the subscriptions of a player, the ended ones whose place nobody has taken among them.
func ReadSubscriptions(ctx context.Context, snap Snapshot, player int64) (list []*SubscriptionState, err error) {
	err = snap.Scan(ctx, Range{From: slotKey(player, 0), Prefix: 1}, func(r Row) error {
		s, err := r.(*Subscription).state()
		list = append(list, s)
		return err
	})
	return list, err
}
