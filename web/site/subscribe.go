package site

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"tirage/central"
	"tirage/rules/money"
	"tirage/web/kit"
)

// abo is the choice of a subscription (Abo+): grids of the board, days of the week, and what it will debit.
type abo struct {
	*board
	Lines []central.Line
	Days  []string // chosen; all of the game where none is
	Cents money.Cents
	Next  []debit
}

// debit is a draw that a subscription will play.
type debit struct {
	Day   string
	At    time.Time // when the stake is taken
	Cents money.Cents
}

// debitsShown is how many coming debits a page lists.
const debitsShown = 3

// debits lists the coming debits of a subscription: of draws on one of its days (none: of all) that close far enough after an instant.
func debits(draws []central.DrawOffer, days []string, from time.Time, cents money.Cents) (list []debit) {
	for _, d := range draws {
		at := d.ClosesAt.Add(-central.SubscriptionLead)
		if d.OpensAt.After(at) {
			at = d.OpensAt
		}
		if len(list) < debitsShown && at.After(from) && (len(days) == 0 || slices.Contains(days, weekday(d.Day))) {
			list = append(list, debit{d.Day, at, cents})
		}
	}
	return list
}

// weekday is the day of the week of a date as a subscription names it: "monday".
func weekday(day string) string { return strings.ToLower(parseDay(day).Weekday().String()) }

// aMonday is any Monday, to name the days of the week after it.
var aMonday = time.Date(2018, time.October, 29, 12, 0, 0, 0, time.UTC)

// weekdayWords names a day of the week.
func weekdayWords(v *kit.Visit, day string) string {
	for i := range 7 {
		if t := aMonday.AddDate(0, 0, i); strings.EqualFold(t.Weekday().String(), day) {
			return v.Weekday(t)
		}
	}
	return day
}

// daysWords says at which draws a subscription plays.
func daysWords(v *kit.Visit, days []string) string {
	if len(days) == 0 {
		return v.T("À chaque tirage, jusqu'à ce que vous l'arrêtiez", "At every draw, until you stop it")
	}
	var names []string
	for _, d := range days {
		names = append(names, weekdayWords(v, d))
	}
	return v.F("Aux tirages de : %s, jusqu'à ce que vous l'arrêtiez", "At the draws of: %s, until you stop it", strings.Join(names, ", "))
}

// weekdaysOf lists the days that a subscription of the game may choose among, none where its dates are announced one by one.
func (a *abo) weekdaysOf() []string { return a.Book.Calendar.Weekdays }

func (a *abo) plays(day string) bool { return len(a.Days) == 0 || slices.Contains(a.Days, day) }

// query is the choice as the pages take it.
func (a *abo) query() url.Values {
	q := a.Chosen.query()
	q["on"] = a.Days
	return q
}

func (a *abo) page(v *kit.Visit) kit.Page {
	return page("Abo+ "+gameName(a.Game.Title), kit.NavDraws, tint(a.Game.Game))
}

// readAbo reads the choice; a selection that is no play yet is refused.
func (s *site) readAbo(v *kit.Visit) (a *abo, err error) {
	a = &abo{}
	if a.board, err = s.board(v); err != nil {
		return a, err
	}
	for _, day := range v.R.Form["on"] {
		if slices.Contains(a.weekdaysOf(), day) && !slices.Contains(a.Days, day) {
			a.Days = append(a.Days, day)
		}
	}
	if a.Lines, err = a.lines(v); err != nil {
		return a, err
	}
	if a.Cents, err = a.order(v).Price(v.Now); err != nil {
		return a, err
	}
	a.Next = debits(a.Game.Draws, a.Days, v.Now, a.Cents)
	return a, nil
}

func (a *abo) order(v *kit.Visit) central.Subscribe {
	o := central.Subscribe{
		Player: v.Caller.Player, Game: a.Game.Game, Lines: a.Lines, AddOns: addOns(a.Game.AddOns, a.Chosen.AddOns), Cents: a.Cents, Channel: central.ChannelWeb,
	}
	if len(a.Days) < len(a.weekdaysOf()) {
		o.Days = a.Days
	}
	return o
}

// subscribe shows the choice of a subscription.
func (s *site) subscribe(v *kit.Visit) error {
	a, err := s.readAbo(v)
	if r := kit.Refused(err); r != nil && a.board != nil {
		return s.refusedBoard(v, a.board, r)
	}
	if err != nil {
		return err
	}
	return v.Show(a.page(v), subscribePage(v, a))
}

// subscribeRecap quotes a subscription at the price of today, to which the player agrees by confirming, and shows the recap.
func (s *site) subscribeRecap(v *kit.Visit) error {
	a, err := s.readAbo(v)
	if err == nil {
		err = s.recap(v, a.order(v), "/play/"+a.Game.Game+"/subscribe?"+a.query().Encode())
	}
	if r := kit.Refused(err); r != nil && a.board != nil {
		return s.refusedBoard(v, a.board, r)
	}
	return err
}

// aboView is a subscription as its player sees it.
type aboView struct {
	*central.SubscriptionState
	Price money.Cents // for each draw as things stand; 0 where the grids are no longer sold
	Next  []debit
	Fresh bool
}

// subscriptions lists those of the player.
func (s *site) subscriptions(v *kit.Visit) error { return s.showSubscriptions(v, "") }

func (s *site) showSubscriptions(v *kit.Visit, wrong string) error {
	c, err := catalogue(v)
	if err != nil {
		return err
	}
	var states []*central.SubscriptionState
	err = v.View(func(snap central.Snapshot) (err error) {
		states, err = central.ReadSubscriptions(v.Context(), snap, v.Caller.Player)
		return err
	})
	if err != nil {
		return err
	}
	list := []*aboView{}
	for _, state := range states {
		list = append(list, viewAbo(v, c, state))
	}
	slices.SortStableFunc(list, func(a, b *aboView) int { return aboOrder[a.State] - aboOrder[b.State] })
	return v.Show(page(v.T("Mes abonnements", "My subscriptions"), kit.NavPlays, ""), subscriptionsPage(v, list, wrong))
}

// aboOrder puts what waits for the player first, what has ended last.
var aboOrder = map[string]int{central.SubscriptionSuspended: 0, central.SubscriptionActive: 1, central.SubscriptionEnded: 2}

func viewAbo(v *kit.Visit, c *central.Catalogue, state *central.SubscriptionState) *aboView {
	a := &aboView{SubscriptionState: state, Fresh: v.Form("new") == state.Subscription.String()}
	// Grids that are no longer sold have no price of today: their subscription cannot be resumed.
	if price, err := (central.Subscribe{Game: state.Game, Lines: state.Lines, AddOns: state.AddOns}).Price(v.Now); err == nil {
		a.Price = price
	}
	if state.State != central.SubscriptionActive {
		return a
	}
	for _, g := range c.Games {
		if g.Game == state.Game {
			from := state.From.Add(-central.SubscriptionLead)
			if v.Now.After(from) {
				from = v.Now
			}
			a.Next = debits(g.Draws, state.Days, from, state.Cents)
		}
	}
	return a
}

// stateWords says how a subscription stands.
func (a *aboView) stateWords(v *kit.Visit) string {
	switch a.State {
	case central.SubscriptionActive:
		return v.T("En cours", "Active")
	case central.SubscriptionSuspended:
		if a.Why == "" {
			return v.T("En pause : rien n'est débité", "Paused: nothing is debited")
		}
		return v.T("Suspendu : rien n'est débité", "Suspended: nothing is debited")
	}
	return v.T("Arrêté", "Stopped")
}

// whyWords says why the last draw was not played, "" where it was.
func (a *aboView) whyWords(v *kit.Visit) string {
	switch kind, _, _ := strings.Cut(a.Why, "."); {
	case a.Why == "":
		return ""
	case kind == "balance":
		return v.T("Le dernier tirage n'a pas été joué : vos disponibilités ne suffisaient pas.", "The last draw was not played: your available balance was too low.")
	case kind == "limit":
		return v.T("Le dernier tirage n'a pas été joué : la mise dépassait votre limite.", "The last draw was not played: the stake exceeded your limit.")
	case kind == "player":
		return v.T("Le dernier tirage n'a pas été joué : vous étiez en pause, exclu, ou pas encore confirmé.", "The last draw was not played: you had a pause, were excluded, or not confirmed yet.")
	case a.Why == "subscription.price":
		return v.T("Le prix a changé : rien n'est débité sans votre accord.", "The price has changed: nothing is debited unless you agree.")
	}
	return v.T("Le dernier tirage n'a pas pu être joué.", "The last draw could not be played.")
}

// resumeSubscription makes a suspended subscription active again, at the price that the form shows.
func (s *site) resumeSubscription(v *kit.Visit) error {
	id, cents, err := aboForm(v)
	if err == nil {
		err = v.Do(central.ResumeSubscription{Player: v.Caller.Player, Subscription: id, Cents: cents}, nil)
	}
	return s.aboDone(v, err)
}

// pauseSubscription suspends a subscription until it is resumed.
func (s *site) pauseSubscription(v *kit.Visit) error {
	id, _, err := aboForm(v)
	if err == nil {
		err = v.Do(central.PauseSubscription{Player: v.Caller.Player, Subscription: id}, nil)
	}
	return s.aboDone(v, err)
}

// endSubscription stops a subscription for good.
func (s *site) endSubscription(v *kit.Visit) error {
	id, _, err := aboForm(v)
	if err == nil {
		err = v.Do(central.EndSubscription{Player: v.Caller.Player, Subscription: id}, nil)
	}
	return s.aboDone(v, err)
}

func (s *site) aboDone(v *kit.Visit, err error) error {
	if r := kit.Refused(err); r != nil {
		return s.showSubscriptions(v.Status(409), v.Said(r))
	}
	if err != nil {
		return err
	}
	return v.Go("/subscriptions")
}

// aboForm reads which subscription a form is about, and the price that it shows, in cents.
func aboForm(v *kit.Visit) (id central.ID, cents money.Cents, err error) {
	if err := id.UnmarshalText([]byte(v.Form("subscription"))); err != nil {
		return 0, 0, v.NotFound()
	}
	cents, err = centsField(v, "cents")
	return id, cents, err
}
