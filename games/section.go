package games

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2/unstable"

	"tirage/rules/money"
	"tirage/rules/prize"
	"tirage/rules/rulebook"
)

// A section reads the keys of one table. Each method takes a key, gives its value in the type of its name, and the zero value
// when the key is absent or wrong; what is wrong goes to the problems of the file. Keys that nobody asked for are unknown:
// [section.end] refuses them. A new field of a rulebook is one more call.
type section struct {
	*file
	path  string
	table *node
	asked []string
}

// maxNumber bounds every whole number of a rulebook. It holds the largest series of codes many times over.
const maxNumber = 1_000_000_000_000

func (s *section) get(key string) *node {
	s.asked = append(s.asked, key)
	n := s.table.child[key]
	if n == nil {
		return nil
	}
	n, _ = n.wrapped()
	return n
}

// wrong refuses the value n of a key.
func (s *section) wrong(key string, n *node, accepted string) {
	s.refuse(n.line, "%s = %.60s; accepted: %s", join(s.path, key), n, accepted)
}

// need refuses the table when it lacks one of the keys.
func (s *section) need(keys ...string) {
	for _, key := range keys {
		if s.table.child[key] == nil {
			s.refuse(s.table.line, "%s is missing; accepted: a value for it", join(s.path, key))
		}
	}
}

// end refuses the keys that were not asked for.
func (s *section) end() {
	accepted := slices.Compact(slices.Sorted(slices.Values(s.asked)))
	for _, key := range s.table.keys {
		if !slices.Contains(accepted, key) && !isProvenance(key) {
			s.refuse(s.table.child[key].line, "unknown key %.60s; accepted: %s", join(s.path, key), strings.Join(accepted, ", "))
		}
	}
}

// text reads a text of one line.
func (s *section) text(key string) string {
	n := s.get(key)
	if n == nil {
		return ""
	}
	if n.kind != unstable.String || !isText(n.text) {
		s.wrong(key, n, "a text in quotes, on one line")
		return ""
	}
	return n.text
}

// oneOf reads a text that is one of a few words.
func (s *section) oneOf(key string, words ...string) string {
	text := s.text(key)
	if text != "" && !slices.Contains(words, text) {
		s.wrong(key, s.get(key), strings.Join(words, ", "))
	}
	return text
}

// texts reads a list of texts.
func (s *section) texts(key string) []string {
	var texts []string
	for _, n := range s.list(key, "a list of texts, such as [\"monday\", \"friday\"]") {
		if n.kind != unstable.String || !isText(n.text) {
			s.wrong(key, n, "texts in quotes")
			continue
		}
		texts = append(texts, n.text)
	}
	return texts
}

// textsOf reads a list of a few known words.
func (s *section) textsOf(key string, words ...string) []string {
	texts := s.texts(key)
	for _, text := range texts {
		if !slices.Contains(words, text) {
			s.wrong(key, s.get(key), strings.Join(words, ", "))
		}
	}
	return texts
}

func (s *section) list(key, accepted string) []*node {
	n := s.get(key)
	if n == nil {
		return nil
	}
	if n.kind != unstable.Array || n.isRows() {
		s.wrong(key, n, accepted)
		return nil
	}
	return n.items
}

// number reads a whole number from 0 to [maxNumber].
func (s *section) number(key string) int64 {
	n := s.get(key)
	if n == nil {
		return 0
	}
	return s.whole(key, n)
}

// count reads a whole number that counts things in memory.
func (s *section) count(key string) int {
	n := s.number(key)
	if n > 1<<20 {
		s.wrong(key, s.get(key), "a whole number from 0 to 1048576")
		return 0
	}
	return int(n)
}

func (s *section) whole(key string, n *node) int64 {
	v, err := strconv.ParseInt(strings.ReplaceAll(n.text, "_", ""), 10, 64)
	if n.kind != unstable.Integer || err != nil || v < 0 || v > maxNumber {
		s.wrong(key, n, "a whole number from 0 to "+strconv.Itoa(maxNumber))
		return 0
	}
	return v
}

// numbers reads a list of whole numbers.
func (s *section) numbers(key string) []int64 {
	var numbers []int64
	for _, n := range s.list(key, "a list of whole numbers, such as [1, 2, 5]") {
		numbers = append(numbers, s.whole(key, n))
	}
	return numbers
}

// euros reads an amount in euros.
func (s *section) euros(key string) money.Cents {
	n := s.get(key)
	if n == nil {
		return 0
	}
	return s.amount(key, n)
}

func (s *section) amount(key string, n *node) money.Cents {
	s.units[n] = "€"
	cents, ok := n.hundredths()
	if !ok {
		s.wrong(key, n, "an amount in euros with at most two decimals, such as 2.20 or 100_000")
	}
	return money.Cents(cents)
}

// eurosList reads a list of amounts.
func (s *section) eurosList(key string) []money.Cents {
	var amounts []money.Cents
	if n := s.get(key); n != nil {
		s.units[n] = "€"
	}
	for _, n := range s.list(key, "a list of amounts in euros, such as [20, 2.20]") {
		amounts = append(amounts, s.amount(key, n))
	}
	return amounts
}

// percent reads a proportion in per cent.
func (s *section) percent(key string) prize.BP {
	n := s.get(key)
	if n == nil {
		return 0
	}
	s.units[n] = "%"
	bp, ok := n.hundredths()
	if !ok || bp > 100_00 {
		s.wrong(key, n, "a proportion in per cent with at most two decimals, such as 43.20, up to 100")
		return 0
	}
	return prize.BP(bp)
}

// hundredths returns a number with at most two decimals, times 100. It reads the digits of the file.
func (n *node) hundredths() (int64, bool) {
	if n.kind != unstable.Integer && n.kind != unstable.Float {
		return 0, false
	}
	cents, err := money.Parse(strings.ReplaceAll(n.text, "_", ""))
	return int64(cents), err == nil
}

// day reads a date and returns it as YYYY-MM-DD.
func (s *section) day(key string) string {
	n := s.get(key)
	if n == nil {
		return ""
	}
	if _, err := time.Parse(time.DateOnly, n.text); n.kind != unstable.LocalDate || err != nil {
		s.wrong(key, n, "a day that exists, as YYYY-MM-DD without quotes")
		return ""
	}
	return n.text
}

// flag reads true or false.
func (s *section) flag(key string) bool {
	n := s.get(key)
	if n == nil {
		return false
	}
	if n.kind != unstable.Bool {
		s.wrong(key, n, "true or false")
	}
	return n.text == "true"
}

// sub reads a table inside, nil when it is absent.
func (s *section) sub(key string) *section {
	n := s.get(key)
	if n == nil {
		return nil
	}
	if n.kind != unstable.Table {
		s.wrong(key, n, "a table, such as ["+join(s.path, key)+"]")
		return nil
	}
	return &section{file: s.file, path: join(s.path, key), table: n}
}

// rows reads a list of tables.
func (s *section) rows(key string) []*section {
	n := s.get(key)
	if n == nil {
		return nil
	}
	if !n.isRows() {
		s.wrong(key, n, "a list of tables")
		return nil
	}
	rows := make([]*section, len(n.items))
	for i, name := range n.rowNames() {
		rows[i] = &section{file: s.file, path: join(join(s.path, key), name), table: n.items[i]}
	}
	return rows
}

// article returns the number of the article that the table as a whole comes from, "" when it says none.
func (s *section) article() string {
	n := s.table.child[keyArticle]
	if n == nil || n.text == noArticle {
		return ""
	}
	return n.text[strings.LastIndexByte(n.text, ':')+1:]
}

// formats reads a list of grid formats: "7x1-8" is 7 numbers with 1 to 8 extra numbers, "9x1" 9 with 1.
func (s *section) formats(key string) []rulebook.FormatRange {
	var ranges []rulebook.FormatRange
	for _, n := range s.list(key, `a list of formats, such as ["6x1-10", "9x1"]`) {
		r, ok := parseFormats(n.text)
		if n.kind != unstable.String || !ok {
			s.wrong(key, n, `formats such as "7x1-8": numbers, x, fewest and most extra numbers`)
			continue
		}
		ranges = append(ranges, r)
	}
	return ranges
}

func parseFormats(s string) (r rulebook.FormatRange, ok bool) {
	main, extra, _ := strings.Cut(s, "x")
	low, high, isRange := strings.Cut(extra, "-")
	if !isRange {
		high = low
	}
	var ok1, ok2, ok3 bool
	r.Main, ok1 = small(main)
	r.ExtraMin, ok2 = small(low)
	r.ExtraMax, ok3 = small(high)
	return r, ok1 && ok2 && ok3
}

// hits reads the pairs of hits of a rank: "4+1" is four numbers and one extra number.
func (s *section) hits(key string) []prize.Hits {
	var hits []prize.Hits
	for _, n := range s.list(key, `a list of hits, such as ["1+1", "0+1"]`) {
		main, extra, _ := strings.Cut(n.text, "+")
		m, ok1 := small(main)
		e, ok2 := small(extra)
		if n.kind != unstable.String || !ok1 || !ok2 {
			s.wrong(key, n, `hits such as "4+1": numbers, + and extra numbers`)
			continue
		}
		hits = append(hits, prize.Hits{Main: m, Extra: e})
	}
	return hits
}

// small reads one or two decimal digits.
func small(s string) (int, bool) {
	if len(s) < 1 || len(s) > 2 {
		return 0, false
	}
	v, err := strconv.ParseUint(s, 10, 8)
	return int(v), err == nil
}
