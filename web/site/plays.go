package site

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"
	"tirage/central"
	"tirage/games"
	"tirage/rules/combin"
	"tirage/rules/drawing"
	"tirage/rules/money"
	"tirage/rules/pack"
	"tirage/rules/rulebook"
	"tirage/web/kit"
)

// receipt is a play as its player sees it, from the confirmation on and for ever.
//
// Art. loto@2018-10-29:14.8, Art. euromillions@2018-10-29:3.4.2.6 (contents after the confirmation and in the history).
type receipt struct {
	*central.PlayRecord
	Fresh    bool // just bought
	Name     string
	Sold     int64           // shares of this pack that others hold, −1 where that is not known
	Notice   *central.Notice // nil before the publication
	Wins     []win
	Find     string // a code that is looked for …
	Found    string // … and what came of it
	WonCodes []string
	Proof    *proof // nil where the leaf says what others paid: a group play
}

// win is one winning component: combinations at a rank, or codes.
type win struct {
	Name  string
	Count int64       // winning simple combinations, or codes
	Unit  money.Cents // gain of one
	Part  money.Cents // of one share of it; the gain itself for a play of one's own
	Total money.Cents // of the player
}

// playsPage is how many plays a page of the history lists.
const playsPage = 20

// history is what the list of plays shows.
type history struct {
	Plays  []*receipt
	Game   string
	Won    bool // those alone that have won
	Before int64
	Games  []string
}

func (s *site) plays(v *kit.Visit) error {
	before, _ := strconv.ParseInt(v.Form("before"), 10, 64)
	h := &history{Game: v.Form("game"), Won: v.Form("won") != ""}
	for {
		found, err := s.host.Register.ReadPlays(v.Context(), central.PlaysQuery{Player: v.Caller.Player, Before: max(0, before), Limit: playsPage})
		if err != nil {
			return err
		}
		for i := range found.Plays {
			p := &found.Plays[i]
			if h.Game != "" && p.Draw.Game != h.Game || h.Won && (p.Gain == nil || *p.Gain == 0) {
				continue
			}
			h.Plays = append(h.Plays, &receipt{PlayRecord: p, Name: playName(v, p)})
		}
		before, h.Before = found.Before, found.Before
		if before == 0 || len(h.Plays) >= playsPage {
			break
		}
	}
	for _, g := range games.Games() {
		if book, err := games.At(g, v.Now); err == nil && book.Calendar.Draw != "" {
			h.Games = append(h.Games, g)
		}
	}
	return v.Show(page(v.T("Mes jeux", "My plays"), kit.NavPlays, "", "htmx.js"), historyPage(v, h))
}

// playName says what was bought: "Pack Loto 600, 2 parts", "Loto, 1 grille".
func playName(v *kit.Visit, p *central.PlayRecord) string {
	if p.Pack != "" {
		return v.F("Pack %s, %s", "Pack %s, %s", packName(p.Draw.Title, p.Pack, p.Combinations), v.N(p.Shares, "%s part", "%s parts", "%s share", "%s shares"))
	}
	name := gameName(p.Draw.Title) + ", " + v.N(int64(len(p.Grids)), "%s grille", "%s grilles", "%s grid", "%s grids")
	if p.OfReceipts > 0 {
		name += v.F(", jeu en groupe, %s sur %s reçus", ", group play, %s of %s receipts", v.Count(int64(len(p.Receipts))), v.Count(p.OfReceipts))
	}
	return name
}

// receipt shows one play.
func (s *site) receipt(v *kit.Visit) error {
	record, err := s.host.Register.ReadPlay(v.Context(), v.Caller.Player, v.R.PathValue("draw"), v.R.PathValue("play"))
	if err != nil {
		return err
	}
	r := &receipt{PlayRecord: record, Fresh: v.Form("new") != "", Name: playName(v, record), Sold: -1, Find: v.Form("code")}
	err = v.View(func(snap central.Snapshot) error {
		if err := r.readPack(v, snap); err != nil {
			return err
		}
		d, err := kit.Get[*central.Draw](v.Context(), snap, central.Key{Table: central.Draws, S: record.Draw.Draw})
		if err != nil || d == nil || d.State != string(drawing.Published) {
			return err
		}
		r.Notice, err = noticeOf(v, snap, d)
		return err
	})
	if err != nil {
		return err
	}
	if r.Notice != nil {
		if err := r.count(v); err != nil {
			return err
		}
	}
	if r.Find != "" {
		r.find(v)
	}
	if r.OfReceipts == 0 {
		if r.Proof, err = s.proof(v); err != nil {
			return err
		}
	}
	return v.Show(page(r.Name, kit.NavPlays, tint(record.Draw.Game)), receiptPage(v, r))
}

// readPack reads how many shares of the pack are sold.
func (r *receipt) readPack(v *kit.Visit, snap central.Snapshot) error {
	kind, number, ok := strings.Cut(r.Pack, "/")
	if !ok {
		return nil
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil {
		return err
	}
	p, err := kit.Get[*central.Pack](v.Context(), snap, central.Key{Table: central.Packs, S: r.Draw.Draw, U: kind, N: n})
	if p != nil {
		r.Sold = p.Sold - r.Shares
	}
	return err
}

func (r *receipt) planche() kit.Planche {
	return kit.Planche{ID: "r", Total: r.PackShares, Sold: max(0, r.Sold), Mine: r.Shares}
}

// count finds each winning component with the kernel that the settlement uses, from the published notice.
//
// Art. loto@2018-10-29:14.8, Art. euromillions@2018-10-29:3.4.2.6: each gain is split and rounded, then the parts are added up.
func (r *receipt) count(v *kit.Visit) error {
	book, err := games.Version(r.Notice.Rules)
	if err != nil {
		return err
	}
	drawn, err := combin.Of(r.Notice.Main, r.Notice.Extra)
	if err != nil {
		return err
	}
	perRank := map[int]int64{}
	for _, g := range r.Grids {
		c, err := combin.Parse(g.Grid)
		if err != nil {
			return err
		}
		tally := combin.Winners(book.Matrix, c, drawn)
		for main := range tally {
			for extra, n := range tally[main] {
				if n > 0 && extra <= book.Matrix.Extra && main <= book.Matrix.Main {
					if rank := book.RankOf(main, extra); rank > 0 {
						perRank[rank] += n
					}
				}
			}
		}
	}
	for _, rank := range r.Notice.Ranks {
		if n := perRank[rank.Rank]; n > 0 {
			r.add(v.F("Rang %d, %s", "Rank %d, %s", rank.Rank, hitsWords(v, r.Notice.Game, book.Prizes.Ranks[rank.Rank-1].Hits)), n, rank.Gain)
		}
	}
	return r.countCodes(v)
}

// countCodes finds the winning codes among those of the play.
func (r *receipt) countCodes(v *kit.Visit) error {
	sold, err := games.Version(r.Rules)
	if err != nil {
		return err
	}
	for _, run := range r.Codes {
		for _, code := range r.Notice.Codes[run.Series] {
			if holdsCode(sold, run, code) {
				r.WonCodes = append(r.WonCodes, code)
				r.add(v.F("Code %s", "Code %s", code), 1, money.Cents(r.Notice.Gains[run.Series]))
			}
		}
	}
	return nil
}

// parts says into how many parts each gain is divided, 0 for none, and how many of them are the player's: shares of a pack, receipts of a group play.
func (r *receipt) parts() (mine, of int64) {
	switch {
	case r.PackShares > 0:
		return r.Shares, r.PackShares
	case r.OfReceipts > 0:
		return int64(len(r.Receipts)), r.OfReceipts
	}
	return 1, 0
}

// of is the second of [receipt.parts].
func (r *receipt) of() int64 {
	_, of := r.parts()
	return of
}

func (r *receipt) add(name string, n int64, unit money.Cents) {
	w := win{Name: name, Count: n, Unit: unit, Part: unit}
	mine, of := r.parts()
	if of > 0 {
		w.Part = pack.Part(unit, of)
	}
	w.Total = money.Mul(money.Mul(w.Part, n), mine)
	r.Wins = append(r.Wins, w)
}

// holdsCode reports whether a run of codes holds one.
func holdsCode(book *rulebook.Rulebook, run central.CodeRun, code string) bool {
	if len(run.All) > 0 {
		return slices.Contains(run.All, code)
	}
	series, ok := book.Series(run.Series)
	if !ok {
		return false
	}
	n, err := series.Parse(code)
	if err != nil {
		return false
	}
	first, err := series.Parse(run.First)
	if err != nil {
		return false
	}
	last, err := series.Parse(run.Last)
	return err == nil && first <= n && n <= last
}

// find looks for a code among those of the play.
func (r *receipt) find(v *kit.Visit) {
	book, err := games.Version(r.Rules)
	if err == nil {
		for _, run := range r.Codes {
			if holdsCode(book, run, strings.ToUpper(r.Find)) {
				r.Found = v.F("Oui : %s est dans cette prise de jeu.", "Yes: %s is in this play.", strings.ToUpper(r.Find))
				return
			}
		}
	}
	r.Found = v.T("Non : ce code n'est pas dans cette prise de jeu.", "No: this code is not in this play.")
}

func (r *receipt) stateWords(v *kit.Visit) string {
	switch drawing.State(r.State) {
	case drawing.Settled, drawing.Published:
		if r.Gain != nil && *r.Gain > 0 {
			return v.F("%s crédités pour une mise de %s.", "%s credited for a stake of %s.", v.Money(*r.Gain), v.Money(r.Cents))
		}
		return v.T("Aucun gain.", "No gain.")
	case drawing.Open:
		return v.T("Tirage à venir.", "Draw to come.")
	}
	return v.T("Tirage en cours, résultat à venir.", "Draw under way, result to come.")
}

// grid is a grid of the play, with what the draw has found in it once that is published.
func (r *receipt) grid(text string) kit.Balls {
	b := balls(r.Draw.Game, text, "s")
	if r.allExtras() {
		b.Extra = nil
	}
	if r.Notice != nil {
		return against(b, r.Notice.Main, r.Notice.Extra)
	}
	b.Outline = true
	return b
}

// hasRanges reports whether some codes stand as a range, in which one is looked for.
func hasRanges(r *receipt) bool {
	return slices.ContainsFunc(r.Codes, func(run central.CodeRun) bool { return len(run.All) == 0 })
}

func olderPath(h *history) templ.SafeURL {
	q := url.Values{"before": {strconv.FormatInt(h.Before, 10)}}
	if h.Game != "" {
		q.Set("game", h.Game)
	}
	if h.Won {
		q.Set("won", "1")
	}
	return templ.SafeURL("/plays?" + q.Encode())
}

// allExtras reports whether every grid holds every second number, which are then said once.
func (r *receipt) allExtras() bool {
	book, err := games.Version(r.Rules)
	if err != nil || len(r.Grids) < 2 {
		return false
	}
	return !slices.ContainsFunc(r.Grids, func(g central.GridRecord) bool {
		c, err := combin.Parse(g.Grid)
		return err != nil || len(c.Extra()) < book.Matrix.ExtraOf
	})
}

// extrasWords says which second numbers each grid of [receipt.allExtras] holds.
func (r *receipt) extrasWords(v *kit.Visit) string {
	book, err := games.Version(r.Rules)
	switch {
	case err != nil || !r.allExtras():
		return ""
	case stars(r.Draw.Game):
		return v.F("chacune avec les %d étoiles", "each with the %d stars", book.Matrix.ExtraOf)
	}
	return v.F("chacune avec les %d numéros Chance", "each with the %d Chance numbers", book.Matrix.ExtraOf)
}
