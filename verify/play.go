package verify

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"tirage/logbook"
	"tirage/rules/combin"
	"tirage/rules/money"
)

// Play is what a player bought in one confirmation, as its leaf says it.
type Play struct {
	ID    string     `json:"id"` // node-leaf
	At    time.Time  `json:"at"`
	Cents int64      `json:"cents"` // debited
	Draws []DrawPlay `json:"draws"` // one play for each
}

// DrawPlay is a play for one draw.
type DrawPlay struct {
	Draw         string    `json:"draw"`
	Rules        string    `json:"rules"`       // version in force at the sale: price, formats, codes
	PrizeRules   string    `json:"prize_rules"` // version in force on the day of the draw: ranks and gains
	Cents        int64     `json:"cents"`       // with the games added
	Combinations int64     `json:"combinations"`
	Grids        []Grid    `json:"grids"` // of the whole pack for shares
	Codes        []CodeRun `json:"codes"`
	Pack         string    `json:"pack,omitempty"` // "TYPE/N"
	Shares       int64     `json:"shares,omitempty"`
	SharePrice   int64     `json:"share_price,omitempty"`
	PackShares   int64     `json:"pack_shares,omitempty"`
	AddOns       []AddOn   `json:"add_ons,omitempty"`

	row playRow
}

// Grid is one grid.
type Grid struct {
	Grid  string `json:"grid"`
	Quick bool   `json:"quick,omitempty"` // drawn by the system (Système Flash)
}

// CodeRun is the codes of one series: printed one by one in the random zone, first and last in the sequential zone.
type CodeRun struct {
	Series string   `json:"series"`
	Count  int64    `json:"count"`
	First  string   `json:"first"`
	Last   string   `json:"last"`
	All    []string `json:"all,omitempty"`
}

// AddOn is a game added to a play.
type AddOn struct {
	Game   string `json:"game"`
	Cents  int64  `json:"cents"`
	Rules  string `json:"rules"`
	Number string `json:"number,omitempty"`
}

// playRow is a row of the table plays, in the order of its columns.
type playRow struct {
	Draw                  string
	ID, Player            int64
	Kind                  string
	At, Stake             int64
	SaleRules, PrizeRules string
	Lines                 []byte
	Quick, Combos         int64
	CodeAt, CodeAt2       int64
	PackType              string
	Pack, Shares          int64
	Channel               string
}

func (r *playRow) fields() []any {
	return []any{&r.Draw, &r.ID, &r.Player, &r.Kind, &r.At, &r.Stake, &r.SaleRules, &r.PrizeRules, &r.Lines, &r.Quick, &r.Combos,
		&r.CodeAt, &r.CodeAt2, &r.PackType, &r.Pack, &r.Shares, &r.Channel}
}

// typeRow is a row of the table pack_types.
type typeRow struct {
	Draw, Type, Composition              string
	Shares, SharePrice, Combos, MaxPacks int64
	Rules                                string
	Opened, Sold                         int64
	Open, Given                          []byte
	Formulas                             string
}

func (r *typeRow) fields() []any {
	return []any{&r.Draw, &r.Type, &r.Composition, &r.Shares, &r.SharePrice, &r.Combos, &r.MaxPacks, &r.Rules, &r.Opened, &r.Sold, &r.Open, &r.Given, &r.Formulas}
}

// bought is the result of a sale as the leaf has it.
type bought struct {
	Play   string    `json:"play"`
	Cents  int64     `json:"cents"`
	Combos int64     `json:"combinations"`
	Grids  []string  `json:"grids"`
	Codes  []CodeRun `json:"codes"`
	Pack   string    `json:"pack"`
	Shares int64     `json:"shares"`
	AddOns []struct {
		Game   string `json:"game"`
		Cents  int64  `json:"cents"`
		Rules  string `json:"rules"`
		Number string `json:"number"`
	} `json:"add_ons"`
	Draw    string   `json:"draw"`
	Further []bought `json:"further"`
	Total   int64    `json:"total"`
	Bought  *bought  `json:"bought"` // of a subscription
}

// ErrNoPlay says that a leaf holds no play.
var ErrNoPlay = errors.New("the leaf holds no play")

// playID prints the id of a play: the node and the index of its leaf.
func playID(id int64) string { return fmt.Sprintf("%d-%d", id>>48, id&(1<<48-1)-1) }

// idOfPlay reads what playID wrote.
func idOfPlay(s string) (int64, error) {
	node, index, ok := strings.Cut(s, "-")
	n, err := strconv.ParseInt(node, 10, 64)
	i, err2 := strconv.ParseInt(index, 10, 64)
	if err = errors.Join(err, err2); !ok || err != nil || n < 0 || n >= 1<<15 || i < 0 || i >= 1<<48-1 || playID(n<<48|(i+1)) != s {
		return 0, fmt.Errorf("play %.40q: accepted NODE-LEAF, such as 0-12", s)
	}
	return n<<48 | (i + 1), nil
}

// ReadPlay reads the play out of the body of its leaf.
func ReadPlay(body []byte) (*Play, error) {
	leaf, lines, err := logbook.ParseLeaf(body)
	if err != nil {
		return nil, err
	}
	var result bought
	if err := json.Unmarshal(leaf.Result, &result); err != nil {
		return nil, fmt.Errorf("result: %w", err)
	}
	if result.Bought != nil {
		result = *result.Bought
	}
	plays, types, err := readRows(lines)
	if err != nil {
		return nil, err
	}
	if len(plays) == 0 {
		return nil, ErrNoPlay
	}
	results := append([]bought{result}, result.Further...)
	p := &Play{ID: playID(leaf.Node<<48 | (leaf.Index + 1)), At: time.UnixMicro(leaf.At).UTC()}
	if len(results) != len(plays) {
		return nil, fmt.Errorf("%d plays are stored, the buyer was told of %d", len(plays), len(results))
	}
	for i := range plays {
		d, err := drawPlay(&plays[i], &results[i], types)
		if err != nil {
			return nil, err
		}
		if id := playID(plays[i].ID); id != p.ID || results[i].Play != p.ID {
			return nil, fmt.Errorf("play %s stands in the leaf of play %s", id, p.ID)
		}
		p.Cents += d.Cents
		p.Draws = append(p.Draws, *d)
	}
	return p, p.checkDebit(leaf, &plays[0])
}

// readRows reads the plays and the pack types among the rows of a leaf.
func readRows(lines [][]byte) (plays []playRow, types []typeRow, err error) {
	for _, line := range lines {
		switch {
		case bytes.HasPrefix(line, []byte(`["plays",`)):
			plays = append(plays, playRow{})
			err = readRow(line, plays[len(plays)-1].fields())
		case bytes.HasPrefix(line, []byte(`["pack_types",`)):
			types = append(types, typeRow{})
			err = readRow(line, types[len(types)-1].fields())
		}
		if err != nil {
			return nil, nil, err
		}
	}
	return plays, types, nil
}

func readRow(line []byte, fields []any) error {
	_, err := logbook.ParseRow(line, func(string) ([]any, error) { return fields, nil })
	return err
}

// grids reads grids as a row stores them, 8 bytes each.
func grids(lines []byte) []combin.Combination {
	list := make([]combin.Combination, len(lines)/8)
	for i := range list {
		list[i] = combin.Combination(binary.BigEndian.Uint64(lines[8*i:]))
	}
	return list
}

// drawPlay joins the row of a play with what its buyer was told.
func drawPlay(row *playRow, told *bought, types []typeRow) (*DrawPlay, error) {
	d := &DrawPlay{
		Draw: row.Draw, Rules: row.SaleRules, PrizeRules: row.PrizeRules, Cents: told.Cents, Combinations: row.Combos, Grids: []Grid{}, Codes: told.Codes,
		Pack: told.Pack, Shares: told.Shares, row: *row,
	}
	if told.Combos != row.Combos || told.Draw != "" && told.Draw != row.Draw {
		return nil, fmt.Errorf("play for %s: what is stored is not what the buyer was told", row.Draw)
	}
	quick := row.Quick
	if row.PackType != "" {
		quick = -1 // all of them
		for _, t := range types {
			if t.Draw == row.Draw && t.Type == row.PackType {
				d.SharePrice, d.PackShares = t.SharePrice, t.Shares
				if len(t.Given) > 0 && row.Pack == 0 {
					quick = 0 // of a reconstructed draw
				}
			}
		}
	} else {
		for i, g := range grids(row.Lines) {
			if i >= len(told.Grids) || told.Grids[i] != g.String() {
				return nil, fmt.Errorf("play for %s: grid %d is stored as %v and was told otherwise", row.Draw, i+1, g)
			}
		}
		if len(told.Grids) != len(row.Lines)/8 {
			return nil, fmt.Errorf("play for %s: %d grids were told, %d are stored", row.Draw, len(told.Grids), len(row.Lines)/8)
		}
	}
	for i, g := range told.Grids {
		d.Grids = append(d.Grids, Grid{g, quick>>i&1 == 1})
	}
	for _, a := range told.AddOns {
		d.AddOns = append(d.AddOns, AddOn(a))
	}
	return d, nil
}

// checkDebit compares what the play costs with what the leaf took from its player, to the cent; of a group play from all its members.
func (p *Play) checkDebit(leaf *logbook.Leaf, row *playRow) error {
	from := "player/" + strconv.FormatInt(row.Player, 10)
	var debited money.Cents
	for _, l := range leaf.Postings {
		if (l.From == from || row.Kind == "group") && strings.HasPrefix(l.To, "stakes/") {
			debited = money.Add(debited, l.Cents)
		}
	}
	if int64(debited) != p.Cents {
		return fmt.Errorf("%v were debited for plays of %v", debited, money.Cents(p.Cents))
	}
	return nil
}
