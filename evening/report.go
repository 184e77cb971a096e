package evening

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"tirage/central"
	"tirage/games"
	"tirage/ledger"
	"tirage/rules/money"
)

// Format names the form of a report as JSON. A change of a name or a type is a new number.
const Format = "tirage-evening-1"

// BooksBalanced is what [Report.Books] says: a report whose books do not balance is never made.
const BooksBalanced = "balanced"

// Report is what came of an evening. As JSON its names and types do not change; amounts are whole cents, ids and codes are strings.
type Report struct {
	Format    string          `json:"format"`
	Scenario  string          `json:"scenario"`
	Seed      string          `json:"seed,omitempty"` // of a rehearsal: its secrets can be predicted
	Draw      DrawReport      `json:"draw"`
	Refused   []Refused       `json:"refused"`
	Notice    NoticeReport    `json:"notice"`
	Packs     []PackReport    `json:"packs"`
	Players   []PlayerReport  `json:"players"`
	Totals    Totals          `json:"totals"`
	Accounts  []AccountReport `json:"accounts"`  // other than players', those at zero left out
	Movements []Movement      `json:"movements"` // what moved between accounts, players taken together
	Log       []LogReport     `json:"log"`
	Books     string          `json:"books"`
	Database  string          `json:"database,omitempty"` // where it was kept
}

// DrawReport is the draw as it was sold.
type DrawReport struct {
	ID            string `json:"id"`
	Game          string `json:"game"`
	Title         string `json:"title"`
	Day           string `json:"day"`
	Rules         string `json:"rules"`
	Opens         string `json:"opens"` // RFC 3339, Europe/Paris
	Closes        string `json:"closes"`
	Reconstructed bool   `json:"reconstructed"`
	Exceptional   bool   `json:"exceptional"`
	Commitment    []byte `json:"commitment"` // to the secret of its quick picks and codes
}

// NoticeReport is the notice (avis) with what it is made of.
type NoticeReport struct {
	Version int64        `json:"version"`
	Main    []int        `json:"main"` // in the order of drawing
	Extra   []int        `json:"extra"`
	Ranks   []RankReport `json:"ranks"`
	Codes   []CodeReport `json:"codes"`
	Joker   string       `json:"joker,omitempty"`
	Claims  string       `json:"claims_until"` // last day of payment
	extras  string       // "Chance", "stars"
}

// RankReport is one rank of the notice.
type RankReport struct {
	Rank      int         `json:"rank"`
	Match     string      `json:"match"` // "5+1"
	Winners   int64       `json:"winners"`
	Here      int64       `json:"here"`
	Elsewhere int64       `json:"elsewhere"`
	Gain      money.Cents `json:"gain"` // of one simple combination; at an empty rank what the notice prints there
}

// CodeReport is the winning codes of one series.
type CodeReport struct {
	Series string      `json:"series"`
	Gain   money.Cents `json:"gain"` // of each
	Codes  []string    `json:"codes"`
	Here   int64       `json:"here"` // how many of them were issued here
}

// PlayerReport is one account.
type PlayerReport struct {
	Name    string      `json:"name"`
	ID      string      `json:"id"`
	Plays   []Play      `json:"plays"`
	Staked  money.Cents `json:"staked"`
	Gains   money.Cents `json:"gains"`
	Balance money.Cents `json:"balance"`
	crowd   string
}

// Play is one play with its gains.
type Play struct {
	ID      string            `json:"id"`
	At      string            `json:"at"` // RFC 3339, Europe/Paris
	Rules   string            `json:"rules"`
	Stake   money.Cents       `json:"stake"`
	Combos  int64             `json:"combinations"` // of the whole pack for shares
	Grids   []string          `json:"grids,omitempty"`
	Codes   []central.CodeRun `json:"codes,omitempty"`
	Pack    string            `json:"pack,omitempty"` // TYPE/N; its grids and codes stand with the pack
	Shares  int64             `json:"shares,omitempty"`
	Credits []Credit          `json:"credits"`
}

// Credit is the gain of a play at one component: "ranks", "code/loto" …
type Credit struct {
	Component string      `json:"component"`
	Cents     money.Cents `json:"cents"`
}

// Totals adds the evening up. Gains = due + reserve + rounding.
type Totals struct {
	Plays        int64                  `json:"plays"`
	Stakes       money.Cents            `json:"stakes"` // of players
	UnsoldShares int64                  `json:"unsold_shares"`
	UnsoldStake  money.Cents            `json:"unsold_stake"` // the operator's, in unsold shares
	Gains        money.Cents            `json:"gains"`        // of plays and packs sold here
	Due          money.Cents            `json:"due"`          // paid to players
	Reserve      map[string]money.Cents `json:"reserve"`      // parts of unsold shares, by fund
	Rounding     money.Cents            `json:"rounding"`     // gains less what their equal rounded shares add up to
}

// AccountReport is the balance of one account.
type AccountReport struct {
	Account ledger.Account `json:"account"`
	Title   string         `json:"title,omitempty"` // of a fund, from the rulebook
	Cents   money.Cents    `json:"cents"`
}

// Movement is the sum of the postings from one account to another.
type Movement struct {
	From  ledger.Account `json:"from"`
	To    ledger.Account `json:"to"`
	Cents money.Cents    `json:"cents"`
}

// LogReport is the transparency log of one writer.
type LogReport struct {
	Node   int64  `json:"node"`
	Leaves int64  `json:"leaves"`
	Root   []byte `json:"root"`
}

// report reads what the evening left in the store.
func (r *runner) report(ctx context.Context) (*Report, error) {
	snap, err := r.o.Store.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	defer snap.Close()
	out := &Report{Format: Format, Scenario: r.s.File, Refused: append([]Refused{}, r.refused...), Books: BooksBalanced}
	if s, ok := r.o.Entropy.(*Rehearsal); ok {
		out.Seed = fmt.Sprint(s.Seed)
	}
	for _, part := range []func(context.Context, central.Snapshot, *Report) error{
		r.readDraw, r.readPlayers, r.readPacks, r.readTotals, r.readAccounts, r.readMovements, r.readLog,
	} {
		if err := part(ctx, snap, out); err != nil {
			return nil, fmt.Errorf("report: %w", err)
		}
	}
	out.Notice = r.noticeReport()
	return out, nil
}

func paris(t time.Time) string { return t.In(games.Paris).Format(time.RFC3339) }

func (r *runner) readDraw(ctx context.Context, snap central.Snapshot, out *Report) error {
	row, err := snap.Get(ctx, central.Key{Table: central.Draws, S: r.draw})
	if err != nil || row == nil {
		return fmt.Errorf("draw %s: %w", r.draw, err)
	}
	d, header := row.(*central.Draw), r.s.book.Header
	out.Draw = DrawReport{
		ID: d.ID, Game: d.Game, Title: header.Title, Day: d.Day, Rules: header.Version(), Opens: paris(r.s.Opens), Closes: paris(r.s.Closes),
		Reconstructed: d.Reconstructed == 1, Exceptional: d.Exceptional == 1, Commitment: d.Commitment,
	}
	return nil
}

func (r *runner) noticeReport() NoticeReport {
	n := r.notice
	out := NoticeReport{Version: n.Version, Main: n.Main, Extra: n.Extra, Joker: n.Joker, Claims: n.Claims, Codes: []CodeReport{}, extras: "Chance"}
	if r.s.book.Matrix.Extra > 1 {
		out.extras = "stars"
	}
	for i, rank := range n.Ranks {
		var hits []string
		for _, h := range r.s.book.Prizes.Ranks[i].Hits {
			hits = append(hits, fmt.Sprintf("%d+%d", h.Main, h.Extra))
		}
		here := r.count.Winners[i]
		out.Ranks = append(out.Ranks, RankReport{rank.Rank, strings.Join(hits, ", "), rank.Winners, here, rank.Winners - here, rank.Gain})
	}
	for _, c := range r.count.Codes {
		out.Codes = append(out.Codes, CodeReport{c.Series, c.Unit, append([]string{}, n.Codes[c.Series]...), c.Ours})
	}
	return out
}

// readPlayers puts plays, credits and balances together.
func (r *runner) readPlayers(ctx context.Context, snap central.Snapshot, out *Report) error {
	credits := map[string][]Credit{}
	err := snap.Scan(ctx, central.Range{From: central.Key{Table: central.Credits, S: r.draw}, Prefix: 1}, func(row central.Row) error {
		c := row.(*central.Credit)
		id := central.PlayID(c.Play)
		credits[id] = append(credits[id], Credit{c.Component, c.Cents})
		return nil
	})
	if err != nil {
		return err
	}
	out.Players = []PlayerReport{}
	for _, a := range r.order {
		row, err := snap.Get(ctx, central.Key{Table: central.Players, N: a.id})
		if err != nil || row == nil {
			return fmt.Errorf("player %s: %w", a.name, err)
		}
		p := PlayerReport{Name: a.name, ID: fmt.Sprint(a.id), Plays: []Play{}, Balance: row.(*central.Player).Balance, crowd: a.crowd}
		for _, b := range a.bought {
			play := Play{
				ID: b.Play, At: paris(b.at), Rules: b.Rules, Stake: b.Cents, Combos: b.Combos, Pack: b.Pack, Shares: b.Shares,
				Credits: append([]Credit{}, credits[b.Play]...),
			}
			if b.Pack == "" {
				play.Grids, play.Codes = b.Grids, b.Codes
			}
			p.Staked = money.Add(p.Staked, b.Cents)
			for _, c := range play.Credits {
				p.Gains = money.Add(p.Gains, c.Cents)
			}
			p.Plays = append(p.Plays, play)
		}
		out.Players = append(out.Players, p)
	}
	return nil
}

func (r *runner) readTotals(ctx context.Context, snap central.Snapshot, out *Report) error {
	sales, err := central.CountSales(ctx, snap, r.draw)
	if err != nil {
		return err
	}
	t := &out.Totals
	for _, k := range sales.Kinds {
		if !k.Added() {
			t.Plays += k.Plays
		}
		t.Stakes = money.Add(t.Stakes, k.Cents)
	}
	t.UnsoldShares, t.UnsoldStake = sales.UnsoldShares, sales.UnsoldCents
	c := r.count
	t.Gains, t.Due, t.Rounding, t.Reserve = c.Gains, c.Due, c.Rounding(), c.Packs.Reserve
	if t.Reserve == nil {
		t.Reserve = map[string]money.Cents{}
	}
	return nil
}

func (r *runner) readAccounts(ctx context.Context, snap central.Snapshot, out *Report) error {
	balances, err := central.Balances(ctx, snap)
	if err != nil {
		return err
	}
	titles := map[ledger.Account]string{}
	for _, b := range r.s.books {
		for _, f := range b.Funds {
			titles[ledger.Account("fund/"+f.Account)] = f.Title
		}
	}
	out.Accounts = []AccountReport{}
	for a, cents := range balances {
		out.Accounts = append(out.Accounts, AccountReport{a, titles[a], cents})
	}
	slices.SortFunc(out.Accounts, func(a, b AccountReport) int { return strings.Compare(string(a.Account), string(b.Account)) })
	return nil
}

// readMovements adds up the postings between each pair of accounts, in the order in which the pairs first occur.
func (r *runner) readMovements(ctx context.Context, snap central.Snapshot, out *Report) error {
	together := func(account string) ledger.Account {
		if a := ledger.Account(account); a.Kind() != "player" {
			return a
		}
		return "players"
	}
	at := map[[2]ledger.Account]int{}
	out.Movements = []Movement{}
	return central.ScanTransfers(ctx, snap, func(t *central.Transfer) error {
		pair := [2]ledger.Account{together(t.From), together(t.To)}
		i, ok := at[pair]
		if !ok {
			i = len(out.Movements)
			at[pair] = i
			out.Movements = append(out.Movements, Movement{From: pair[0], To: pair[1]})
		}
		out.Movements[i].Cents = money.Add(out.Movements[i].Cents, t.Cents)
		return nil
	})
}

func (r *runner) readLog(ctx context.Context, snap central.Snapshot, out *Report) error {
	logs, err := central.LogSizes(ctx, snap)
	for _, l := range logs {
		out.Log = append(out.Log, LogReport{l.Node, l.Size, l.Root})
	}
	return err
}
