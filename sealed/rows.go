package sealed

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
	"slices"
	"strconv"

	"tirage/central"
	"tirage/fairness"
	"tirage/games"
	"tirage/rules/codes"
	"tirage/rules/combin"
	"tirage/rules/money"
	"tirage/rules/rulebook"
)

// line is one grid: bit i−1 is the number i.
type line struct {
	Main  int64 `parquet:"main"`
	Extra int64 `parquet:"extra"`
	Quick bool  `parquet:"quick"`
}

// codeRun is codes of one series in a row, as they are printed.
type codeRun struct {
	Series string `parquet:"series,dict"`
	First  string `parquet:"first"`
	N      int64  `parquet:"n"`
}

// added is a game added to a play.
type added struct {
	Game   string `parquet:"game,dict"`
	Stake  int64  `parquet:"stake_cents"`
	Number string `parquet:"number"`
	Rules  string `parquet:"rules,dict"`
}

// receipt is one of the equal parts of a group play.
type receipt struct {
	N      int64  `parquet:"n"`
	Player string `parquet:"player"`
	Cents  int64  `parquet:"cents"`
}

// playRow is a play. One of shares has no grids and codes of its own: its pack has them. A group play has as many shares as receipts.
type playRow struct {
	Node     int64     `parquet:"node"`
	Leaf     int64     `parquet:"leaf"`
	At       int64     `parquet:"sold_at,timestamp(microsecond)"`
	Player   string    `parquet:"player"`
	Kind     string    `parquet:"kind,dict"`
	Channel  string    `parquet:"channel,dict"`
	Rules    string    `parquet:"rules,dict"`
	Stake    int64     `parquet:"stake_cents"`
	Combos   int64     `parquet:"combinations"`
	Lines    []line    `parquet:"lines,list"`
	Codes    []codeRun `parquet:"codes,list"`
	Added    []added   `parquet:"added,list"`
	Receipts []receipt `parquet:"receipts,list"`
	PackType string    `parquet:"pack_type,dict"`
	Pack     int64     `parquet:"pack"`
	Shares   int64     `parquet:"shares"`
	Digest   [32]byte  `parquet:"digest"`
}

// packRow is a pack with what it plays.
type packRow struct {
	Type        string    `parquet:"pack_type,dict"`
	Pack        int64     `parquet:"pack"`
	Rules       string    `parquet:"rules,dict"`
	Composition string    `parquet:"composition,dict"`
	Shares      int64     `parquet:"shares"`
	Sold        int64     `parquet:"sold"`
	SharePrice  int64     `parquet:"share_price_cents"`
	Combos      int64     `parquet:"combinations"`
	Lines       []line    `parquet:"lines,list"`
	Codes       []codeRun `parquet:"codes,list"`
	Digest      [32]byte  `parquet:"digest"`
}

// text writes the columns of a play but its digest, as docs/sealed.md says.
func (r *playRow) text(b []byte) []byte {
	b = fields(b, r.Node, r.Leaf, r.At, r.Player, r.Kind, r.Channel, r.Rules, r.Stake, r.Combos)
	b = codesText(append(linesText(append(b, '|'), r.Lines), '|'), r.Codes)
	b = append(b, '|')
	for i, a := range r.Added {
		if i > 0 {
			b = append(b, ',')
		}
		b = fmt.Appendf(b, "%s:%d:%s:%s", a.Game, a.Stake, a.Number, a.Rules)
	}
	b = append(b, '|')
	for i, x := range r.Receipts {
		if i > 0 {
			b = append(b, ',')
		}
		b = fmt.Appendf(b, "%d:%s:%d", x.N, x.Player, x.Cents)
	}
	return fields(append(b, '|'), r.PackType, r.Pack, r.Shares)
}

// text writes the columns of a pack but its digest.
func (r *packRow) text(b []byte) []byte {
	b = fields(b, r.Type, r.Pack, r.Rules, r.Composition, r.Shares, r.Sold, r.SharePrice, r.Combos)
	return codesText(append(linesText(append(b, '|'), r.Lines), '|'), r.Codes)
}

func fields(b []byte, list ...any) []byte {
	for i, v := range list {
		if i > 0 {
			b = append(b, '|')
		}
		switch v := v.(type) {
		case int64:
			b = strconv.AppendInt(b, v, 10)
		case string:
			b = append(b, v...)
		}
	}
	return b
}

func linesText(b []byte, list []line) []byte {
	for i, l := range list {
		if i > 0 {
			b = append(b, ',')
		}
		quick := byte('0')
		if l.Quick {
			quick = '1'
		}
		b = strconv.AppendInt(append(strconv.AppendInt(b, l.Main, 10), '.'), l.Extra, 10)
		b = append(b, '.', quick)
	}
	return b
}

func codesText(b []byte, list []codeRun) []byte {
	for i, c := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(append(b, c.Series...), ':'), c.First...)
		b = strconv.AppendInt(append(b, ':'), c.N, 10)
	}
	return b
}

// issued is a series of codes of the draw.
type issued struct {
	*codes.Series
	sheet codes.Sheet
}

// sealing turns the sealed rows of a draw into those of the files.
type sealing struct {
	*Archive
	draw   string
	series []issued // in the order of Play.CodeAt, Play.CodeAt2
	packs  *file[packRow]
	plays  *file[playRow]
	types  map[string]*central.PackType
	sold   map[string]int64 // "type/n" → shares
	added  map[int64][]added
	groups map[int64][]receipt
	slices []central.FileSlice
	digest hash.Hash // of the slice that is being written
	text   []byte
}

func newSealing(a *Archive, d *central.Draw, secret fairness.Secret) (*sealing, error) {
	s := &sealing{Archive: a, draw: d.ID, types: map[string]*central.PackType{}, sold: map[string]int64{}, added: map[int64][]added{}, groups: map[int64][]receipt{}}
	book, err := games.InForce(d.Game, d.Day)
	if err != nil {
		return nil, err
	}
	var books []*rulebook.Rulebook
	for _, with := range book.Sale.With {
		b, err := games.InForce(with, d.Day)
		if err != nil {
			return nil, err
		}
		books = append(books, b)
	}
	for _, b := range append(books, book) {
		for i := range b.Codes {
			c := &b.Codes[i]
			if c.Exceptional && d.Exceptional == 0 {
				continue
			}
			sheet, err := codes.NewSheet(*c, fairness.CodeKey(secret, c.ID))
			if err != nil {
				return nil, err
			}
			s.series = append(s.series, issued{c, sheet})
		}
	}
	return s, nil
}

func packName(typ string, n int64) string { return fmt.Sprintf("%s/%d", typ, n) }

// add takes a sealed row. Types come before their packs, packs before their contents, added games and receipts of groups before the plays.
func (s *sealing) add(r central.Row) error {
	switch r := r.(type) {
	case *central.PackType:
		s.types[r.Type] = r
	case *central.Pack:
		s.sold[packName(r.Type, r.N)] = r.Sold
	case *central.PackContent:
		return s.pack(r)
	case *central.AddOnRow:
		s.added[r.Play] = append(s.added[r.Play], added{r.Game, int64(r.Stake), r.Number, r.SaleRules})
	case *central.GroupReceipt:
		s.groups[r.Play] = append(s.groups[r.Play], receipt{r.N, s.Pseudonym(s.draw, r.Player), int64(r.Cents)})
	case *central.Play:
		return s.play(r)
	}
	return nil
}

func (s *sealing) pack(r *central.PackContent) error {
	t := s.types[r.Type]
	if t == nil {
		return fmt.Errorf("pack %s of draw %s has no type", packName(r.Type, r.N), s.draw)
	}
	row := packRow{
		Type: r.Type, Pack: r.N, Rules: t.Rules, Composition: t.Composition, Shares: t.Shares, Sold: s.sold[packName(r.Type, r.N)],
		SharePrice: int64(t.SharePrice), Combos: r.Combos, Lines: linesOf(r.Lines, ^int64(0)),
	}
	var err error
	if row.Codes, err = s.codes(r.Combos, r.CodeAt, r.CodeAt2); err != nil {
		return err
	}
	s.text = row.text(s.text[:0])
	row.Digest = sha256.Sum256(s.text)
	return s.packs.add(row)
}

func (s *sealing) play(r *central.Play) error {
	row := playRow{
		At: r.At, Player: s.Pseudonym(s.draw, r.Player), Kind: r.Kind, Channel: r.Channel, Rules: r.SaleRules, Stake: int64(r.Stake),
		Added: s.added[r.ID], Receipts: s.groups[r.ID], PackType: r.PackType, Pack: r.Pack, Shares: r.Shares,
	}
	row.Node, row.Leaf = place(r.ID)
	if r.PackType == "" {
		row.Combos, row.Lines = r.Combos, linesOf(r.Lines, r.Quick)
		var err error
		if row.Codes, err = s.codes(r.Combos, r.CodeAt, r.CodeAt2); err != nil {
			return fmt.Errorf("play %s: %w", central.PlayID(r.ID), err)
		}
	}
	s.text = row.text(s.text[:0])
	row.Digest = sha256.Sum256(s.text)
	s.slice(&row)
	return s.plays.add(row)
}

// linesOf unpacks grids; bit i of quick says whether grid i was a quick pick.
func linesOf(packed []byte, quick int64) []line {
	list := make([]line, 0, len(packed)/8)
	for i := 0; len(packed) >= 8; i++ {
		c := binary.BigEndian.Uint64(packed)
		list = append(list, line{int64(c & (1<<combin.MainBits - 1)), int64(c >> combin.MainBits), quick>>i&1 == 1})
		packed = packed[8:]
	}
	return list
}

// codes prints the codes of a play or a pack of n: those of the random zone one by one, those of the sequential zone as one run.
func (s *sealing) codes(n, at, at2 int64) ([]codeRun, error) {
	var list []codeRun
	for i := range s.series {
		if i == 1 {
			at = at2
		}
		c := &s.series[i]
		run := central.PlaceOf(c.Series, n, at)
		if run.Zone == codes.SequentialZone {
			first, err := c.sheet.Ordinal(codes.Place{Zone: run.Zone, Position: run.Start})
			if err != nil {
				return nil, err
			}
			list = append(list, codeRun{c.ID, c.Format(first), n})
			continue
		}
		printed, err := c.sheet.Printed(run)
		if err != nil {
			return nil, err
		}
		for _, p := range printed {
			list = append(list, codeRun{c.ID, p, 1})
		}
	}
	return list, nil
}

// microsOfHour is an hour in microseconds.
const microsOfHour = 3_600_000_000

// slice adds a play to the slice of its writer and hour. Plays come in the order of the logs, in which time never goes back.
func (s *sealing) slice(r *playRow) {
	hour := r.At / microsOfHour
	if n := len(s.slices); n == 0 || s.slices[n-1].Node != r.Node || s.slices[n-1].Hour != hour {
		s.endSlice()
		s.slices = append(s.slices, central.FileSlice{Node: r.Node, Hour: hour})
		s.digest = sha256.New()
	}
	last := &s.slices[len(s.slices)-1]
	last.Plays++
	last.Cents = money.Add(last.Cents, money.Cents(r.Stake))
	for _, a := range r.Added {
		last.Cents = money.Add(last.Cents, money.Cents(a.Stake))
	}
	s.digest.Write(hex.AppendEncode(make([]byte, 0, 64), r.Digest[:]))
}

// endSlice fixes the digest of the last slice.
func (s *sealing) endSlice() {
	if n := len(s.slices); n > 0 {
		s.slices[n-1].Digest = slices.Clip(s.digest.Sum(nil))
	}
}
