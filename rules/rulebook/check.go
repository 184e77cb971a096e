package rulebook

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"time"

	"tirage/rules/combin"
	"tirage/rules/money"
)

// Problem is one reason to refuse a rulebook.
type Problem struct {
	Path   string // the value at fault: "prizes.ranks.2.ways"; rows are counted from 1
	Reason string // what was found; what is accepted
}

// checker collects the problems of one rulebook.
type checker struct {
	*Rulebook
	problems []Problem
}

func (c *checker) refuse(path, format string, args ...any) {
	c.problems = append(c.problems, Problem{path, fmt.Sprintf(format, args...)})
}

// Check returns why r must be refused, nothing when it stands. A rulebook that stands is ready for [Rulebook.RankOf].
func (r *Rulebook) Check() []Problem {
	c := &checker{Rulebook: r}
	c.header()
	c.sold()
	if c.matrix() {
		c.sale()
		c.prizes()
		c.pack()
	}
	c.codes()
	c.calendar()
	c.funds()
	c.digits()
	c.rounds()
	if c.problems == nil && r.Prizes != nil {
		r.ranks = newRankTable(r.Prizes)
	}
	return c.problems
}

// sold refuses a game that gives nothing to win.
func (c *checker) sold() {
	if c.Prizes == nil && len(c.Codes) == 0 && c.Digits == nil && c.Ladder == nil {
		c.refuse("header", "a game without prizes, codes, digits and ladder; accepted: at least one of the tables [prizes], [[codes]], [digits], [ladder]")
	}
	if c.Ladder != nil && (c.Prizes != nil || len(c.Codes) > 0 || c.Digits != nil || c.Pack != nil) {
		c.refuse("ladder", "a ladder in a game of draws; accepted: one of the two")
	}
	if (c.Prizes == nil) != (c.Matrix == combin.Matrix{}) {
		c.refuse("matrix", "a matrix without ranks, or ranks without a matrix; accepted: both or none")
	}
}

func (c *checker) header() {
	h := c.Header
	for i, r := range h.Game {
		if r < 'a' || r > 'z' || i >= 20 {
			c.refuse("header.game", "game %.30q; accepted: up to 20 small letters", h.Game)
			break
		}
	}
	if h.Made > h.JO {
		c.refuse("header.jo", "published on %s, made on %s; accepted: the day it was made or a later one", h.JO, h.Made)
	}
	if h.Effective < h.JO {
		c.refuse("header.effective", "in force from %s, its base text published on %s; accepted: a later day", h.Effective, h.JO)
	}
	last := h.JO
	for i, a := range h.Amendments {
		path := fmt.Sprintf("header.amendments.%d.jo", i+1)
		if a.JO <= last {
			c.refuse(path, "amendment published on %s, after a text of %s; accepted: a later day, in order", a.JO, last)
		}
		if a.Made > a.JO {
			c.refuse(path, "amendment made on %s, published on %s; accepted: the day it was made or a later one", a.Made, a.JO)
		}
		last = a.JO
	}
	c.renumbering()
}

// renumbering refuses two articles that meet on one number, and a deleted article that is also renumbered.
func (c *checker) renumbering() {
	taken := map[string]string{}
	for _, old := range slices.Sorted(maps.Keys(c.Header.Renumbered)) {
		now := c.Header.Renumbered[old]
		switch {
		case old == now:
			c.refuse("header.renumbered", "article %s becomes itself; accepted: another number", old)
		case taken[now] != "":
			c.refuse("header.renumbered", "articles %s and %s both become %s; accepted: one of them", taken[now], old, now)
		case slices.Contains(c.Header.Repealed, old):
			c.refuse("header.renumbered", "article %s is deleted and becomes %s; accepted: one of the two", old, now)
		}
		taken[now] = old
	}
}

// matrix reports whether the matrix can be counted on; the checks of formats and ranks need it.
func (c *checker) matrix() bool {
	m := c.Matrix
	if m == (combin.Matrix{}) {
		return true
	}
	if m.MainOf > combin.MainBits || m.ExtraOf > combin.ExtraBits {
		c.refuse("matrix", "numbers to %d and extra numbers to %d; accepted: to %d and %d", m.MainOf, m.ExtraOf, combin.MainBits, combin.ExtraBits)
		return false
	}
	if m.Main < 1 || m.Main > m.MainOf || m.Extra < 1 || m.Extra > m.ExtraOf {
		c.refuse("matrix", "a draw of %d numbers of %d and %d extra numbers of %d; accepted: at least one of each, at most all", m.Main, m.MainOf, m.Extra, m.ExtraOf)
		return false
	}
	if c.Total != m.Total() {
		c.refuse("matrix.total", "%d simple combinations; accepted: %d, C(%d,%d)·C(%d,%d)", c.Total, m.Total(), m.MainOf, m.Main, m.ExtraOf, m.Extra)
	}
	return true
}

func (c *checker) sale() {
	s := c.Sale
	if s.Price <= 0 && c.Digits == nil {
		c.refuse("sale.price", "price %v €; accepted: at least 0.01", s.Price)
	}
	for _, game := range slices.Concat(s.With, s.AddOns) {
		if game == c.Header.Game {
			c.refuse("sale", "%s is sold with itself; accepted: other games", game)
		}
	}
	c.priceParts()
	if c.formats("sale.formats", s.Formats) && s.MaxCombos > 0 {
		c.largestFormat()
	}
	if s.MaxIdentical > 0 && c.Prizes == nil {
		c.refuse("sale.max_identical", "a limit on identical combinations; accepted: in a game of combinations")
	}
	if s.MaxIdentical > MaxIdentical {
		c.refuse("sale.max_identical", "%d identical combinations; accepted: at most %d, they are counted in one byte", s.MaxIdentical, MaxIdentical)
	}
}

// priceParts refuses parts that do not make the price, or that go to a game not sold with this one.
func (c *checker) priceParts() {
	if c.Sale.PriceParts == nil {
		return
	}
	var sum money.Cents
	for _, game := range slices.Sorted(maps.Keys(c.Sale.PriceParts)) {
		sum = money.Add(sum, c.Sale.PriceParts[game])
		if game != c.Header.Game && !slices.Contains(c.Sale.With, game) {
			c.refuse("sale.price_parts", "a part for %.30s; accepted: the game and those sold with it: %s", game, list(append([]string{c.Header.Game}, c.Sale.With...)))
		}
	}
	if sum != c.Sale.Price {
		c.refuse("sale.price_parts", "parts that add up to %v €; accepted: the price, %v €", sum, c.Sale.Price)
	}
}

// formats refuses formats outside the matrix, and two rows for the same number of main numbers. It reports whether all stand.
func (c *checker) formats(path string, ranges []FormatRange) bool {
	before := len(c.problems)
	seen := map[int]bool{}
	for _, r := range ranges {
		if r.Main < c.Matrix.Main || r.Main > c.Matrix.MainOf || r.ExtraMin < c.Matrix.Extra || r.ExtraMax > c.Matrix.ExtraOf || r.ExtraMin > r.ExtraMax {
			c.refuse(path, "format %v; accepted: %d to %d numbers and %d to %d extra numbers", r, c.Matrix.Main, c.Matrix.MainOf, c.Matrix.Extra, c.Matrix.ExtraOf)
		}
		if seen[r.Main] {
			c.refuse(path, "format %v: %d numbers stand in two formats; accepted: one for each number of numbers", r, r.Main)
		}
		seen[r.Main] = true
	}
	if len(ranges) == 0 && c.Prizes != nil {
		c.refuse(path, "no format; accepted: at least that of a simple combination, %dx%d", c.Matrix.Main, c.Matrix.Extra)
	}
	return len(c.problems) == before
}

// largestFormat refuses formats larger than the stated largest play, and a largest play that no format reaches.
func (c *checker) largestFormat() {
	var largest int64
	for _, r := range c.Sale.Formats {
		n := r.Largest().Count(c.Matrix)
		if n > c.Sale.MaxCombos {
			c.refuse("sale.formats", "format %v holds %d simple combinations; accepted: at most %d (sale.max_combinations)", r.Largest(), n, c.Sale.MaxCombos)
		}
		largest = max(largest, n)
	}
	if largest < c.Sale.MaxCombos {
		c.refuse("sale.max_combinations", "at most %d simple combinations in a play; accepted: %d, the largest of the formats", c.Sale.MaxCombos, largest)
	}
}

func (c *checker) pack() {
	p := c.Pack
	if p == nil {
		return
	}
	c.formats("pack.formats", p.Formats)
	if !slices.IsSorted(p.Formulas) || len(slices.Compact(slices.Clone(p.Formulas))) != len(p.Formulas) || (len(p.Formulas) > 0 && p.Formulas[0] < 1) {
		c.refuse("pack.formulas", "formulas of %v shares; accepted: numbers of shares from 1 up, each larger than the one before", p.Formulas)
	}
	for _, fund := range []struct{ path, account string }{
		{"pack.reserve_ranks", p.ReserveRanks}, {"pack.reserve_code", p.ReserveCode}, {"pack.reserve_euro_code", p.ReserveEuroCode},
	} {
		c.fund(fund.path, fund.account)
	}
	if c.Prizes != nil && p.ReserveRanks == "" {
		c.refuse("pack", "no fund for the gains of unsold shares at the ranks; accepted: reserve_ranks with one of the funds")
	}
	if p.ReserveRanks+p.ReserveCode+p.ReserveEuroCode == "" {
		c.refuse("pack", "no fund for the gains of unsold shares; accepted: reserve_ranks, reserve_code or reserve_euro_code")
	}
}

func (c *checker) calendar() {
	if c.Ladder != nil { // every play is a draw of its own, at once
		if c.Calendar.Close != "" || len(c.Calendar.Weekdays) > 0 {
			c.refuse("calendar", "a calendar of draws for a ladder; accepted: none")
		}
		return
	}
	seen := map[string]bool{}
	for _, day := range c.Calendar.Weekdays {
		if seen[day] {
			c.refuse("calendar.weekdays", "%s stands twice; accepted: once", day)
		}
		seen[day] = true
	}
	if c.hour("calendar.close", c.Calendar.Close) && c.Calendar.Draw != "" && c.hour("calendar.draw", c.Calendar.Draw) && c.Calendar.Draw < c.Calendar.Close {
		c.refuse("calendar.draw", "draw at %s, close at %s; accepted: a draw when the sales are closed", c.Calendar.Draw, c.Calendar.Close)
	}
	if (c.Calendar.Draw == "") != (c.Calendar.SaleDays == 0) {
		c.refuse("calendar.sale_days", "draw at %q, %d days of sale; accepted: both or neither", c.Calendar.Draw, c.Calendar.SaleDays)
	}
	if c.Calendar.ClaimDays < 1 {
		c.refuse("calendar.claim_days", "%d days to claim a gain; accepted: at least 1", c.Calendar.ClaimDays)
	}
}

// hour refuses what is no hour of the day, and the hour that two nights of the year have twice or not at all.
func (c *checker) hour(path, hour string) bool {
	_, err := time.Parse("15:04", hour)
	ok := err == nil && len(hour) == len("15:04") && !strings.HasPrefix(hour, "02:")
	if !ok {
		c.refuse(path, "hour %.20q; accepted: hours and minutes from 00:00 to 23:59, but not from 02:00 to 02:59, which the nights of the change of hour have twice or not at all", hour)
	}
	return ok
}

func (c *checker) funds() {
	seen := map[string]bool{}
	for i, f := range c.Funds {
		if seen[f.Account] {
			c.refuse(fmt.Sprintf("funds.%d.account", i+1), "fund %s stands twice; accepted: once", f.Account)
		}
		seen[f.Account] = true
	}
	c.fund("calendar.unclaimed", c.Unclaimed)
}

// fund refuses an account that is none of the funds of the rulebook.
func (c *checker) fund(path, account string) {
	if account == "" || slices.ContainsFunc(c.Funds, func(f Fund) bool { return f.Account == account }) {
		return
	}
	var accounts []string
	for _, f := range c.Funds {
		accounts = append(accounts, f.Account)
	}
	c.refuse(path, "fund %.40q; accepted: one of the funds of the file: %s", account, list(accounts))
}

// digits refuses a table whose gains do not fall with the digits, or that returns more than the winners' share.
func (c *checker) digits() {
	d := c.Digits
	if d == nil {
		return
	}
	if d.Length < 1 || d.Length > 9 {
		c.refuse("digits.length", "numbers of %d digits; accepted: 1 to 9", d.Length)
		return
	}
	if len(d.Stakes) == 0 {
		c.refuse("digits", "no stake; accepted: at least one row in stakes")
	}
	for i, s := range d.Stakes {
		path := fmt.Sprintf("digits.stakes.%d", i+1)
		if s.Stake < 1 || (i > 0 && s.Stake <= d.Stakes[i-1].Stake) {
			c.refuse(path+".stake", "stake %v €; accepted: larger than 0 and than the one before", s.Stake)
			continue
		}
		c.digitGains(path+".gains", s)
	}
}

// Bounds of what a server does with rounds: nobody's stake is kept for more than a year, nobody waits for more than an hour.
const (
	maxAbandonDays  = 366
	maxFloorSeconds = 3600
)

func (c *checker) rounds() {
	if c.Ladder == nil {
		if c.Rounds != (Rounds{}) {
			c.refuse("rounds", "rounds in a game of draws; accepted: in a ladder only")
		}
		return
	}
	if d := c.Rounds.AbandonDays; d < 1 || d > maxAbandonDays {
		c.refuse("rounds.abandon_days", "an open round is closed after %d days; accepted: 1 to %d", d, maxAbandonDays)
	}
	if s := c.Rounds.FloorSeconds; s > maxFloorSeconds {
		c.refuse("rounds.floor_seconds", "%d seconds between two plays; accepted: 0 to %d", s, maxFloorSeconds)
	}
}

func (c *checker) digitGains(path string, s DigitStake) {
	d := c.Digits
	if len(s.Gains) != d.Length {
		c.refuse(path, "%d gains; accepted: %d, for %d digits right down to 1", len(s.Gains), d.Length, d.Length)
		return
	}
	for k, gain := range s.Gains {
		if gain < 1 || (k > 0 && gain >= s.Gains[k-1]) {
			c.refuse(path, "a gain of %v € for %d digits; accepted: more than nothing and less than for %d", gain, d.Length-k, d.Length-k+1)
			return
		}
	}
	if r := s.Return(); r.Cmp(big.NewRat(int64(d.WinnersShare), 100_00)) > 0 {
		c.refuse(path, "gains that return %s of the stake; accepted: at most the winners' share, %v", r.FloatString(4), d.WinnersShare)
	}
}

// Return returns the part of the stake that the table pays on average, each number being as likely as any other.
func (s DigitStake) Return() *big.Rat {
	// One number has all digits right; 9·10^(k−1) have all but the k first right in order, counted from the right.
	paid, ways, numbers := new(big.Int), big.NewInt(1), big.NewInt(1)
	ten := big.NewInt(10)
	for k, gain := range s.Gains {
		paid.Add(paid, new(big.Int).Mul(big.NewInt(int64(gain)), ways))
		if k == 0 {
			ways.SetInt64(9)
		} else {
			ways.Mul(ways, ten)
		}
		numbers.Mul(numbers, ten)
	}
	return new(big.Rat).SetFrac(paid, numbers.Mul(numbers, big.NewInt(int64(s.Stake))))
}

func list(words []string) string {
	if len(words) == 0 {
		return "the file has none"
	}
	return strings.Join(words, ", ")
}
