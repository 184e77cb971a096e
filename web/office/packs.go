package office

import (
	"cmp"
	"math/big"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"tirage/central"
	"tirage/games"
	"tirage/rules/combin"
	"tirage/rules/money"
	"tirage/rules/pack"
	"tirage/rules/rulebook"
	"tirage/web/kit"
)

// designer is a pack type as it is drawn up, with all that follows from its composition. What cannot be is said in Wrong and has no preview.
type designer struct {
	Game, Day  string // the rulebook in force on the day decides
	Book       *rulebook.Rulebook
	Offer      central.PackOffer
	Lines      []designLine
	Formats    []combin.Format
	Price      money.Cents // of the whole pack
	SharePrice money.Cents
	Combos     int64
	Series     []codeZone
	Preview    *pack.Preview
	Exact      *exactReturn // nil where gains depend on the winners of each draw
	Gains      string       // draw whose gains are shown, "" where the rulebook fixes them
	GainDraws  []string     // that can be chosen
	Choices    []shareChoice
	Wrong      string

	Design *central.DesignView // nil while it is drawn up
	OnSale []string            // draws on sale that it may be added to
}

// designLine is a format of the composition.
type designLine struct {
	Format string
	Count  int
	Combos int64
	Price  money.Cents
}

// shareChoice is a number of shares that divides the price.
type shareChoice struct {
	Shares int64
	Price  money.Cents
}

// codeZone is where the codes of a pack come from.
type codeZone struct {
	Title, First, Last string
	Sequential         bool
}

// exactReturn is what one pack wins on average at the fixed ranks and what all its shares are paid, as exact fractions of cents.
type exactReturn struct {
	pack.Expectation
	Gained, Paid, Effect *big.Rat // parts of the price
}

// designLines is how many formats a composition may have on the page.
const designLines = 4

// readDesigner reads what was typed, and works out what follows. Without a query it is the pack of the text: ten multiples 6×10 in 200 shares.
func (o *office) readDesigner(v *kit.Visit) (*designer, error) {
	d := &designer{Game: cmp.Or(v.Form("game"), "loto"), Day: cmp.Or(v.Form("from"), games.Day(v.Now))}
	d.Offer = central.PackOffer{Type: cmp.Or(v.Form("type"), "600"), MaxPacks: 50, Shares: 200}
	if v.Form("shares") == "" {
		d.Offer.Multiples = []string{"6x10*10"}
		if d.Game == "euromillions" {
			d.Offer.Type, d.Offer.Multiples, d.Offer.Shares = "660", []string{"5x12*10"}, 330
		}
		return d, d.work(v)
	}
	for i := 1; i <= designLines; i++ {
		n := strconv.Itoa(i)
		count, err := optional(v, "n"+n)
		if err != nil {
			d.Wrong = v.Said(kit.Refused(err))
			return d, d.read()
		}
		if f := v.Form("f" + n); count > 0 && f != "" {
			d.Offer.Multiples = append(d.Offer.Multiples, f+"*"+strconv.FormatInt(count, 10))
		}
	}
	simples, err := optional(v, "simples")
	if err == nil {
		d.Offer.Simples = int(min(simples, pack.CombinationsMax+1))
		d.Offer.Shares, err = number(v, "shares")
	}
	if err == nil {
		d.Offer.MaxPacks, err = number(v, "max")
	}
	if err == nil && v.Form("formulas") != "" {
		var f pack.Formulas
		if f, err = pack.ParseFormulas(v.Form("formulas")); err != nil {
			err = wrong("formulas", "accepted numbers of shares such as 1, 2, 5, 10", "des nombres de parts comme 1, 2, 5, 10 sont attendus")
		}
		d.Offer.Formulas = f
	}
	if err != nil {
		d.Wrong = v.Said(kit.Refused(err))
		return d, d.read()
	}
	return d, d.work(v)
}

// read finds the rulebook of the day and what it allows.
func (d *designer) read() error {
	book, err := games.InForce(d.Game, d.Day)
	if err != nil {
		return wrong("from", err.Error(), "jour ou jeu sans règlement")
	}
	d.Book = book
	if book.Pack == nil {
		return nil
	}
	for _, r := range book.Pack.Formats {
		for extra := r.ExtraMin; extra <= r.ExtraMax; extra++ {
			d.Formats = append(d.Formats, combin.Format{Main: r.Main, Extra: extra})
		}
	}
	return nil
}

// work works out what follows from the composition.
func (d *designer) work(v *kit.Visit) error {
	if err := d.read(); err != nil {
		d.Wrong = v.Said(kit.Refused(err))
		return nil
	}
	if d.Book.Pack == nil {
		d.Wrong = v.F("Le règlement %s n'a pas de packs : ils existent depuis le 29 octobre 2018.", "Rulebook %s has no packs: they exist since 29 October 2018.", d.Book.Header.Version())
		return nil
	}
	c, err := d.compose(v)
	if err != nil || d.Wrong != "" {
		return err
	}
	d.Combos = c.Combinations(d.Book.Matrix)
	d.Price = money.Mul(d.Book.Sale.Price, d.Combos)
	d.choose()
	t, err := pack.New(d.Book, c, d.Offer.Shares)
	if err != nil {
		d.Wrong = d.refused(v, err)
		return nil
	}
	if err := d.Offer.Check(d.Game, d.Day); err != nil {
		d.Wrong = v.T("Ce type de pack ne peut pas être proposé : ", "This pack type cannot be offered: ") + err.Error()
		return nil
	}
	d.SharePrice = t.SharePrice
	if err := d.zones(); err != nil {
		return err
	}
	return d.preview(v, t)
}

// compose reads the composition, and refuses what the rulebook does not allow before anything is multiplied.
func (d *designer) compose(v *kit.Visit) (pack.Composition, error) {
	c := pack.Composition{Simples: d.Offer.Simples}
	sum := int64(d.Offer.Simples)
	for _, s := range d.Offer.Multiples {
		m, err := pack.ParseMultiple(s)
		if err != nil || !d.Book.PackFormat(m.Format) || m.Count > pack.CombinationsMax {
			d.Wrong = v.F("Le format %s n'est pas admis dans un pack de %s.", "Format %s is not allowed in a pack of %s.", s, d.Book.Header.Version())
			return c, nil
		}
		n := m.Format.Count(d.Book.Matrix) * int64(m.Count)
		sum += n
		c.Multiples = append(c.Multiples, m)
		d.Lines = append(d.Lines, designLine{m.Format.String(), m.Count, n, money.Mul(d.Book.Sale.Price, min(n, pack.CombinationsMax))})
	}
	switch {
	case sum < 1:
		d.Wrong = v.T("Le pack est vide : au moins une combinaison simple est attendue.", "The pack is empty: at least one simple combination is expected.")
	case sum > pack.CombinationsMax:
		d.Wrong = v.F("%s combinaisons simples : %s au plus.", "%s simple combinations: at most %s.", v.Count(sum), v.Count(pack.CombinationsMax))
	}
	return c, nil
}

// refused says why the shares do not divide the price.
func (d *designer) refused(v *kit.Visit, err error) string {
	if n := d.Offer.Shares; n < 1 || n > pack.SharesMax || int64(d.Price)%n == 0 {
		return v.T("Ce type de pack ne peut pas être proposé : ", "This pack type cannot be offered: ") + err.Error()
	}
	return v.F("%s en %s parts ne tombe pas juste au centime : choisissez un autre nombre de parts.", "%s over %s shares is no whole number of cents: choose another number of shares.", v.Money(d.Price), v.Count(d.Offer.Shares))
}

// choose lists the numbers of shares that divide the price, those around the one typed.
func (d *designer) choose() {
	const around = 4
	var below, above []shareChoice
	for n := int64(2); n <= min(pack.SharesMax, int64(d.Price)); n++ {
		if int64(d.Price)%n != 0 {
			continue
		}
		c := shareChoice{n, d.Price / money.Cents(n)}
		switch {
		case n <= d.Offer.Shares:
			below = append(below, c)
		case len(above) < around:
			above = append(above, c)
		}
	}
	d.Choices = append(below[max(0, len(below)-around):], above...)
}

// zones names the codes that a pack takes: one for each simple combination, of each series sold with the game.
func (d *designer) zones() error {
	books := []*rulebook.Rulebook{d.Book}
	for _, game := range d.Book.Sale.With {
		with, err := games.InForce(game, d.Day)
		if err != nil {
			return err
		}
		books = append(books, with)
	}
	for _, b := range books {
		for i := range b.Codes {
			s := &b.Codes[i]
			if s.Exceptional {
				continue
			}
			zone := s.Zone(s.ZoneFor(d.Combos))
			d.Series = append(d.Series, codeZone{b.Header.Title, s.Format(zone.First), s.Format(zone.Last), d.Combos > s.RandomUpTo})
		}
	}
	return nil
}

// preview splits each gain between the shares: the gains of the rulebook, or where they depend on the winners those of a draw that this system has counted.
func (d *designer) preview(v *kit.Visit, t pack.Type) error {
	prizes, err := pack.FixedPrizes(d.Book, 0)
	if err != nil { // pooled
		if prizes, err = d.drawn(v); err != nil {
			return err
		}
	}
	p := pack.NewPreview(t, prizes)
	d.Preview = &p
	if !slices.ContainsFunc(p.Rows, func(r pack.Row) bool { return r.Claimed() }) {
		return nil
	}
	e := p.Expected(pack.Lower)
	of := func(r *big.Rat) *big.Rat { return new(big.Rat).Quo(r, d.Price.Rat()) }
	d.Exact = &exactReturn{e, of(e.Gain), of(e.Paid), of(new(big.Rat).Neg(e.Rounding))}
	return nil
}

// drawn returns the gains of a draw of the game whose ranks are those of the rulebook.
func (d *designer) drawn(v *kit.Visit) (prizes []pack.Prize, err error) {
	err = v.View(func(snap central.Snapshot) error {
		dates, err := central.ReadDates(v.Context(), snap, d.Game)
		if err != nil {
			return err
		}
		slices.Reverse(dates)
		for _, date := range dates {
			if len(d.GainDraws) == gainDraws {
				break
			}
			count, err := counted1(v, snap, date.ID())
			if err != nil {
				return err
			}
			if count == nil || len(count.Unit) != len(d.Book.Prizes.Ranks) {
				continue
			}
			d.GainDraws = append(d.GainDraws, date.ID())
			if wanted := v.Form("gains"); d.Gains != "" && date.ID() != wanted {
				continue
			}
			d.Gains = date.ID()
			if prizes, err = pack.DrawPrizes(d.Book, count.Unit); err != nil {
				return err
			}
		}
		return nil
	})
	return prizes, err
}

// gainDraws is how many draws one can choose the gains of.
const gainDraws = 10

// counted1 reads the count of the result that stands of a draw, nil where there is none.
func counted1(v *kit.Visit, snap central.Snapshot, id string) (*central.Count, error) {
	d, err := kit.Get[*central.Draw](v.Context(), snap, central.Key{Table: central.Draws, S: id})
	if d == nil || d.Version == 0 || err != nil {
		return nil, err
	}
	doc, err := kit.Get[*central.Doc](v.Context(), snap, central.Key{Table: central.Docs, S: id, U: central.DocCount, N: d.Version})
	if doc == nil || err != nil {
		return nil, err
	}
	return central.ReadPaper[central.Count](doc.Body)
}

// chance writes how many of a prize one pack has on average, where that is known.
func (d *designer) expected(v *kit.Visit, r pack.Row) (count, effect string) {
	if !r.Claimed() {
		return "", ""
	}
	n := new(big.Rat).Mul(r.Chance, new(big.Rat).SetInt64(d.Combos))
	e := new(big.Rat).Mul(n, new(big.Rat).SetFrac64(-int64(r.Rounding), 100))
	return v.Number(n, 5), signedNumber(v, e, 3)
}

// hold says in how many shares each part of a cent is gained or lost: the ranks whose gain does not divide.
func (d *designer) uneven() (rows []pack.Row) {
	for _, r := range d.Preview.Rows {
		if r.Rounding != 0 {
			rows = append(rows, r)
		}
	}
	return rows
}

// query is the designer as a link.
func (d *designer) query(change map[string]string) string {
	q := url.Values{"game": {d.Game}, "from": {d.Day}, "type": {d.Offer.Type}, "simples": {strconv.Itoa(d.Offer.Simples)}, "shares": {strconv.FormatInt(d.Offer.Shares, 10)}, "max": {strconv.FormatInt(d.Offer.MaxPacks, 10)}}
	for i, m := range d.Offer.Multiples {
		f, n, _ := strings.Cut(m, "*")
		q.Set("f"+strconv.Itoa(i+1), f)
		q.Set("n"+strconv.Itoa(i+1), n)
	}
	if len(d.Offer.Formulas) > 0 {
		q.Set("formulas", pack.Formulas(d.Offer.Formulas).String())
	}
	for k, s := range change {
		q.Set(k, s)
	}
	return Path + "packs/new?" + q.Encode()
}

// line is the format of the composition that stands in a row of the form.
func (d *designer) line(i int) designLine {
	if i < len(d.Lines) {
		return d.Lines[i]
	}
	return designLine{}
}

func percentOf(v *kit.Visit, r *big.Rat) string { return v.Percent(r, 2) }

func inEuros(r *big.Rat) *big.Rat { return new(big.Rat).Quo(r, big.NewRat(100, 1)) }

// signedNumber writes a number with its sign.
func signedNumber(v *kit.Visit, r *big.Rat, decimals int) string {
	if r.Sign() > 0 {
		return "+" + v.Number(r, decimals)
	}
	return v.Number(r, decimals)
}

// signedEuros writes an amount that is no whole number of cents, with its sign.
func signedEuros(v *kit.Visit, r *big.Rat) string {
	sign := ""
	switch r.Sign() {
	case 1:
		sign = "+"
	case -1:
		sign = "\u2212"
	}
	text := v.Number(new(big.Rat).Abs(inEuros(r)), 2)
	return sign + v.T(text+" €", "€"+text)
}

// exactly writes a fraction of euros as it is.
func exactly(v *kit.Visit, r *big.Rat) string {
	text := inEuros(r).RatString()
	return v.T(text+" €", "€"+text)
}

// composition writes what a type is made of.
func composition(v *kit.Visit, o central.PackOffer) string {
	var parts []string
	for _, m := range o.Multiples {
		f, n, _ := strings.Cut(m, "*")
		parts = append(parts, cmp.Or(n, "1")+" × "+strings.Replace(f, "x", "×", 1))
	}
	if o.Simples > 0 {
		parts = append(parts, v.N(int64(o.Simples), "%s simple", "%s simples", "%s simple", "%s simple"))
	}
	return strings.Join(parts, ", ")
}

// mine says whether whoever looks proposed the design.
func mine(v *kit.Visit, d *central.DesignView) bool { return d.Proposer == v.Caller.Principal }

func staffName(principal string) string { return strings.TrimPrefix(principal, "staff/") }

// divided writes a gain over the shares, unrounded.
func divided(v *kit.Visit, r pack.Row, shares int64) string {
	return v.Places(new(big.Rat).SetFrac64(int64(r.Gain), 100*shares), 2, 5)
}

func rankWords(v *kit.Visit, r pack.Row) string {
	if r.Source == pack.Rank {
		return strconv.Itoa(r.Rank)
	}
	return v.T("code", "code")
}

func gainsFrom(v *kit.Visit, d *designer) string {
	if d.Gains != "" {
		return v.F("Gains du tirage %s : ils dépendent des gagnants de chaque tirage.", "Gains of draw %s: they depend on the winners of each draw.", d.Gains)
	}
	return v.F("Gains fixés par le règlement %s.", "Gains fixed by rulebook %s.", d.Book.Header.Version())
}

func drawDay(id string) string { return id[len(id)-len(time.DateOnly):] }

func negated(r *big.Rat) *big.Rat { return new(big.Rat).Neg(r) }

func countOf(l designLine) string {
	if l.Count == 0 {
		return ""
	}
	return strconv.Itoa(l.Count)
}

func simplesPrice(v *kit.Visit, d *designer) string {
	if d.Book == nil {
		return ""
	}
	return v.Money(money.Mul(d.Book.Sale.Price, int64(min(d.Offer.Simples, pack.CombinationsMax))))
}
