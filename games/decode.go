package games

import (
	"strings"

	"tirage/rules/codes"
	"tirage/rules/combin"
	"tirage/rules/money"
	"tirage/rules/prize"
	"tirage/rules/rulebook"
)

// rulebook reads the whole file. Each part of it reads the keys of one table.
func (f *file) rulebook(root *node) *rulebook.Rulebook {
	r := &rulebook.Rulebook{}
	s := &section{file: f, table: root}
	s.need("header")
	if root.child["ladder"] == nil {
		s.need("calendar")
	}
	if root.child["digits"] == nil {
		s.need("sale")
	}
	f.header(s.sub("header"), &r.Header)
	f.matrix(s.sub("matrix"), r)
	f.sale(s.sub("sale"), &r.Sale)
	f.prizes(s.sub("prizes"), r)
	for _, row := range s.rows("codes") {
		f.codes(row, r)
	}
	f.pack(s.sub("pack"), r)
	f.calendar(s.sub("calendar"), r)
	for _, row := range s.rows("funds") {
		row.need("account", "title")
		r.Funds = append(r.Funds, rulebook.Fund{Account: row.text("account"), Title: row.text("title")})
		row.end()
	}
	f.digits(s.sub("digits"), r)
	f.ladder(root, s.sub("ladder"), r)
	if r.Ladder != nil {
		s.need("rounds")
	}
	if rounds := s.sub("rounds"); rounds != nil {
		rounds.need("abandon_days", "floor_seconds")
		r.Rounds = rulebook.Rounds{AbandonDays: rounds.number("abandon_days"), FloorSeconds: rounds.number("floor_seconds")}
		rounds.end()
	}
	s.end()
	return r
}

func (f *file) header(s *section, h *rulebook.Header) {
	if s == nil {
		return
	}
	s.need("game", "title", "regulation", "base", "made", "jo", "effective", "source")
	*h = rulebook.Header{
		Game:       s.text("game"),
		Title:      s.text("title"),
		Regulation: s.text("regulation"),
		BaseText:   s.text("base"),
		Made:       s.day("made"),
		JO:         s.day("jo"),
		Effective:  s.day("effective"),
		Publish:    s.text("publication"),
		Source:     s.text("source"),
		Repealed:   s.texts("repealed"),
	}
	for _, row := range s.rows("amendments") {
		row.need("jo")
		h.Amendments = append(h.Amendments, rulebook.Amendment{Made: row.day("made"), JO: row.day("jo")})
		row.end()
	}
	if names := s.sub("renumbered"); names != nil {
		h.Renumbered = map[string]string{}
		for _, old := range names.words() {
			h.Renumbered[old] = names.text(old)
		}
	}
	for _, row := range s.rows("notes") {
		row.need("text")
		h.Notes = append(h.Notes, row.text("text"))
		row.end()
	}
	s.end()
}

// words returns the keys of a table whose keys are names: articles, games.
func (s *section) words() []string {
	var words []string
	for _, key := range s.table.keys {
		if !isProvenance(key) {
			words = append(words, key)
		}
	}
	return words
}

func (f *file) matrix(s *section, r *rulebook.Rulebook) {
	if s == nil {
		return
	}
	s.need("main", "main_of", "extra", "extra_of", "total")
	r.Matrix = combin.Matrix{Main: s.count("main"), MainOf: s.count("main_of"), Extra: s.count("extra"), ExtraOf: s.count("extra_of")}
	r.Total = s.number("total")
	s.end()
}

func (f *file) sale(s *section, sale *rulebook.Sale) {
	if s == nil {
		return
	}
	*sale = rulebook.Sale{
		Price:        s.euros("price"),
		Formats:      s.formats("formats"),
		MaxCombos:    s.number("max_combinations"),
		MaxIdentical: s.count("max_identical"),
		GroupMax:     s.count("group_max"),
		With:         s.texts("with"),
		AddOns:       s.texts("add_ons"),
	}
	if parts := s.sub("price_parts"); parts != nil {
		sale.PriceParts = map[string]money.Cents{}
		for _, game := range parts.words() {
			sale.PriceParts[game] = parts.euros(game)
		}
	}
	s.end()
}

func (f *file) prizes(s *section, r *rulebook.Rulebook) {
	if s == nil {
		return
	}
	s.need("model", "ranks", "winners_share")
	t := &prize.Table{
		Model: prize.Model(s.oneOf("model", string(prize.Fixed), string(prize.Spread), string(prize.Pool),
			string(prize.European), string(prize.SidePool))),
		Matrix:        r.Matrix,
		GainStep:      s.euros("gain_step"),
		MergeInverted: s.flag("merge_inverted"),
		WinnersShare:  s.percent("winners_share"),
		Endowment:     s.percent("endowment"),
		Booster:       s.percent("booster"),
		BoosterLate:   s.percent("booster_late"),
	}
	for _, row := range s.rows("ranks") {
		t.Ranks = append(t.Ranks, f.rank(row))
	}
	f.jackpot(s.sub("jackpot"), &t.Jackpot)
	s.end()
	r.Prizes = t
}

func (f *file) rank(s *section) prize.Rank {
	s.need("rank", "hits", "ways")
	defer s.end()
	return prize.Rank{
		Number:    s.count("rank"),
		Hits:      s.hits("hits"),
		Ways:      s.number("ways"),
		Fixed:     s.euros("gain"),
		Share:     s.percent("share"),
		LateShare: s.percent("late_share"),
	}
}

func (f *file) jackpot(s *section, j *prize.Jackpot) {
	if s == nil {
		return
	}
	*j = prize.Jackpot{
		Start:     s.euros("start"),
		AfterWin:  s.euros("after_win"),
		Step:      s.euros("step"),
		RoundUp:   s.euros("round_up"),
		MaxRolls:  s.count("max_rolls"),
		LateFrom:  s.count("late_from"),
		Cap:       s.euros("cap"),
		CapStep:   s.euros("cap_step"),
		CapMax:    s.euros("cap_max"),
		CapDraws:  s.count("cap_draws"),
		MustBeWon: s.flag("must_be_won"),
	}
	s.end()
}

func (f *file) codes(s *section, r *rulebook.Rulebook) {
	s.need("series", "layout", "letters", "random_up_to", "random", "sequential", "prize")
	layout, letters := s.text("layout"), s.text("letters")
	series := codes.Series{
		ID:          s.text("series"),
		Layout:      strings.ReplaceAll(layout, "@", "#"),
		Alphabets:   alphabets(layout, letters),
		RandomUpTo:  s.number("random_up_to"),
		Exceptional: s.flag("exceptional"),
		Free:        s.flag("free"),
	}
	series.Random = s.zone("random", series)
	series.Sequential = s.zone("sequential", series)
	if s.get("unused") != nil {
		series.Unused = []codes.Range{s.zone("unused", series)}
	}
	r.Codes = append(r.Codes, series)
	if p := s.sub("prize"); p != nil {
		p.need("codes", "gain")
		r.CodePrizes = append(r.CodePrizes, rulebook.CodePrize{Series: series.ID, Winners: p.number("codes"), Gain: p.euros("gain")})
		p.end()
	}
	s.end()
}

// alphabets returns the characters of each position of a layout: "@" is a letter of the series, "#" a digit, anything else
// stands as it is.
func alphabets(layout, letters string) []string {
	var all []string
	for _, c := range layout {
		switch c {
		case '@':
			all = append(all, letters)
		case '#':
			all = append(all, "0123456789")
		}
	}
	return all
}

// zone reads the first and the last code of a zone, as they are printed.
func (s *section) zone(key string, series codes.Series) codes.Range {
	const accepted = `the first and the last code, such as ["A 0000 0000", "V 8214 7230"]`
	ends := s.texts(key)
	if len(ends) != 2 {
		if n := s.get(key); n != nil {
			s.wrong(key, n, accepted)
		}
		return codes.Range{}
	}
	first, err1 := series.Parse(ends[0])
	last, err2 := series.Parse(ends[1])
	for _, err := range []error{err1, err2} {
		if err != nil {
			s.refuse(s.get(key).line, "%s: %v", join(s.path, key), err)
		}
	}
	return codes.Range{First: first, Last: last}
}

func (f *file) pack(s *section, r *rulebook.Rulebook) {
	if s == nil {
		return
	}
	s.need("channels")
	r.Pack = &rulebook.Pack{
		Formats:         s.formats("formats"),
		Article:         s.article(),
		Channels:        s.textsOf("channels", "web", "app"),
		Excludes:        s.texts("excludes"),
		Formulas:        s.numbers("formulas"),
		ReserveRanks:    s.text("reserve_ranks"),
		ReserveCode:     s.text("reserve_code"),
		ReserveEuroCode: s.text("reserve_euro_code"),
	}
	s.end()
}

func (f *file) calendar(s *section, r *rulebook.Rulebook) {
	if s == nil {
		return
	}
	s.need("close", "claim_days")
	r.Calendar = rulebook.Calendar{
		Weekdays: s.textsOf("weekdays", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"),
		SaleDays: s.count("sale_days"), Close: s.text("close"), Draw: s.text("draw"), ClaimDays: s.count("claim_days"),
	}
	r.Unclaimed = s.text("unclaimed")
	s.end()
}

func (f *file) digits(s *section, r *rulebook.Rulebook) {
	if s == nil {
		return
	}
	s.need("length", "winners_share", "stakes")
	d := &rulebook.Digits{Length: s.count("length"), WinnersShare: s.percent("winners_share"), Endowment: s.percent("endowment")}
	for _, row := range s.rows("stakes") {
		row.need("stake", "gains")
		d.Stakes = append(d.Stakes, rulebook.DigitStake{Stake: row.euros("stake"), Gains: row.eurosList("gains")})
		row.end()
	}
	s.end()
	r.Digits = d
}
