package site

import (
	"math/big"
	"net/url"
	"strconv"
	"strings"

	"tirage/central"
	"tirage/games"
	"tirage/rules/money"
	"tirage/rules/odds"
	"tirage/rules/pack"
	"tirage/rules/rulebook"
	"tirage/web/kit"
)

// packs is the list of all packs on sale.
func (s *site) packs(v *kit.Visit) error {
	c, err := catalogue(v)
	if err != nil {
		return err
	}
	return v.Show(page("Packs MultiChances", kit.NavPacks, "", "live.js"), packsPage(v, messages(v, c), stocks(c)))
}

func catalogue(v *kit.Visit) (c *central.Catalogue, err error) {
	err = v.View(func(snap central.Snapshot) error {
		c, err = central.ReadCatalogue(v.Context(), snap, v.Now)
		return err
	})
	return c, err
}

// choice is what the page of a pack shows.
type choice struct {
	stock
	Book     *rulebook.Rulebook // in force at the sale
	Wanted   int64              // shares that are chosen
	Formulas []formula
	Limit    *central.Limit // of stakes, nil for whoever has none
	Rounding []roundingRow
	Source   string // where the gains of the rounding table come from
	Lots     *lots  // what a hundred shares bring, nil where the gains are not known
	Message  string // of art. 1
}

// formula is one choice of shares and why it is impossible, "" when it is not.
type formula struct {
	central.Formula
	Why string
}

// roundingRow shows the rounding of one gain.
type roundingRow struct {
	Name  string
	Gain  money.Cents
	Exact *big.Rat // Gain / shares, in euros
	Part  money.Cents
}

// pack is the page of one pack: everything that the articles order to be shown before a share is chosen.
//
// Art. loto@2018-10-29:14.8, Art. euromillions@2018-10-29:3.4.2.6.
func (s *site) pack(v *kit.Visit) error {
	c, err := s.choice(v)
	if err != nil {
		return err
	}
	return v.Show(page(v.T("Pack ", "Pack ")+c.Name, kit.NavPacks, tint(c.Draw.Game), "live.js", "pack.js"), packPage(v, c))
}

func (s *site) choice(v *kit.Visit) (*choice, error) {
	all, err := catalogue(v)
	if err != nil {
		return nil, err
	}
	for _, p := range stocks(all) {
		if p.Draw.Draw == v.R.PathValue("draw") && p.Type == v.R.PathValue("type") {
			out := &choice{stock: p, Message: v.T(all.Packs.French, all.Packs.English)}
			return out, out.fill(v)
		}
	}
	return nil, &central.Refusal{
		Code: central.NotFound, Reason: "pack.gone", Text: "This pack is not on sale: its draw is closed, or there is none of this name. Nothing was taken.",
		French: "Ce pack n’est pas en vente\u00a0: son tirage est clos, ou il n’existe pas. Rien n’a été débité.",
	}
}

func (c *choice) fill(v *kit.Visit) (err error) {
	if c.Book, err = games.At(c.Draw.Game, v.Now); err != nil {
		return err
	}
	if v.Purse != nil {
		if c.Limit, err = stakeLimit(v); err != nil {
			return err
		}
	}
	for _, f := range c.PackTerms.Formulas {
		c.Formulas = append(c.Formulas, formula{f, c.hinders(v, f)})
	}
	c.Wanted, _ = strconv.ParseInt(v.Form("shares"), 10, 64)
	if !c.possible(c.Wanted) {
		c.Wanted = 0
		for _, f := range c.Formulas {
			if f.Why == "" {
				c.Wanted = f.Shares
				break
			}
		}
	}
	return v.View(func(snap central.Snapshot) error { return c.example(v, snap) })
}

func (c *choice) possible(shares int64) bool {
	for _, f := range c.Formulas {
		if f.Shares == shares {
			return f.Why == ""
		}
	}
	return false
}

// hinders says why a formula cannot be bought.
func (c *choice) hinders(v *kit.Visit, f central.Formula) string {
	switch {
	case !c.OnSale && c.Refusal != nil:
		return v.T(c.Refusal.French, c.Refusal.English)
	case !c.OnSale:
		return v.T("Les ventes de ce pack ne sont pas ouvertes.", "This pack is not on sale.")
	case f.Shares > c.Stock.Largest:
		return v.N(f.Shares, "%s part : il en reste moins.", "%s parts : il en reste moins.", "%s share: fewer are left.", "%s shares: fewer are left.")
	case c.Limit != nil && c.Limit.Cents != nil && f.Cents > c.Limit.Left:
		return v.F("La formule de %s parts dépasserait votre limite de mise (reste %s sur 7 jours).", "The %s shares would exceed your stake limit (%s left over 7 days).", v.Count(f.Shares), v.Money(c.Limit.Left))
	}
	return ""
}

// reasons lists why formulas are impossible, each once.
func (c *choice) reasons() (list []string) {
	seen := map[string]bool{}
	for _, f := range c.Formulas {
		if f.Why != "" && !seen[f.Why] {
			seen[f.Why] = true
			list = append(list, f.Why)
		}
	}
	return list
}

func (c *choice) cents(shares int64) money.Cents { return money.Mul(c.SharePrice, shares) }

func (c *choice) planche() kit.Planche {
	p := c.sheet("p")
	p.Want = c.Wanted
	return p
}

// example fills the table of roundings: with the fixed gains of the rulebook, or the last published gains of the game, or amounts of the rule's own.
func (c *choice) example(v *kit.Visit, snap central.Snapshot) error {
	prizes, err := games.Version(c.Draw.PrizeRules)
	if err != nil {
		return err
	}
	list, err := pack.FixedPrizes(prizes, 0)
	c.Source = v.T("Exemple avec les gains fixes du règlement :", "Example with the fixed gains of the regulation:")
	if err != nil {
		if list, err = c.published(v, snap); err != nil {
			return err
		}
	}
	c.Lots = lotsOf(&c.PackTerms, prizes, list)
	for _, p := range list {
		name := v.F("%d, %s", "%d, %s", p.Rank, hitsWords(v, c.Draw.Game, p.Hits))
		c.Rounding = append(c.Rounding, c.round(name, p.Gain))
	}
	if len(list) == 0 {
		c.Source = v.T("Exemples :", "Examples:")
		for _, gain := range []money.Cents{57_780, 2_090, 500, 220} {
			c.Rounding = append(c.Rounding, c.round(v.F("un gain de %s", "a gain of %s", v.Money(gain)), gain))
		}
	}
	return nil
}

// published returns the gains of the last published draw of the game, none where there is none under the same ranks.
func (c *choice) published(v *kit.Visit, snap central.Snapshot) ([]pack.Prize, error) {
	list, day, err := publishedGains(v, snap, c.Draw.Game)
	if day != "" {
		c.Source = v.F("Exemple avec les rapports du %s :", "Example with the gains of %s:", v.Day(day))
	}
	return list, err
}

// publishedGains are those of the last published draw of a game and its day, "" where there is none under the ranks of its version.
func publishedGains(v *kit.Visit, snap central.Snapshot, game string) (list []pack.Prize, day string, err error) {
	last, err := lastResults(v, snap)
	if err != nil {
		return nil, "", err
	}
	for _, n := range last {
		book, err := games.Version(n.Rules)
		if n.Game != game || err != nil || book.Prizes == nil || len(n.Ranks) != len(book.Prizes.Ranks) {
			continue
		}
		unit := make([]money.Cents, len(n.Ranks))
		for i, r := range n.Ranks {
			unit[i] = r.Gain
		}
		list, err = pack.DrawPrizes(book, unit)
		return list, n.Day, err
	}
	return nil, "", nil
}

func (c *choice) round(name string, gain money.Cents) roundingRow {
	return roundingRow{name, gain, big.NewRat(int64(gain), 100*c.Shares), pack.Part(gain, c.Shares)}
}

// best is the chance at rank 1 of the whole pack when no two of its combinations are the same.
func (c *choice) best() *big.Rat {
	return odds.Chance(min(c.Combinations, c.Book.Matrix.Total()), c.Book.Matrix.Total())
}

// excluded lists what cannot go with a pack, in words.
//
// Art. loto@2018-10-29:14.8, Art. euromillions@2018-10-29:3.4.2.6 (« ne peut pas »).
func (c *choice) excluded(v *kit.Visit) string {
	if c.Book.Pack == nil {
		return ""
	}
	var list []string
	for _, e := range c.Book.Pack.Excludes {
		switch e {
		case "subscription":
			list = append(list, v.T("avec Abo+", "with Abo+ (subscriptions)"))
		case "replay":
			list = append(list, v.T("avec « rejouer »", "with “replay”"))
		default:
			list = append(list, v.T("avec ", "with ")+nameOf(e))
		}
	}
	return v.F("Un pack ne se combine ni %s.", "A pack is combined neither %s.", strings.Join(list, v.T(", ni ", " nor ")))
}

// stakeLimit returns the limit of stakes of whoever asks, nil where none applies.
func stakeLimit(v *kit.Visit) (limit *central.Limit, err error) {
	limits, err := readLimits(v)
	for i := range limits {
		if limits[i].Of == central.LimitStakes {
			limit = &limits[i]
		}
	}
	return limit, err
}

// packRecap quotes shares and shows the recap. It writes nothing: a reload makes a new quote.
func (s *site) packRecap(v *kit.Visit) error {
	draw, kind := v.R.PathValue("draw"), v.R.PathValue("type")
	shares, _ := strconv.ParseInt(v.Form("shares"), 10, 64)
	back := "/packs/" + url.PathEscape(draw) + "/" + url.PathEscape(kind)
	return s.recap(v, central.BuyShares{Player: v.Caller.Player, Draw: draw, Type: kind, Shares: shares, Channel: central.ChannelWeb}, back+"?shares="+strconv.FormatInt(shares, 10))
}
