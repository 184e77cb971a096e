package central

import (
	"context"
	"fmt"
	"strings"
	"time"

	"tirage/games"
	"tirage/rules/rulebook"
)

// ServicePacks names the service « Packs MultiChances » where a game is named: its day of effect is that of the text which brings it into the
// regulations of Loto and of Euro Millions, one text for both (Art. packs@2018-10-29:1).
const ServicePacks = "packs"

// States of a deferral.
const (
	DeferralProposed  = "proposed"
	DeferralConfirmed = "confirmed"
)

// Deferral is the last proposal to put off the day of effect of a game or a service. It takes two people.
type Deferral struct {
	Service             string // a ladder game, or ServicePacks
	State               string
	Until               string // new day of effect, YYYY-MM-DD; "": not known yet
	Why                 string // for the record
	French, English     string // message to the players
	Proposer, Confirmer string // principals
	At                  int64  // microseconds, of the last change
}

func (*Deferral) Table() TableID { return Deferrals }
func (r *Deferral) Fields() []any {
	return []any{&r.Service, &r.State, &r.Until, &r.Why, &r.French, &r.English, &r.Proposer, &r.Confirmer, &r.At}
}

func deferralKey(service string) Key { return Key{Table: Deferrals, S: service} }

// PutOff proposes to put off the day of effect of a game or a service which can't be met for technical reasons. Nothing changes before another
// person has confirmed it ([ConfirmPutOff]); a later proposal replaces an earlier one. Until names the new day of effect, none for one that is
// not known yet; the day of the text itself takes a deferral back. The result is the [Deferral].
type PutOff struct {
	Service string `json:"service"`
	Until   string `json:"until,omitempty"`
	Why     string `json:"why"`
	French  string `json:"french,omitempty"` // message to the players; "": for technical reasons
	English string `json:"english,omitempty"`
}

// ConfirmPutOff is the second person's word. It repeats what is confirmed, so that nobody confirms what was replaced meanwhile. From the commit on
// the game or service is not on sale in any channel until the new day, and its message stands in the catalogue. The result is an [Offer].
type ConfirmPutOff struct {
	Service  string `json:"service"`
	Until    string `json:"until,omitempty"`
	Proposer string `json:"proposer"`
}

func (PutOff) Kind() string         { return "put_off" }
func (c PutOff) Keys() []Key        { return []Key{deferralKey(c.Service)} }
func (ConfirmPutOff) Kind() string  { return "confirm_put_off" }
func (c ConfirmPutOff) Keys() []Key { return []Key{deferralKey(c.Service), gameKey(c.Service)} }

func (c PutOff) Plan(p *Plan) (any, error) {
	first, err := firstOf(c.Service)
	if err != nil {
		return nil, err
	}
	if err := p.person(); err != nil {
		return nil, err
	}
	if strings.TrimSpace(c.Why) == "" || len(c.Why) > whyMax {
		return nil, refuse(Invalid, "game.why", "why", "say why, in at most %d bytes", whyMax)
	}
	if len(c.French) > messageMax || len(c.English) > messageMax {
		return nil, refuse(Invalid, "game.message", "french", "messages of %d and %d bytes, accepted at most %d", len(c.French), len(c.English), messageMax)
	}
	if _, err := time.Parse(time.DateOnly, c.Until); c.Until != "" && (err != nil || c.Until < first.Effective) {
		return nil, refuse(Invalid, "put_off.until", "until", "new day of effect %.20q, accepted a day as YYYY-MM-DD from %s on, or none", c.Until, first.Effective)
	}
	d := edit[Deferral](p, deferralKey(c.Service))
	if d == nil {
		d = &Deferral{Service: c.Service}
		p.insert(d)
	}
	*d = Deferral{
		Service: c.Service, State: DeferralProposed, Until: c.Until, Why: c.Why, French: c.French, English: c.English,
		Proposer: p.Principal, At: p.Now.UnixMicro(),
	}
	if d.French == "" {
		d.French = fmt.Sprintf("Pour des raisons techniques, « %s » ne peut pas être proposé à compter du %s.", first.Title, frenchDay(parseDay(first.Effective)))
		if c.Until != "" {
			d.French += fmt.Sprintf(" Les prises de jeu seront possibles à compter du %s.", frenchDay(parseDay(c.Until)))
		}
	}
	if d.English == "" {
		d.English = fmt.Sprintf("For technical reasons “%s” cannot be offered from %s on.", first.Title, englishDay(parseDay(first.Effective)))
		if c.Until != "" {
			d.English += fmt.Sprintf(" It can be played from %s on.", englishDay(parseDay(c.Until)))
		}
	}
	return d, nil
}

// person refuses a principal who is no member of the staff in person: what takes two people is not done by programs.
func (p *Plan) person() error {
	if !strings.HasPrefix(p.Principal, "staff/") {
		return refuse(Forbidden, "principal.person", "", "a member of the staff does that, in person")
	}
	return nil
}

// Plan puts the deferral in force.
// Art. packs@2018-10-29:1, Art. donuts@2019-06-25:1, Art. donuts@2019-06-25:annex.1 (« Si cette date ne pouvait pas être respectée pour des raisons
// techniques, les joueurs en seraient informés par un message sur le site »).
func (c ConfirmPutOff) Plan(p *Plan) (any, error) {
	if _, err := firstOf(c.Service); err != nil {
		return nil, err
	}
	if err := p.person(); err != nil {
		return nil, err
	}
	d := edit[Deferral](p, deferralKey(c.Service))
	switch {
	case d == nil || d.State != DeferralProposed:
		return nil, refuse(Conflict, "put_off.none", "service", "nothing is proposed for %s", c.Service)
	case d.Until != c.Until || d.Proposer != c.Proposer:
		return nil, refuse(Conflict, "put_off.other", "until", "proposed is the day %q, by %s: look at that first", d.Until, d.Proposer)
	case d.Proposer == p.Principal:
		return nil, refuse(Forbidden, "put_off.same", "", "two people put off a day of effect: somebody else confirms what you proposed")
	}
	d.State, d.Confirmer, d.At = DeferralConfirmed, p.Principal, p.Now.UnixMicro()
	g := edit[Game](p, gameKey(c.Service))
	if g == nil {
		g = &Game{ID: c.Service}
		p.insert(g)
	}
	g.PutOff, g.Until, g.LateFrench, g.LateEnglish, g.At = 1, d.Until, d.French, d.English, p.Now.UnixMicro()
	return offer(c.Service, g, p.Now)
}

// firstVersion is what the text says of a game's or service's first day.
type firstVersion struct {
	Title, Effective string
	article          string // that states the day
}

// firstOf returns the first day of effect of a ladder game or of the packs.
func firstOf(service string) (firstVersion, error) {
	if service == ServicePacks {
		return packsFirst, nil
	}
	latest, err := ladderGame(service)
	if err != nil {
		return firstVersion{}, err
	}
	versions, err := games.Versions(service)
	if err != nil {
		return firstVersion{}, err
	}
	return firstVersion{versions[0].Header.Title, versions[0].Header.Effective, effectiveArticle(latest)}, nil
}

// packsFirst is what the text says of the packs: the day is that of the first rulebook which has them.
var packsFirst = func() firstVersion {
	for _, book := range games.All() {
		if book.Pack != nil && book.Header.Game == "loto" {
			return firstVersion{"Packs MultiChances", book.Header.Effective, effectiveArticle(book)}
		}
	}
	panic("central: no rulebook of Loto has packs")
}()

// effectiveArticle is the article that states the day of effect of a version.
func effectiveArticle(book *rulebook.Rulebook) string {
	for _, f := range book.Facts {
		if f.Path == "header.effective" {
			return f.Article
		}
	}
	return ""
}

// late reports whether the day of effect is put off, and the new one has not come.
func (g *Game) late(now time.Time) bool {
	return g != nil && g.PutOff == 1 && (g.Until == "" || games.Day(now) < g.Until)
}

// offerPacks says whether packs are on sale (Art. packs@2018-10-29:1, « à compter du lundi 29 octobre 2018 »).
func offerPacks(row *Game, now time.Time) *Offer {
	o := &Offer{Game: ServicePacks, article: packsFirst.article, OnSale: games.Day(now) >= packsFirst.Effective}
	o.tell(row, packsFirst, now)
	return o
}

// tell takes an offer off sale where its day has not come or is put off, and sets what players are told. A deferral comes before the calendar: it says
// why the day is not met.
func (o *Offer) tell(row *Game, first firstVersion, now time.Time) {
	switch {
	case row != nil && row.Withdrawn == 1:
		o.OnSale, o.French, o.English = false, row.French, row.English
	case row.late(now):
		o.OnSale, o.French, o.English = false, row.LateFrench, row.LateEnglish
	case !o.OnSale:
		day := parseDay(first.Effective)
		o.French = fmt.Sprintf("Les prises de jeu pour « %s » seront, en principe, possibles à compter du %s.", first.Title, frenchDay(day))
		o.English = fmt.Sprintf("“%s” can be played, in principle, from %s on.", first.Title, englishDay(day))
	}
}

// packsOffered refuses shares of packs before the day on which the service begins.
func (p *Plan) packsOffered() error {
	if o := offerPacks(get[Game](p, gameKey(ServicePacks)), p.Now); !o.OnSale {
		r := refuse(Closed, "pack.not_on_sale", "type", "%s", o.English)
		r.French, r.Article = o.French, o.article
		return r
	}
	return nil
}

// ReadDeferral returns the last proposal to put off the day of effect of a game or service, nil for none.
func ReadDeferral(ctx context.Context, snap Snapshot, service string) (*Deferral, error) {
	row, err := snap.Get(ctx, deferralKey(service))
	if row == nil || err != nil {
		return nil, err
	}
	return row.(*Deferral), nil
}

// parseDay reads a day that was checked.
func parseDay(day string) time.Time {
	t, err := time.Parse(time.DateOnly, day)
	if err != nil {
		panic(fmt.Sprintf("central: day %q was checked", day))
	}
	return t
}

func englishDay(t time.Time) string { return t.Format("2 January 2006") }

// checkDeferrals: what is put off was confirmed by a second person.
func (b *books) checkDeferrals() error {
	confirmed := map[string]bool{}
	err := b.scan(Deferrals, func(r Row) error {
		d := r.(*Deferral)
		if (d.State == DeferralConfirmed) != (d.Confirmer != "") || d.Confirmer == d.Proposer {
			return fmt.Errorf("the deferral of %s is %s, proposed by %s and confirmed by %q", d.Service, d.State, d.Proposer, d.Confirmer)
		}
		confirmed[d.Service] = true
		return nil
	})
	if err != nil {
		return err
	}
	return b.scan(Games, func(r Row) error {
		if g := r.(*Game); g.PutOff == 1 && !confirmed[g.ID] {
			return fmt.Errorf("%s is put off without two people", g.ID)
		}
		return nil
	})
}
