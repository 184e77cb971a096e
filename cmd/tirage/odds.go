package main

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"tirage/games"
	"tirage/rules/codes"
	"tirage/rules/money"
	"tirage/rules/odds"
	"tirage/rules/prize"
	"tirage/rules/rulebook"
)

// oddsCmd is `tirage odds`: what can be won at a game, with which chance, and what it returns, exactly.
type oddsCmd struct {
	Game        string `arg:"" help:"Game: loto, superloto, grandloto, euromillions, mymillion, etoileplus, jokerplus, donuts, fortynine."`
	Date        string `placeholder:"DAY" help:"Day of the draw, YYYY-MM-DD, Europe/Paris (default: the newest rules)."`
	Jackpot     string `placeholder:"EUROS" help:"Jackpot to count at rank 1 where gains are fixed (default: the first of a cycle)."`
	IssuedCodes int64  `placeholder:"N" help:"Codes issued for the draw: their odds are then counted too."`
	JSON        bool   `name:"json" help:"Print the whole report as JSON."`
}

func (c *oddsCmd) Help() string {
	return "Odds are exact fractions; « 1 chance sur » is their inverse rounded half-up, to two decimals below 100 and to the whole above."
}

func (c *oddsCmd) Run(p *program) error {
	book, err := bookOn(c.Game, c.Date)
	if err != nil {
		return err
	}
	report, err := c.report(book)
	if err != nil {
		return err
	}
	if c.JSON {
		return p.printJSON(report)
	}
	report.print(p.out)
	return nil
}

// bookOn returns the rulebook of a game in force on a day, the newest without one.
func bookOn(game, day string) (*rulebook.Rulebook, error) {
	if day != "" {
		return games.InForce(game, day)
	}
	versions, err := games.Versions(game)
	if err != nil {
		return nil, err
	}
	return versions[len(versions)-1], nil
}

// oddsReport is what the command prints. Amounts in cents are whole numbers; what ends in Euros, and each chance, is an exact
// fraction written as text.
type oddsReport struct {
	Version      string         `json:"version"` // "loto@2018-10-29"
	Title        string         `json:"title"`
	Matrix       string         `json:"matrix,omitempty"`
	Combinations int64          `json:"combinations,omitempty"`
	PriceCents   money.Cents    `json:"price_cents"`
	Ranks        []rankOdds     `json:"ranks,omitempty"`
	AnyGain      *chance        `json:"any_gain,omitempty"` // at the ranks, of one simple combination
	Returns      []expected     `json:"returns,omitempty"`
	Codes        []codeOdds     `json:"codes,omitempty"`
	Digits       []digitsOdds   `json:"digits,omitempty"`
	Ladder       *ladderOdds    `json:"ladder,omitempty"`
	Assumed      []assumedValue `json:"assumed,omitempty"`
	Notes        []string       `json:"notes,omitempty"`
}

// chance is one probability in all its forms.
type chance struct {
	Exact   string `json:"exact"`   // "11/953442"
	OneIn   string `json:"one_in"`  // "86677"
	French  string `json:"fr"`      // "1 chance sur 86 677"
	English string `json:"en"`      // "1 in 86,677"
	Percent string `json:"percent"` // "0.0012%"
}

type rankOdds struct {
	Rank       int                 `json:"rank"`
	Hits       []string            `json:"hits"` // "4+1": main and extra numbers
	Ways       int64               `json:"ways"`
	Odds       chance              `json:"odds"`
	GainCents  money.Cents         `json:"gain_cents,omitempty"` // fixed, or base gain
	Gain       string              `json:"gain"`
	Article    string              `json:"article"`
	Confidence rulebook.Confidence `json:"confidence"`
	Note       string              `json:"note,omitempty"`
}

// expected is a part of what one play is expected to win, and exactly what of it is counted.
type expected struct {
	Counted string `json:"counted"`
	Euros   string `json:"gain_euros,omitempty"` // exact
	OfPrice string `json:"of_price,omitempty"`   // exact
	// Variance is that of the gain of one play, in square euros, exact.
	Variance string `json:"variance_euros2,omitempty"`
	mean     *big.Rat
	ofPrice  *big.Rat
}

type codeOdds struct {
	Series      string              `json:"series"`
	First       string              `json:"first"` // of the whole series, as printed
	Last        string              `json:"last"`
	Possible    int64               `json:"possible"`
	Drawn       int64               `json:"drawn"`
	GainCents   money.Cents         `json:"gain_cents"`
	Exceptional bool                `json:"exceptional"`
	Odds        *chance             `json:"odds,omitempty"` // with the issued codes given
	Article     string              `json:"article"`
	Confidence  rulebook.Confidence `json:"confidence"`
	Note        string              `json:"note,omitempty"`
}

type digitsOdds struct {
	StakeCents money.Cents         `json:"stake_cents"`
	Confidence rulebook.Confidence `json:"confidence"`
	Rows       []digitRow          `json:"rows"`
	Return     expected            `json:"return"`
}

type digitRow struct {
	Right     int         `json:"right"` // digits right in order, from the right
	Odds      chance      `json:"odds"`
	GainCents money.Cents `json:"gain_cents"`
}

// assumedValue is a value that no source states.
type assumedValue struct {
	Path  string `json:"path"`
	Value string `json:"value"`
	Note  string `json:"note,omitempty"`
}

func newChance(p *big.Rat) chance {
	c := chance{Exact: p.RatString(), OneIn: "never", Percent: odds.Percent(p, percentDecimals(p))}
	decimals := 0
	if p.Sign() > 0 {
		x := new(big.Rat).Inv(p)
		if x.Cmp(big.NewRat(100, 1)) < 0 {
			decimals = 2
		}
		c.OneIn = odds.Decimal(x, decimals)
	}
	c.French, c.English = odds.French(p, decimals), odds.English(p, decimals)
	return c
}

// percentDecimals returns at least 2, and as many as it takes to show two digits of a small p.
func percentDecimals(p *big.Rat) int {
	d := 2
	for x := new(big.Rat).Set(p); x.Cmp(big.NewRat(1, 1000)) < 0 && d < 12; d++ {
		x.Mul(x, big.NewRat(10, 1))
	}
	return d
}

func (c *oddsCmd) report(book *rulebook.Rulebook) (*oddsReport, error) {
	r := &oddsReport{Version: book.Header.Version(), Title: book.Header.Title, PriceCents: book.Sale.Price}
	if err := r.addRanks(book, c.Jackpot); err != nil {
		return nil, err
	}
	if err := r.addCodes(book, c.IssuedCodes); err != nil {
		return nil, err
	}
	r.addDigits(book)
	if err := r.addLadder(book); err != nil {
		return nil, err
	}
	r.addTotal()
	for _, f := range book.Facts {
		section, _, _ := strings.Cut(f.Path, ".")
		if f.Confidence == rulebook.Assumed && slices.Contains([]string{"matrix", "sale", "prizes", "digits", "ladder"}, section) {
			r.Assumed = append(r.Assumed, assumedValue{f.Path, f.Value, f.Note})
		}
	}
	return r, nil
}

// factOf returns the provenance of the first of the paths that the rulebook has.
func factOf(book *rulebook.Rulebook, paths ...string) rulebook.Fact {
	for _, path := range paths {
		for _, f := range book.Facts {
			if f.Path == path {
				return f
			}
		}
	}
	return rulebook.Fact{}
}

func (r *oddsReport) addRanks(book *rulebook.Rulebook, jackpot string) error {
	table := book.Prizes
	if table == nil {
		if jackpot != "" {
			return fmt.Errorf("--jackpot: %s has no ranks", r.Version)
		}
		return nil
	}
	m := table.Matrix
	r.Matrix, r.Combinations = fmt.Sprintf("%d of %d + %d of %d", m.Main, m.MainOf, m.Extra, m.ExtraOf), m.Total()
	var all odds.Distribution
	for i, rank := range table.Ranks {
		p := odds.Chance(rank.Ways, m.Total())
		all = append(all, odds.Outcome{Chance: p, Value: new(big.Rat)})
		path := fmt.Sprintf("prizes.ranks.%d.", i+1)
		fact := factOf(book, path+"gain", path+"share", path+"ways")
		r.Ranks = append(r.Ranks, rankOdds{
			Rank: rank.Number, Hits: hitTexts(rank.Hits), Ways: rank.Ways, Odds: newChance(p),
			GainCents: rank.Fixed, Gain: gainText(table, rank), Article: fact.Article, Confidence: fact.Confidence, Note: fact.Note,
		})
	}
	gain := newChance(all.Total())
	r.AnyGain = &gain
	return r.addReturns(book, jackpot)
}

func hitTexts(hits []prize.Hits) []string {
	texts := make([]string, len(hits))
	for i, h := range hits {
		texts[i] = fmt.Sprintf("%d+%d", h.Main, h.Extra)
	}
	return texts
}

// gainText says in words what a rank pays: a fixed gain, the jackpot, a part of a pool, or a base with a part of the jackpot.
func gainText(t *prize.Table, r prize.Rank) string {
	var parts []string
	if r.Number == 1 && t.Model != prize.SidePool {
		parts = append(parts, jackpotText(t.Model))
	}
	if r.Fixed > 0 {
		parts = append(parts, euros(r.Fixed))
	}
	if r.Share > 0 {
		of := "the pool"
		switch t.Model {
		case prize.Spread:
			of = "an unwon jackpot"
		case prize.European:
			of = "the fund"
		}
		parts = append(parts, fmt.Sprintf("%v of %s", r.Share, of))
	}
	text := strings.Join(parts, " + ")
	if r.LateShare > 0 {
		text += fmt.Sprintf(" (late draw %v)", r.LateShare)
	}
	return text
}

// jackpotText names what rank 1 pays beside a share: the European jackpot is what the draws before left, and the share.
func jackpotText(m prize.Model) string {
	if m == prize.European {
		return "carry"
	}
	return "jackpot"
}

// addReturns says what a simple combination is expected to win. Where gains depend on the winners of each draw nothing is
// computed: the winners' share is what the rules promise.
func (r *oddsReport) addReturns(book *rulebook.Rulebook, jackpot string) error {
	table := book.Prizes
	if table.Model != prize.Fixed && table.Model != prize.Spread {
		if jackpot != "" {
			return fmt.Errorf("--jackpot: accepted for a game with fixed gains, those of %s depend on the winners", r.Version)
		}
		stake := book.Sale.Price
		if part, ok := book.Sale.PriceParts[book.Header.Game]; ok {
			stake = part
		}
		r.note("gains depend on the winners of each draw: no expectation is claimed; of each stake of %s, %v goes to the winners (%s)",
			euros(stake), table.WinnersShare, factOf(book, "prizes.winners_share").Confidence)
		return nil
	}
	var lower odds.Distribution
	for _, rank := range table.Ranks[1:] {
		lower = append(lower, odds.Outcome{Chance: odds.Chance(rank.Ways, table.Matrix.Total()), Value: rank.Fixed.Rat()})
	}
	counted, start := "ranks 2 to %d at their fixed gains", "the first of a cycle"
	if table.Model == prize.Spread {
		counted, start = "ranks 2 to %d at their base gains, the part of an unwon jackpot not counted", "as the rulebook has it"
	}
	r.addReturn(fmt.Sprintf(counted, len(table.Ranks)), lower)

	top, said := table.Jackpot.Start, start
	if jackpot != "" {
		var err error
		if top, err = money.Parse(jackpot); err != nil {
			return fmt.Errorf("--jackpot: %w", err)
		}
		said = "as given"
	}
	if top > 0 {
		r.addReturn(fmt.Sprintf("rank 1 with a jackpot of %s (%s), its winner taken to be alone", euros(top), said),
			odds.Distribution{{Chance: odds.Chance(table.Ranks[0].Ways, table.Matrix.Total()), Value: top.Rat()}})
	}
	return nil
}

func (r *oddsReport) addReturn(counted string, d odds.Distribution) {
	r.Returns = append(r.Returns, newExpected(counted, d, r.PriceCents))
}

// addTotal adds the sum of the returns: a play can win at a rank and by its code.
func (r *oddsReport) addTotal() {
	if len(r.Returns) < 2 {
		return
	}
	mean := new(big.Rat)
	for _, e := range r.Returns {
		mean.Add(mean, e.mean)
	}
	total := expected{Counted: "together", mean: mean, ofPrice: new(big.Rat).Quo(mean, inEuros(r.PriceCents.Rat()))}
	total.Euros, total.OfPrice = total.mean.RatString(), total.ofPrice.RatString()
	r.Returns = append(r.Returns, total)
}

// newExpected turns a distribution in cents into a mean in euros and a part of the price.
func newExpected(counted string, d odds.Distribution, price money.Cents) expected {
	e := expected{Counted: counted, mean: inEuros(d.Mean()), ofPrice: new(big.Rat).Quo(d.Mean(), price.Rat())}
	e.Euros, e.OfPrice = e.mean.RatString(), e.ofPrice.RatString()
	e.Variance = inEuros(inEuros(d.Variance())).RatString()
	return e
}

// inEuros returns exact cents as exact euros.
func inEuros(cents *big.Rat) *big.Rat { return new(big.Rat).Quo(cents, money.Euro.Rat()) }

func (r *oddsReport) addCodes(book *rulebook.Rulebook, issued int64) error {
	if issued != 0 && !slices.ContainsFunc(book.Codes, func(s codes.Series) bool { return !s.Exceptional }) {
		return fmt.Errorf("--issued-codes: %s gives no code with each combination; accepted for loto, superloto, grandloto, mymillion", r.Version)
	}
	for i, prizeRule := range book.CodePrizes {
		s, _ := book.Series(prizeRule.Series) // a rulebook has the series of each of its prizes
		fact := factOf(book, fmt.Sprintf("codes.%d.prize.gain", i+1))
		code := codeOdds{
			Series: s.ID, First: s.Format(0), Last: s.Format(s.Size() - 1), Possible: s.Size(), Drawn: prizeRule.Winners,
			GainCents: prizeRule.Gain, Exceptional: s.Exceptional, Article: fact.Article, Confidence: fact.Confidence, Note: fact.Note,
		}
		if issued != 0 && !s.Exceptional {
			if issued < prizeRule.Winners || issued > s.Size() {
				return fmt.Errorf("--issued-codes %d: accepted %d to %d, the codes drawn and the codes of the series", issued, prizeRule.Winners, s.Size())
			}
			p := odds.Chance(prizeRule.Winners, issued)
			c := newChance(p)
			code.Odds = &c
			r.addReturn(fmt.Sprintf("code %s, %d drawn among %d issued", s.ID, prizeRule.Winners, issued),
				odds.Distribution{{Chance: p, Value: prizeRule.Gain.Rat()}})
		}
		r.Codes = append(r.Codes, code)
	}
	for _, game := range book.Sale.With {
		r.note("sold with %s: tirage odds %s", game, game)
	}
	if issued == 0 && slices.ContainsFunc(r.Codes, func(c codeOdds) bool { return !c.Exceptional }) {
		r.note("codes are drawn among those issued for the draw: with --issued-codes N their odds are counted too")
	}
	return nil
}

func (r *oddsReport) note(format string, args ...any) {
	r.Notes = append(r.Notes, fmt.Sprintf(format, args...))
}

// addDigits adds the table of a number whose digits are matched from the right: 1 number in 10^n has all right, 9·10^(k−1) lack
// k and have the others.
func (r *oddsReport) addDigits(book *rulebook.Rulebook) {
	if book.Digits == nil {
		return
	}
	length := book.Digits.Length
	for i, s := range book.Digits.Stakes {
		fact := factOf(book, fmt.Sprintf("digits.stakes.%d.gains", i+1))
		table := digitsOdds{StakeCents: s.Stake, Confidence: fact.Confidence}
		var d odds.Distribution
		for wrong, gain := range s.Gains {
			p := digitChance(length, wrong)
			d = append(d, odds.Outcome{Chance: p, Value: gain.Rat()})
			table.Rows = append(table.Rows, digitRow{Right: length - wrong, Odds: newChance(p), GainCents: gain})
		}
		table.Return = newExpected(fmt.Sprintf("every gain at a stake of %s", euros(s.Stake)), d, s.Stake)
		r.Digits = append(r.Digits, table)
	}
}

// digitChance returns the probability that exactly the last length−wrong of the digits are right in order, from the right.
func digitChance(length, wrong int) *big.Rat {
	p := big.NewRat(1, 1)
	for range length - wrong {
		p.Quo(p, big.NewRat(10, 1))
	}
	if wrong > 0 {
		p.Mul(p, big.NewRat(9, 10))
	}
	return p
}
