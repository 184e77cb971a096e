package central

import (
	"encoding/binary"
	"fmt"
	"strings"
	"time"

	"tirage/fairness"
	"tirage/games"
	"tirage/rules/codes"
	"tirage/rules/combin"
	"tirage/rules/drawing"
	"tirage/rules/money"
	"tirage/rules/pack"
	"tirage/rules/rulebook"
)

// maxLines bounds the grids of one play.
const maxLines = 60

// Line is one grid of a play: chosen numbers, or a quick pick (Système Flash) of a format. As text: "5-9-21-36-39+5", "quick 6x10".
type Line struct {
	Grid  combin.Combination // chosen; 0 for a quick pick
	Quick combin.Format
}

// MarshalText writes the line.
func (l Line) MarshalText() ([]byte, error) {
	if l.Grid != 0 {
		return []byte(l.Grid.String()), nil
	}
	return []byte("quick " + l.Quick.String()), nil
}

// UnmarshalText reads the line.
func (l *Line) UnmarshalText(b []byte) error {
	s := string(b)
	if format, ok := strings.CutPrefix(s, "quick "); ok {
		m, err := pack.ParseMultiple(format)
		if err != nil || m.Count != 1 {
			return fmt.Errorf("line %.40q: accepted quick and a format, such as quick 6x10", s)
		}
		*l = Line{Quick: m.Format}
		return nil
	}
	c, err := combin.Parse(s)
	*l = Line{Grid: c}
	return err
}

// BuyPlay buys a play for a draw: grids, simple or multiple, each simple combination with its codes, and the games added to it. With further draws
// it buys one such play for each, for all or for none. The result is a [Bought].
type BuyPlay struct {
	Player  int64    `json:"player,string"`
	Draw    string   `json:"draw"`
	Lines   []Line   `json:"lines"`
	Channel Channel  `json:"channel,omitempty"`
	AddOns  []AddOn  `json:"add_ons,omitempty"`
	Further []string `json:"further,omitempty"` // draws of the same game, on sale now
}

// Bought is the result of a sale: the play and what it holds.
type Bought struct {
	Play   string      `json:"play"`  // printed id: node-index; one order, one id in each of its draws
	Cents  money.Cents `json:"cents"` // of this draw, with the games added
	Rules  string      `json:"rules"`
	Combos int64       `json:"combinations"`
	Grids  []string    `json:"grids,omitempty"`
	// Attempts of the quick picks of a play, see [PickAttempts].
	Attempts string    `json:"attempts,omitempty"`
	Codes    []CodeRun `json:"codes,omitempty"`
	Pack     string    `json:"pack,omitempty"` // "TYPE/N"
	Shares   int64     `json:"shares,omitempty"`

	AddOns []AddOnBought `json:"add_ons,omitempty"`

	// Of an order for several draws.
	Draw    string      `json:"draw,omitempty"`
	Further []Bought    `json:"further,omitempty"` // for the first draw: the plays for the others
	Total   money.Cents `json:"total,omitempty"`   // for the first draw: of the order
}

// CodeRun is the codes of one series that a play or a pack holds: printed one by one in the random zone, first and last in the sequential zone.
type CodeRun struct {
	Series string   `json:"series"`
	Count  int64    `json:"count"`
	First  string   `json:"first"`
	Last   string   `json:"last"`
	All    []string `json:"all,omitempty"`
}

func (BuyPlay) Kind() string { return "buy_play" }

func (c BuyPlay) Keys() []Key { return []Key{playerKey(c.Player)} }

func (c BuyPlay) Shared() []Key {
	keys := make([]Key, 0, 2+min(len(c.Further), maxAhead))
	keys = append(keys, cappedKey, drawKey(c.Draw))
	for _, draw := range c.Further[:min(len(c.Further), maxAhead)] { // more are refused
		keys = append(keys, drawKey(draw))
	}
	return keys
}

func (c BuyPlay) Plan(p *Plan) (any, error) {
	tickets, err := p.tickets(order{player: c.Player, draw: c.Draw, lines: c.Lines, channel: c.Channel, addOns: c.AddOns}, c.Further)
	if err == nil {
		err = p.sell(tickets...)
	}
	if err != nil {
		return nil, err
	}
	return boughtFor(tickets), nil
}

// PlayID prints the id of a play: the node and the index of its leaf.
func PlayID(id int64) string { return fmt.Sprintf("%d-%d", id>>48, id&(1<<48-1)-1) }

// saleOf is what a sale for a draw goes by.
type saleOf struct {
	draw   *Draw
	book   *rulebook.Rulebook // in force at the sale: price, formats, codes
	prizes *rulebook.Rulebook // in force on the day of the draw: ranks and gains
	secret fairness.Secret
	series []*codes.Series
}

// maxBehind bounds how long the time of sales may stand still after the clock went back: a draw would close later than it should by as much.
const maxBehind = 2 * time.Second

// sale returns the draw if it is on sale now. Price, formats and codes follow the version in force at the sale, ranks and gains that of the draw's date.
func (p *Plan) sale(draw string) (*saleOf, error) {
	d := get[Draw](p, drawKey(draw))
	if d == nil {
		return nil, refuse(NotFound, "draw.unknown", "draw", "there is no draw %q", draw)
	}
	now := p.Now.UnixMicro()
	if d.State != string(drawing.Open) || now < d.OpensAt || now >= d.ClosesAt {
		return nil, refuse(Closed, "draw.closed", "draw", "draw %s is on sale from %s to %s, it is %s; nothing is debited", draw,
			moment(d.OpensAt), moment(d.ClosesAt), d.State)
	}
	if p.batch.behind > maxBehind {
		return nil, refuse(Unavailable, "clock.back", "", "the clock of the system stands %v before the last accepted command: nothing is sold until it is right; nothing was done, try again later", p.batch.behind.Round(time.Second))
	}
	if s, ok := p.batch.sales[draw]; ok {
		return s, nil
	}
	secret, err := p.secret(d)
	if err != nil {
		return nil, err
	}
	s, err := newSale(d, p.Now)
	if err != nil {
		return nil, refuse(Closed, "draw.rules", "draw", "%v", err)
	}
	s.secret = secret
	// Clock and draw are the same for the whole batch, so what follows from them is worked out once.
	p.batch.sales[draw] = s
	return s, nil
}

// newSale returns what a sale for a draw goes by at an instant, but for the secret. An error says that no rules are in force.
func newSale(d *Draw, now time.Time) (*saleOf, error) {
	s := &saleOf{draw: d}
	var err error
	if s.book, err = games.At(d.Game, now); err == nil {
		s.prizes, err = drawBook(d)
	}
	if err == nil {
		s.series, err = seriesOf(s.book, now, d.Exceptional == 1)
	}
	return s, err
}

func paris(micro int64) string {
	return time.UnixMicro(micro).In(games.Paris).Format("2006-01-02 15:04:05")
}

// secret opens the sealed secret of a draw, once: whatever becomes of the batch, what is remembered is the secret of these sealed bytes.
func (p *Plan) secret(d *Draw) (fairness.Secret, error) {
	if s, ok := p.reg.unseal[string(d.Secret)]; ok {
		return s, nil
	}
	s, err := openSecret(p.reg.cfg.Sealer, d.Secret, d.ID)
	if err != nil {
		return s, err
	}
	if len(p.reg.unseal) == maxUnsealed {
		clear(p.reg.unseal)
	}
	p.reg.unseal[string(d.Secret)] = s
	return s, nil
}

// maxUnsealed bounds the secrets that a register remembers: more draws than are ever on sale at a time.
const maxUnsealed = 256

// line returns the grid of a line: as chosen, or drawn from the draw's secret, the number of the play and that of the attempt.
func (s *saleOf) line(l Line, play int64, i, attempt int) (combin.Combination, error) {
	c := l.Grid
	if c == 0 {
		if !s.book.SaleFormat(l.Quick) {
			return 0, fmt.Errorf("quick pick of format %v: not sold under %s", l.Quick, s.book.Header.Version())
		}
		return fairness.QuickPick(s.secret, s.draw.ID, play, i, attempt, s.book.Matrix, l.Quick), nil
	}
	if err := s.book.Matrix.Check(c); err != nil {
		return 0, err
	}
	if !s.book.SaleFormat(c.Format()) {
		return 0, fmt.Errorf("grid of format %v: not sold under %s", c.Format(), s.book.Header.Version())
	}
	return c, nil
}

// packLines writes grids as 8 bytes each.
func packLines(lines []combin.Combination) []byte {
	b := make([]byte, 0, 8*len(lines))
	for _, l := range lines {
		b = binary.BigEndian.AppendUint64(b, uint64(l))
	}
	return b
}

// Grids reads what a play or a pack stores.
func Grids(b []byte) []combin.Combination {
	lines := make([]combin.Combination, len(b)/8)
	for i := range lines {
		lines[i] = combin.Combination(binary.BigEndian.Uint64(b[8*i:]))
	}
	return lines
}
