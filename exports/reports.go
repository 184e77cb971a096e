package exports

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"tirage/central"
	"tirage/games"
	"tirage/ledger"
	"tirage/logbook"
	"tirage/rules/money"
)

// Scope is what a report is asked for. Days are YYYY-MM-DD in Paris, both included; "" is no bound.
type Scope struct {
	From, To string
	Player   int64 // of a statement
	Now      time.Time
}

// period returns the instants of a scope: from, and before to. A zero time is no bound.
func (s *Scope) period() (from, to time.Time, err error) {
	if s.From != "" {
		if from, err = day("from", s.From); err != nil {
			return from, to, err
		}
	}
	if s.To != "" {
		if to, err = day("to", s.To); err != nil {
			return from, to, err
		}
		to = to.AddDate(0, 0, 1)
	}
	if !from.IsZero() && !to.IsZero() && !from.Before(to) {
		return from, to, &central.Refusal{Code: central.Invalid, Reason: "export.period", Field: "to",
			Text: fmt.Sprintf("the period ends on %s, before it begins on %s", s.To, s.From), French: fmt.Sprintf("la période finit le %s, avant son début le %s", s.To, s.From)}
	}
	return from, to, nil
}

func day(field, s string) (time.Time, error) {
	t, err := time.ParseInLocation(time.DateOnly, s, games.Paris)
	if err != nil {
		return t, &central.Refusal{Code: central.Invalid, Reason: "export.day", Field: field,
			Text: fmt.Sprintf("%.20q is no day; accepted 2018-10-29", s), French: fmt.Sprintf("%.20q n’est pas un jour ; accepté : 2018-10-29", s)}
	}
	return t, nil
}

// about says the period of a scope.
func (s *Scope) about() Pair {
	from, to := s.From, s.To
	switch {
	case from == "" && to == "":
		return Pair{Words{"Période", "Period"}, Words{"tout", "all"}}
	case from == "":
		return Pair{Words{"Période", "Period"}, Words{"jusqu'au " + to, "until " + to}}
	case to == "":
		return Pair{Words{"Période", "Period"}, Words{"depuis le " + from, "since " + from}}
	}
	return Pair{Words{"Période", "Period"}, Words{"du " + from + " au " + to, from + " to " + to}}
}

// Report is one of the things that can be exported.
type Report struct {
	Name   string
	View   string // the view of docs/permissions.md that a member of the staff needs
	Title  Words
	Dated  bool // a period may be given
	Player bool // of one player
	make   func(ctx context.Context, snap central.Snapshot, s Scope) (*Table, error)
}

// Reports lists the reports.
func Reports() []*Report { return reports }

var reports = []*Report{
	{Name: "sales", View: "reports", Title: Words{"Ventes par heure", "Sales by hour"}, Dated: true, make: sales},
	{Name: "draws", View: "reports", Title: Words{"Ventes par tirage", "Sales by draw"}, Dated: true, make: draws},
	{Name: "liability", View: "reports", Title: Words{"Ce qui est dû", "What is owed"}, make: liability},
	{Name: "funds", View: "reports", Title: Words{"Balance des comptes", "Balance of accounts"}, make: funds},
	{Name: "rounding", View: "reports", Title: Words{"Arrondis par tirage", "Rounding by draw"}, make: rounding},
	{Name: "log", View: "log", Title: Words{"Piste d'audit", "Audit trail"}, Dated: true, make: trail},
	{Name: "statement", View: "statements", Title: Words{"Relevé de compte", "Statement"}, Dated: true, Player: true, make: statement},
}

// Find returns the report of a name.
func Find(name string) (*Report, error) {
	var names []string
	for _, r := range reports {
		if r.Name == name {
			return r, nil
		}
		names = append(names, r.Name)
	}
	return nil, &central.Refusal{Code: central.NotFound, Reason: "export.unknown", Field: "report",
		Text: fmt.Sprintf("there is no report %.20q; accepted %s", name, strings.Join(names, ", ")), French: fmt.Sprintf("il n’y a pas d’export %.20q ; acceptés : %s", name, strings.Join(names, ", "))}
}

// Read makes the table of a report, read in a snapshot that stays open until the table is written.
func (r *Report) Read(ctx context.Context, snap central.Snapshot, s Scope) (*Table, error) {
	t, err := r.make(ctx, snap, s)
	if err != nil {
		return nil, err
	}
	t.Name, t.Title, t.Read = r.Name, r.Title, s.Now
	if r.Dated {
		t.About = append([]Pair{s.about()}, t.About...)
	}
	return t, nil
}

func table(columns []Column, rows iter.Seq2[Row, error], about ...Pair) *Table {
	return &Table{Columns: columns, Rows: rows, About: about}
}

// listed yields rows that were read already.
func listed(rows []Row) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		for _, r := range rows {
			if !yield(r, nil) {
				return
			}
		}
	}
}

var (
	drawColumn = Column{Name: "draw", Title: Words{"Tirage", "Draw"}}
	gameColumn = Column{Name: "game", Title: Words{"Jeu", "Game"}}
)

// sales are the plays and stakes of each hour, by game, kind and pack type.
func sales(ctx context.Context, snap central.Snapshot, s Scope) (*Table, error) {
	from, to, err := s.period()
	if err != nil {
		return nil, err
	}
	if to.IsZero() {
		to = s.Now.Add(time.Hour)
	}
	sold, err := central.ReadSales(ctx, snap, from, to)
	if err != nil {
		return nil, err
	}
	var rows []Row
	for _, h := range sold {
		rows = append(rows, Row{h.Hour, h.Game, h.Kind, h.PackType, h.Plays, h.Cents})
	}
	return table([]Column{
		{Name: "hour_at", Title: Words{"Heure (Paris)", "Hour (Paris)"}, Kind: Instant}, gameColumn, {Name: "kind", Title: Words{"Nature", "Kind"}},
		{Name: "pack_type", Title: Words{"Type de pack", "Pack type"}}, {Name: "plays", Title: Words{"Prises de jeu", "Plays"}, Kind: Count, Sum: true},
		{Name: "stakes", Title: Words{"Mises", "Stakes"}, Kind: Money, Sum: true},
	}, listed(rows)), nil
}

// draws are the draws whose day lies in the period, with what was sold and what still waits for winners.
func draws(ctx context.Context, snap central.Snapshot, s Scope) (*Table, error) {
	if _, _, err := s.period(); err != nil {
		return nil, err
	}
	views, err := central.ReadDrawViews(ctx, snap, central.DrawQuery{From: s.From, To: s.To})
	if err != nil {
		return nil, err
	}
	var rows []Row
	for _, d := range views {
		rows = append(rows, Row{d.Draw, d.State, d.ClosesAt, d.DrawsAt, d.Plays, d.Stakes, d.Waiting, d.Until, d.Why})
	}
	return table([]Column{
		drawColumn, {Name: "state", Title: Words{"État", "State"}}, {Name: "closes_at", Title: Words{"Clôture", "Close"}, Kind: Instant},
		{Name: "draws_at", Title: Words{"Tirage à", "Drawn at"}, Kind: Instant}, {Name: "plays", Title: Words{"Prises de jeu", "Plays"}, Kind: Count, Sum: true},
		{Name: "stakes", Title: Words{"Mises", "Stakes"}, Kind: Money, Sum: true}, {Name: "claims", Title: Words{"Gains à réclamer", "Gains to be claimed"}, Kind: Money, Sum: true},
		{Name: "claims_until", Title: Words{"Forclusion", "Claims end"}}, {Name: "why", Title: Words{"Motif du dernier acte", "Why, of the last act"}},
	}, listed(rows)), nil
}

// balances reads every account but those of players, and what all players together own: the rest, for all accounts add up to zero.
func balances(ctx context.Context, snap central.Snapshot) (map[ledger.Account]money.Cents, money.Cents, error) {
	all, err := central.Balances(ctx, snap)
	players := money.Cents(0)
	for _, c := range all {
		players = money.Add(players, -c)
	}
	return all, players, err
}

var balanceColumns = []Column{
	{Name: "account", Title: Words{"Compte", "Account"}}, {Name: "meaning", Title: Words{"Ce qu'il contient", "What it holds"}}, {Name: "balance", Title: Words{"Solde", "Balance"}, Kind: Money, Sum: true},
}

// owed are the kinds of accounts that the operator owes to players and winners.
var owed = []string{"prizes", "claims", "withdrawal"}

// liability is what players own and what winners are owed.
func liability(ctx context.Context, snap central.Snapshot, _ Scope) (*Table, error) {
	all, players, err := balances(ctx, snap)
	if err != nil {
		return nil, err
	}
	rows := []Row{{"player", meaning("player"), players}}
	for _, a := range slices.Sorted(maps.Keys(all)) {
		if slices.Contains(owed, a.Kind()) {
			rows = append(rows, Row{string(a), meaning(a), all[a]})
		}
	}
	return table(balanceColumns, listed(rows), Pair{Words{"Portée", "Scope"}, Words{"Disponibilités de tous les joueurs, gains en cours de crédit ou à réclamer, retraits en chemin", "Balances of all players, gains being credited or to be claimed, withdrawals on their way"}}), nil
}

// funds is the balance of every account, players' together in one line: it adds up to zero.
func funds(ctx context.Context, snap central.Snapshot, _ Scope) (*Table, error) {
	all, players, err := balances(ctx, snap)
	if err != nil {
		return nil, err
	}
	rows := []Row{{"player", meaning("player"), players}}
	for _, a := range slices.Sorted(maps.Keys(all)) {
		rows = append(rows, Row{string(a), meaning(a), all[a]})
	}
	return table(balanceColumns, listed(rows), Pair{Words{"Contrôle", "Check"}, Words{"Le total est nul : chaque euro va d'un compte à un autre", "The total is zero: each euro goes from one account to another"}}), nil
}

// rounding is what rounding left of each draw: what equal shares of gains do not add up to, and what the floors to ten cents leave.
func rounding(ctx context.Context, snap central.Snapshot, _ Scope) (*Table, error) {
	all, err := central.BalancesOf(ctx, snap, "rounding", "crumbs")
	if err != nil {
		return nil, err
	}
	of := map[string][2]money.Cents{}
	for a, c := range all {
		_, draw, _ := strings.Cut(string(a), "/")
		two := of[draw]
		if a.Kind() == "rounding" {
			two[0] = c
		} else {
			two[1] = c
		}
		of[draw] = two
	}
	var rows []Row
	for _, draw := range slices.Sorted(maps.Keys(of)) {
		rows = append(rows, Row{draw, of[draw][0], of[draw][1]})
	}
	return table([]Column{
		drawColumn, {Name: "rounding", Title: Words{"Arrondi des parts", "Rounding of shares"}, Kind: Money, Sum: true}, {Name: "crumbs", Title: Words{"Restes des arrondis à 0,10", "Left by floors to 0.10"}, Kind: Money, Sum: true},
	}, listed(rows), Pair{Words{"Règlement", "Regulation"}, Words{
		"Il ne nomme pas qui porte l'arrondi des parts (déduit : l'opérateur) ni où vont les restes (supposé : fonds de réserve)",
		"It does not name who bears the rounding of shares (inferred: the operator) nor where the rest goes (assumed: the reserve fund)",
	}}), nil
}

// meaning says what an account holds (DESIGN: chart of accounts of package ledger).
func meaning(a ledger.Account) Words { return meanings[a.Kind()] }

var meanings = map[string]Words{
	"player":     {"disponibilités", "available balances"},
	"bank":       {"hors système", "outside the system"},
	"withdrawal": {"retrait en chemin", "withdrawal on its way"},
	"stakes":     {"mises", "stakes"},
	"prizes":     {"gains à créditer", "gains being credited"},
	"unsold":     {"parts invendues", "unsold shares"},
	"rounding":   {"arrondi des parts", "rounding of shares"},
	"crumbs":     {"restes", "crumbs"},
	"claims":     {"gains à réclamer", "gains to be claimed"},
	"outside":    {"autres points de vente et pays", "other points of sale and countries"},
	"operator":   {"part de l'opérateur", "operator's part"},
	"fund":       {"fonds", "fund"},
}

// trail is the log: who did what and when, each leaf with its hash, by which the entry is found in the published tree. What the commands held is not in it.
func trail(ctx context.Context, snap central.Snapshot, s Scope) (*Table, error) {
	from, to, err := s.period()
	if err != nil {
		return nil, err
	}
	rows := func(yield func(Row, error) bool) {
		stopped := fmt.Errorf("stopped")
		err := snap.Scan(ctx, central.Range{From: central.Key{Table: central.Leaves}}, func(r central.Row) error {
			leaf := r.(*central.LeafRow)
			head, err := logbook.ParseHead(leaf.Body)
			if err != nil {
				return fmt.Errorf("leaf %d-%d: %w", leaf.Node, leaf.Index, err)
			}
			at := time.UnixMicro(head.At)
			if !from.IsZero() && at.Before(from) || !to.IsZero() && !at.Before(to) {
				return nil
			}
			if !yield(Row{leaf.Node, leaf.Index, at, head.Kind, head.Principal, logbook.Hash(leaf.Salt, leaf.Body).String()}, nil) {
				return stopped
			}
			return nil
		})
		if err != nil && err != stopped {
			yield(nil, err)
		}
	}
	return table([]Column{
		{Name: "node", Title: Words{"Nœud", "Node"}, Kind: Count}, {Name: "leaf", Title: Words{"Feuille", "Leaf"}, Kind: Count}, {Name: "at", Title: Words{"Instant (Paris)", "Instant (Paris)"}, Kind: Instant},
		{Name: "command", Title: Words{"Acte", "Command"}}, {Name: "principal", Title: Words{"Par", "By"}}, {Name: "leaf_hash", Title: Words{"Empreinte de la feuille", "Hash of the leaf"}},
	}, rows), nil
}

// statement is what happened to the balance of a player.
func statement(ctx context.Context, snap central.Snapshot, s Scope) (*Table, error) {
	from, to, err := s.period()
	if err != nil {
		return nil, err
	}
	st, err := central.ReadStatement(ctx, snap, central.StatementQuery{Player: s.Player, From: from, To: to})
	if err != nil {
		return nil, err
	}
	rows := func(yield func(Row, error) bool) {
		for _, m := range st.Movements {
			if !yield(Row{m.Version, time.UnixMicro(m.At), of(m), m.Account, m.Cents, m.After}, nil) {
				return
			}
		}
	}
	sum := func(c money.Cents) Words {
		return Words{strings.Replace(decimal(c), ".", ",", 1) + " €", "€" + decimal(c)}
	}
	t := table([]Column{
		{Name: "number", Title: Words{"N°", "No."}, Kind: Count}, {Name: "at", Title: Words{"Instant (Paris)", "Instant (Paris)"}, Kind: Instant}, {Name: "of", Title: Words{"Nature", "Kind"}},
		{Name: "account", Title: Words{"Compte", "Account"}}, {Name: "amount", Title: Words{"Montant", "Amount"}, Kind: Money, Sum: true}, {Name: "balance", Title: Words{"Solde", "Balance"}, Kind: Money},
	}, rows,
		Pair{Words{"Compte joueur", "Player's account"}, Words{strconv.FormatInt(s.Player, 10), strconv.FormatInt(s.Player, 10)}},
		Pair{Words{"Solde au début", "Balance at the start"}, sum(st.Opening)}, Pair{Words{"Solde à la fin", "Balance at the end"}, sum(st.Closing)},
		Pair{Words{"Mises", "Stakes"}, sum(st.Totals.Stakes)}, Pair{Words{"Gains", "Gains"}, sum(st.Totals.Gains)},
		Pair{Words{"Dépôts", "Deposits"}, sum(st.Totals.Deposits)}, Pair{Words{"Retraits", "Withdrawals"}, sum(st.Totals.Withdrawals)})
	return t, nil
}

// of says what a movement was: stake, gain, deposit, withdrawal, correction.
func of(m *central.Movement) string {
	return cmp.Or(map[string]string{"bank": "deposit", "withdrawal": "withdrawal", "stakes": "stake", "prizes": "gain", "claims": "gain"}[ledger.Account(m.Account).Kind()], "correction")
}
