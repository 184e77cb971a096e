package central

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"tirage/ledger"
	"tirage/logbook"
	"tirage/rules/money"
)

// SalesJob names the follower that adds up sales by hour.
const SalesJob = "sales"

// Sales of kinds that are no kind of a play.
const (
	SoldSubscription = "subscription" // plays that a subscription (Abo+) has debited
	SoldRound        = "round"        // rounds of a ladder
)

// NewSales returns the follower that adds up sales by hour, so that what was sold in an hour is read as a few rows however much it was, and no sale waits
// for it. Its counters are hour/HOUR/plays/GAME/KIND and hour/HOUR/cents/GAME/KIND, for shares KIND/TYPE; the hour is that of the sale, in UTC.
func NewSales(s Store) *Follower {
	return &Follower{Name: SalesJob, Store: s, Kinds: sellingKinds, Take: func(_ context.Context, _ Snapshot, entries []Entry) (rows []Row, err error) {
		sums := map[Key]int64{}
		for _, e := range entries {
			if err := addSales(sums, e); err != nil {
				return nil, err
			}
		}
		for _, k := range slices.SortedFunc(maps.Keys(sums), compareKeys) {
			rows = append(rows, &Counter{Name: k.S, Node: k.N, N: sums[k]})
		}
		return rows, nil
	}}
}

// sellingKinds lists the commands that sell.
var sellingKinds = []string{
	BuyPlay{}.Kind(), BuyShares{}.Kind(), Confirm{}.Kind(), Replay{}.Kind(), PlayGroup{}.Kind(), DebitSubscription{}.Kind(), StartRound{}.Kind(),
}

const hourPrefix, hourForm = "hour/", "2006-01-02T15"

// addSales adds what a leaf has sold: each play, game added to one and round that it stored.
func addSales(sums map[Key]int64, e Entry) error {
	for _, line := range e.Lines {
		table, _, _ := strings.Cut(string(line[:min(len(line), 16)]), ",")
		if table != `["plays"` && table != `["add_ons"` && (table != `["rounds"` || e.Kind != StartRound{}.Kind()) {
			continue
		}
		row, err := ReadRow(line)
		if err != nil {
			return err
		}
		game, kind, cents := soldIn(row, e.Kind)
		at := hourPrefix + time.UnixMicro(e.At).UTC().Format(hourForm)
		sums[Key{Table: Counters, S: at + "/plays/" + game + "/" + kind, N: e.Node}]++
		sums[Key{Table: Counters, S: at + "/cents/" + game + "/" + kind, N: e.Node}] += int64(cents)
	}
	return nil
}

// soldIn says what a row is a sale of.
func soldIn(row Row, leaf string) (game, kind string, cents money.Cents) {
	switch r := row.(type) {
	case *Play:
		game, kind, cents = r.Draw[:len(r.Draw)-len("-2006-01-02")], r.Kind, r.Stake
		if r.Kind == KindPack {
			kind += "/" + r.PackType
		}
		if leaf == (DebitSubscription{}).Kind() {
			kind = SoldSubscription
		}
	case *AddOnRow:
		game, kind, cents = r.Draw[:len(r.Draw)-len("-2006-01-02")], r.Game, r.Stake
	case *Round:
		game, kind, cents = r.Game, SoldRound, r.Stake
	}
	return game, kind, cents
}

// HourSales is what was sold of one kind in one hour.
type HourSales struct {
	Hour     time.Time
	Game     string
	Kind     string // of a play; a game added to plays; SoldSubscription, SoldRound
	PackType string // of shares
	Plays    int64
	Cents    money.Cents
}

// ReadHours reads the sales of the hours from (included) to to (excluded), by hour, game and kind: two rows for each kind that was sold and each node that
// sold it, whatever the number of sales. They are those that the follower has passed.
func ReadHours(ctx context.Context, snap Snapshot, from, to time.Time) ([]HourSales, error) {
	sums := hourSums{}
	err := sums.counted(ctx, snap, from, to)
	return sums.list(), err
}

// ReadSales reads the sales of the same hours as [ReadHours], those that the follower has not yet passed among them, from their leaves.
func ReadSales(ctx context.Context, snap Snapshot, from, to time.Time) ([]HourSales, error) {
	sums := hourSums{}
	if err := sums.counted(ctx, snap, from, to); err != nil {
		return nil, err
	}
	rest := map[Key]int64{}
	err := scanAhead(ctx, snap, SalesJob, func(body []byte) error {
		head, err := logbook.ParseHead(body)
		if err != nil || !slices.Contains(sellingKinds, head.Kind) {
			return err
		}
		leaf, lines, err := logbook.ParseLeaf(body)
		if err != nil {
			return err
		}
		return addSales(rest, Entry{leaf, lines})
	})
	if err != nil {
		return nil, err
	}
	first, last := hoursBetween(from, to)
	for k, n := range rest {
		if k.S < first || k.S >= last {
			continue
		}
		if err := sums.add(k.S, n); err != nil {
			return nil, err
		}
	}
	return sums.list(), nil
}

// scanAhead calls yield for the bodies of the leaves that a follower has not yet passed.
func scanAhead(ctx context.Context, snap Snapshot, job string, yield func(body []byte) error) error {
	ws, err := writers(ctx, snap)
	if err != nil {
		return err
	}
	for _, w := range ws {
		from, err := progress(ctx, snap, job, w.Node)
		if err != nil {
			return err
		}
		if from >= w.Size {
			continue
		}
		if err := scanLeaves(ctx, snap, w.Node, from, 0, yield); err != nil {
			return err
		}
	}
	return nil
}

// hourSums are the sales of hours by all but their plays and cents.
type hourSums map[HourSales]*HourSales

// hoursBetween are the names of the first counter of a period and of the first one after it.
func hoursBetween(from, to time.Time) (first, last string) {
	return hourPrefix + from.UTC().Format(hourForm), hourPrefix + to.UTC().Format(hourForm)
}

// counted adds the counters of a period.
func (s hourSums) counted(ctx context.Context, snap Snapshot, from, to time.Time) error {
	first, last := hoursBetween(from, to)
	return scanFrom(ctx, snap, Key{Table: Counters, S: first}, func(r Row) error {
		c := r.(*Counter)
		if c.Name >= last {
			return errEnough
		}
		return s.add(c.Name, c.N)
	})
}

// add adds what a counter holds.
func (s hourSums) add(name string, n int64) error {
	parts := strings.SplitN(strings.TrimPrefix(name, hourPrefix), "/", 5)
	if len(parts) < 4 {
		return fmt.Errorf("counter %q", name)
	}
	hour, err := time.Parse(hourForm, parts[0])
	if err != nil {
		return err
	}
	k := HourSales{Hour: hour, Game: parts[2], Kind: parts[3]}
	if len(parts) == 5 {
		k.PackType = parts[4]
	}
	sum := s[k]
	if sum == nil {
		one := k
		sum = &one
		s[k] = sum
	}
	if parts[1] == "plays" {
		sum.Plays += n
	} else {
		sum.Cents = money.Add(sum.Cents, money.Cents(n))
	}
	return nil
}

func (s hourSums) list() (list []HourSales) {
	for _, one := range s {
		list = append(list, *one)
	}
	slices.SortFunc(list, func(a, b HourSales) int {
		return cmp.Or(a.Hour.Compare(b.Hour), cmp.Compare(a.Game, b.Game), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.PackType, b.PackType))
	})
	return list
}

// scanFrom reads a table from a key on (included) until yield returns errEnough.
func scanFrom(ctx context.Context, snap Snapshot, from Key, yield func(Row) error) error {
	from.N, from.M = -1, -1
	err := snap.Scan(ctx, Range{From: from, After: true}, yield)
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

// BalancesOf adds up the accounts of some kinds, such as "fund" and "claims", and reads no other: neither those of draws long past nor those of withdrawals.
func BalancesOf(ctx context.Context, snap Snapshot, kinds ...string) (map[ledger.Account]money.Cents, error) {
	sums := map[ledger.Account]money.Cents{}
	for _, kind := range kinds {
		err := scanFrom(ctx, snap, Key{Table: Accounts, S: kind}, func(r Row) error {
			a := r.(*AccountRow)
			if !strings.HasPrefix(a.Name, kind) {
				return errEnough
			}
			if ledger.Account(a.Name).Kind() == kind {
				sums[ledger.Account(a.Name)] = money.Add(sums[ledger.Account(a.Name)], a.Balance)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	maps.DeleteFunc(sums, func(_ ledger.Account, c money.Cents) bool { return c == 0 })
	return sums, nil
}

// noteSales takes in a leaf that the follower has passed.
func (b *books) noteSales(e Entry) error {
	if e.Index >= b.hours.progress[e.Node] {
		return nil
	}
	return addSales(b.hours.sums, e)
}

// hourBooks is what the follower must have counted.
type hourBooks struct {
	progress map[int64]int64 // node → leaves that it has passed
	sums     map[Key]int64
}

// checkHours compares the sales by hour with the leaves.
func (b *books) checkHours() error {
	for node, n := range b.hours.progress {
		if log := b.logs[node]; log == nil || n > log.tree.Size {
			return fmt.Errorf("the sales by hour hold %d leaves of node %d, which has fewer", n, node)
		}
	}
	want := map[string]int64{}
	for k, n := range b.hours.sums {
		want[k.S] += n
	}
	for name, n := range b.counters {
		if strings.HasPrefix(name, hourPrefix) && want[name] != n {
			return fmt.Errorf("counter %s says %d, the leaves say %d", name, n, want[name])
		}
		delete(want, name)
	}
	for name, n := range want {
		return fmt.Errorf("counter %s is missing: the leaves say %d", name, n)
	}
	return nil
}
