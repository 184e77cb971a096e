package site

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/a-h/templ"
	"tirage/central"
	"tirage/rules/money"
	"tirage/web/kit"
)

// quoted is a quote as its recap shows it.
type quoted struct {
	*central.Quote
	Title string
	Recap *central.Recap
	Limit *central.Limit
	Back  string // address of the choice, with all that was chosen
	Wrong string // why the confirmation before this was refused
}

// note is a sentence of the recap, "" for one that it has not.
func (q *quoted) note(item string) string {
	l, _ := q.Recap.Line(item)
	return l.Value
}

// lines are the items of the recap; the balance stands below them.
func (q *quoted) lines() (list []central.RecapLine) {
	for _, l := range q.Recap.Lines {
		if l.Item != "balance" {
			list = append(list, l)
		}
	}
	return list
}

// Days says in which draws the order takes part.
func (q *quoted) Days(v *kit.Visit) string {
	if q.Subscription != nil {
		return daysWords(v, q.Subscription.Days)
	}
	var days []string
	for _, d := range q.Draws {
		days = append(days, v.Day(d.Day))
	}
	return v.T("Tirage du ", "Draw of ") + strings.Join(days, v.T(", puis du ", ", then of "))
}

// confirmWords are on the button that confirms.
func (q *quoted) confirmWords(v *kit.Visit) string {
	if q.Subscription != nil {
		return v.F("M'abonner, à %s par tirage", "Subscribe, at %s for each draw", v.Money(q.Cents))
	}
	return v.F("Confirmer et débiter %s", "Confirm and pay %s", v.Money(q.Cents))
}

// subscribePath leads to a subscription with the same grids, "" where the order is no play of grids.
func (q *quoted) subscribePath() string {
	if _, ok := q.Order.Sale.(central.BuyPlay); !ok {
		return ""
	}
	path, query, _ := strings.Cut(q.Back, "?")
	return path + "/subscribe?" + query
}

// recap quotes an order and shows it. An order that nothing could make right leads back to its choice with the reason.
func (s *site) recap(v *kit.Visit, order central.Sale, back string) error {
	order, err := s.groups.Ready(v.Context(), order)
	if err != nil {
		return err
	}
	q, err := s.host.Register.Quote(v.Context(), order)
	if err != nil {
		return err
	}
	out := &quoted{Quote: q, Recap: q.Recap(string(v.Lang)), Back: back, Title: titleOf(q)}
	if out.Limit, err = stakeLimit(v); err != nil {
		return err
	}
	return v.Show(page(v.T("Relisez avant de confirmer", "Read it once more"), navOf(q), tint(gameOf(q))), recapPage(v, out))
}

// titleOf names what is ordered: "Pack Loto 600", "Loto, jeu en groupe", "Abo+ Loto".
func titleOf(q *central.Quote) string {
	switch {
	case q.Subscription != nil:
		return "Abo+ " + gameName(q.Subscription.Title)
	case q.Pack != nil:
		return "Pack " + packName(q.Draws[0].Title, q.Pack.Type, q.Pack.Combinations)
	}
	return gameName(q.Draws[0].Title)
}

// gameOf is the game of an order.
func gameOf(q *central.Quote) string {
	if q.Subscription != nil {
		return q.Subscription.Game
	}
	return q.Draws[0].Game
}

func navOf(q *central.Quote) kit.Nav {
	if q.Pack != nil {
		return kit.NavPacks
	}
	return kit.NavDraws
}

// confirm buys what was quoted, once, and leads to the receipt.
//
// Art. loto@2018-10-29:14.8 (« La prise de jeu est alors irrévocable »).
func (s *site) confirm(v *kit.Visit) error {
	slip, err := central.ParseQuote(v.Form("quote"))
	if err != nil {
		return err
	}
	if slip.Order.Sale, err = s.groups.Ready(v.Context(), slip.Order.Sale); err != nil {
		return err
	}
	var done confirmed
	err = v.Do(central.Confirm{Quote: *slip}, &done)
	var r *central.Refusal
	if errors.As(err, &r) && r.Reason == "quote.confirmed" { // in another tab: the receipt is the same
		if first, ok := r.Current.(central.Receipt); ok && json.Unmarshal(first.Result, &done) == nil {
			err = nil
		}
	}
	if refused := kit.Refused(err); refused != nil {
		return v.Status(http.StatusConflict).Show(page(v.T("Rien n'est débité", "Nothing was taken"), kit.NavDraws, ""), refusedPage(v, v.Said(refused), kit.Local(v.Form("back"))))
	}
	if err != nil {
		return err
	}
	if _, ok := slip.Order.Sale.(central.Subscribe); ok {
		return v.Go("/subscriptions?new=" + url.QueryEscape(done.Subscription))
	}
	return v.Go(receiptPath(drawOf(slip, done.Draw), done.Play, true))
}

// confirmed is what every result of a confirmation has in common: a play, or a subscription.
type confirmed struct {
	Draw         string `json:"draw"`
	Play         string `json:"play"`
	Subscription string `json:"subscription"`
}

// drawOf is the draw of a play that was bought: an order for several names each, an order for one leaves it to the order.
func drawOf(slip *central.Slip, named string) string {
	if named != "" {
		return named
	}
	switch o := slip.Order.Sale.(type) {
	case central.BuyShares:
		return o.Draw
	case central.BuyPlay:
		return o.Draw
	case central.Replay:
		return o.Draw
	case central.PlayGroup:
		return o.Draw
	}
	return ""
}

func receiptPath(draw, play string, fresh bool) string {
	p := "/plays/" + url.PathEscape(draw) + "/" + url.PathEscape(play)
	if fresh {
		p += "?new=1"
	}
	return p
}

func playLink(p *central.PlayRecord) templ.SafeURL {
	return templ.SafeURL(receiptPath(p.Draw.Draw, p.Play, false))
}

// modify drops a quote and leads back to the choice, which keeps everything.
//
// Art. loto@2018-10-29:14.8, Art. euromillions@2018-10-29:3.4.2.6 (the button that changes the play).
func (s *site) modify(v *kit.Visit) error {
	slip, err := central.ParseQuote(v.Form("quote"))
	if err != nil {
		return err
	}
	err = v.Do(central.DropQuote{Quote: *slip}, nil)
	if r := kit.Refused(err); r != nil && r.Reason == "quote.confirmed" { // in another tab: too late
		return err
	}
	if err != nil && kit.Refused(err) == nil {
		return err
	}
	return v.Go(v.Form("back"))
}

func depositPath(missing money.Cents, next string) templ.SafeURL {
	return templ.SafeURL("/account/deposit?amount=" + missing.String() + "&next=" + url.QueryEscape(next))
}

// balanceOf is the balance in cents for the script of a page, "" for whoever has none.
func balanceOf(v *kit.Visit) string {
	if v.Purse == nil {
		return ""
	}
	return strconv.FormatInt(int64(v.Purse.Balance), 10)
}

// articleWords names an article: "Art. 14.8."
func articleWords(v *kit.Visit, article string) string {
	if article == "" {
		return ""
	}
	return "Art. " + article + "."
}

// centsField reads an amount in cents that a form carries unseen, 0 where it carries none.
func centsField(v *kit.Visit, name string) (money.Cents, error) {
	text := v.Form(name)
	if text == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		return 0, v.NotFound()
	}
	return money.Cents(n), nil
}
