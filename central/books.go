package central

import (
	"cmp"
	"context"
	"fmt"
	"hash/maphash"
	"slices"

	"tirage/ledger"
	"tirage/rules/money"
)

// CheckBooks verifies every invariant of the store and returns the first breach:
//
//   - all balances add up to zero, each equals the sum of its transfers, none is below its floor;
//   - a player's movements follow each other without a gap, each starting from the balance that the one before left;
//   - the log of each writer has a leaf for every index, in the order of time, and their hashes give the stored right edge and the roots that
//     the manifests of draws name;
//   - the log says it all: the transfers are the postings of the leaves, every leaf has its idempotency record, every other row stands as the
//     leaves left it, and none is missing;
//   - each play costs what its rulebook says, with the games added to it, and was sold in the hours of its draw; what is sold of each pack is what its plays hold, never more
//     than its shares; no code of a draw is issued twice; no combination takes part in a draw more often than its rulebook allows;
//   - the plays of a draw are those that its sales counted and, from the seal on, those that were sealed; a paid draw has paid what was counted,
//     to the cent, and leaves nothing in stakes and prizes;
//   - the calendar has the hours of every draw; what is put off was confirmed by a second person; a result that was made in a draw room is what two people
//     typed alike and a third signed;
//   - the tiles hold the hashes of the leaves that they have reached;
//   - the history index holds the movements of the leaves that it has reached, the inboxes their messages, the counters by hour their sales;
//     withdrawals on their way have their money waiting; an address is one player's;
//   - the receipts of a group play are those of its organiser and members, each paid its part; the last play of a subscription is its player's;
//   - every round of a ladder is what its secrets and contributions give, and has paid that, once.
//
// It reads each table once and each draw once more. It holds some 20 bytes for each leaf, 30 for each row, and the codes of one draw.
func CheckBooks(ctx context.Context, store Reader) error {
	snap, err := store.Snapshot(ctx)
	if err != nil {
		return err
	}
	defer snap.Close()
	b := &books{
		ctx: ctx, snap: snap, seed: maphash.MakeSeed(), logs: map[int64]*logBooks{}, images: map[uint64]image{}, players: map[int64]*playerBooks{},
		balances: map[string]money.Cents{}, counters: map[string]int64{}, pointers: map[string]int64{}, rounds: newRoundBooks(),
		tilings: map[int64]*tileBooks{}, tiles: map[Key]uint64{}, hours: hourBooks{progress: map[int64]int64{}, sums: map[Key]int64{}},
	}
	for _, check := range []func() error{
		b.readProgress, b.readRoots, b.checkLog, b.checkWriters, b.checkTiles, b.checkKeys, b.checkRows, b.readBalances, b.checkTransfers, b.checkBalances, b.checkDraws, b.checkCalendar, b.checkRooms, b.checkGenerators, b.checkDeferrals, b.checkDesigns, b.checkRounds, b.checkSubscriptions, b.checkAccounts,
	} {
		if err := check(); err != nil {
			return fmt.Errorf("books: %w", err)
		}
	}
	return nil
}

// books is what one check has read so far. Hashes are 64 bits under a random seed: nobody can make two rows that look the same.
type books struct {
	ctx  context.Context
	snap Snapshot
	seed maphash.Seed

	roots    []sealedRoot        // of the manifests, by node and size
	logs     map[int64]*logBooks // by node
	images   map[uint64]image    // by table and key
	players  map[int64]*playerBooks
	balances map[string]money.Cents // of accounts other than players', over all nodes
	counters map[string]int64       // over all nodes
	pointers map[string]int64       // of codes
	rounds   roundBooks
	history  followedBooks
	inbox    followedBooks
	hours    hourBooks
	tilings  map[int64]*tileBooks // by node
	tiles    map[Key]uint64
}

func (b *books) scan(table TableID, yield func(Row) error) error {
	return b.snap.Scan(b.ctx, Range{From: Key{Table: table}}, yield)
}

func (b *books) readBalances() error {
	err := b.scan(Accounts, func(r Row) error {
		a := r.(*AccountRow)
		b.balances[a.Name] = money.Add(b.balances[a.Name], a.Balance)
		return nil
	})
	if err != nil {
		return err
	}
	err = b.scan(Players, func(r Row) error {
		p := r.(*Player)
		b.players[p.ID] = &playerBooks{player: *p}
		return nil
	})
	if err != nil {
		return err
	}
	err = b.scan(CodePointers, func(r Row) error {
		p := r.(*CodePointer)
		b.pointers[p.Scope] = p.Next
		return nil
	})
	if err != nil {
		return err
	}
	return b.scan(Counters, func(r Row) error {
		c := r.(*Counter)
		b.counters[c.Name] += c.N
		return nil
	})
}

// checkTransfers compares the transfers with the postings of the leaves, adds them and the credits up by account, and follows the movements of
// each player.
func (b *books) checkTransfers() error {
	sums := map[string]money.Cents{}
	add := func(t *Transfer) error {
		if err := (ledger.Posting{From: ledger.Account(t.From), To: ledger.Account(t.To), Cents: t.Cents}).Check(); err != nil {
			return err
		}
		sums[t.From] -= t.Cents
		sums[t.To] = money.Add(sums[t.To], t.Cents)
		b.rounds.note(t)
		return b.move(t)
	}
	// The credits first: they are fewer than the transfers, and wait for those that came before them.
	if err := b.scan(Credits, func(r Row) error { return add(r.(*Credit).Transfer()) }); err != nil {
		return err
	}
	var p postings
	err := b.scan(Transfers, func(r Row) error {
		if err := p.read(b, r.(*Transfer)); err != nil {
			return err
		}
		return add(r.(*Transfer))
	})
	if err == nil {
		err = p.end(b)
	}
	if err != nil {
		return err
	}
	return b.compareSums(sums)
}

// compareSums compares the balances of accounts other than players' with their transfers.
func (b *books) compareSums(sums map[string]money.Cents) error {
	for name, sum := range sums {
		if _, ok := ledger.Account(name).PlayerID(); !ok && b.balances[name] != sum {
			return fmt.Errorf("account %s has %v, its transfers add up to %v", name, b.balances[name], sum)
		}
	}
	for name, balance := range b.balances {
		if _, ok := sums[name]; !ok {
			return fmt.Errorf("account %s has %v without a transfer", name, balance)
		}
	}
	return nil
}

// playerBooks follows the movements of one player.
type playerBooks struct {
	player  Player
	version int64 // of the last movement that follows on all before it
	balance money.Cents
	early   []movement // read before those they follow on: credits, movements of other nodes; in the order of their numbers
}

// movement is one movement of a player's balance.
type movement struct {
	version       int64
	before, after money.Cents
}

// move follows the movement of a transfer, if it has one.
func (b *books) move(t *Transfer) error {
	from, isFrom := ledger.Account(t.From).PlayerID()
	to, isTo := ledger.Account(t.To).PlayerID()
	id, before := from, t.After+t.Cents
	if isTo {
		id, before = to, t.After-t.Cents
	}
	switch {
	case isFrom && isTo:
		return fmt.Errorf("transfer %d of node %d goes from player to player", t.Pos, t.Node)
	case !isFrom && !isTo:
		id = 0
	}
	if t.Player != id {
		return fmt.Errorf("transfer %d of node %d from %s to %s is entered for player %d", t.Pos, t.Node, t.From, t.To, t.Player)
	}
	if id == 0 {
		return nil
	}
	p := b.players[id]
	if p == nil {
		return fmt.Errorf("transfers name player %d, who does not exist", id)
	}
	return p.move(movement{t.Version, before, t.After})
}

func (p *playerBooks) move(m movement) error {
	i, twice := slices.BinarySearchFunc(p.early, m.version, func(e movement, v int64) int { return cmp.Compare(e.version, v) })
	if twice || m.version <= p.version {
		return fmt.Errorf("player %d: two movements have number %d", p.player.ID, m.version)
	}
	if m.version > p.version+1 {
		p.early = slices.Insert(p.early, i, m)
		return nil
	}
	for {
		if m.before != p.balance {
			return fmt.Errorf("player %d: movement %d starts from %v, the one before left %v", p.player.ID, m.version, m.before, p.balance)
		}
		p.version, p.balance = m.version, m.after
		if len(p.early) == 0 || p.early[0].version != p.version+1 {
			return nil
		}
		m, p.early = p.early[0], p.early[1:]
	}
}

// checkBalances makes sure that nothing was made or lost and nobody is below their floor.
func (b *books) checkBalances() error {
	var sum money.Cents
	for id, p := range b.players {
		sum = money.Add(sum, p.player.Balance)
		switch {
		case len(p.early) > 0:
			return fmt.Errorf("player %d: movement %d of %d is missing", id, p.version+1, p.player.Version)
		case p.version != p.player.Version || p.balance != p.player.Balance:
			return fmt.Errorf("player %d: %d movements leave %v, the balance is %v after %d", id, p.version, p.balance, p.player.Balance, p.player.Version)
		case p.balance < 0:
			return fmt.Errorf("player %d has %v", id, p.balance)
		}
	}
	for name, balance := range b.balances {
		sum = money.Add(sum, balance)
		if balance < 0 && !ledger.Account(name).MayOwe() {
			return fmt.Errorf("account %s has %v", name, balance)
		}
	}
	if sum != 0 {
		return fmt.Errorf("all balances add up to %v, not to zero", sum)
	}
	return nil
}

// ScanTransfers calls yield for every posting: the transfers, then the credits, each of which stands for its own.
func ScanTransfers(ctx context.Context, snap Snapshot, yield func(*Transfer) error) error {
	err := snap.Scan(ctx, Range{From: Key{Table: Transfers}}, func(r Row) error { return yield(r.(*Transfer)) })
	if err != nil {
		return err
	}
	return snap.Scan(ctx, Range{From: Key{Table: Credits}}, func(r Row) error { return yield(r.(*Credit).Transfer()) })
}

// Balances returns the balance of every account that is no player's, those at zero left out.
func Balances(ctx context.Context, snap Snapshot) (map[ledger.Account]money.Cents, error) {
	sums := map[ledger.Account]money.Cents{}
	err := snap.Scan(ctx, Range{From: Key{Table: Accounts}}, func(r Row) error {
		a := r.(*AccountRow)
		sums[ledger.Account(a.Name)] = money.Add(sums[ledger.Account(a.Name)], a.Balance)
		return nil
	})
	for name, cents := range sums {
		if cents == 0 {
			delete(sums, name)
		}
	}
	return sums, err
}
