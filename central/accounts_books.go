package central

import (
	"fmt"
	"hash/maphash"

	"tirage/ledger"
	"tirage/rules/money"
)

// checkAccounts compares what players' accounts keep beside the ledger with it: withdrawals on their way, the history index, logins.
func (b *books) checkAccounts() error {
	for _, check := range []func() error{b.checkPayments, b.checkFollowed, b.checkLogins, b.checkStaff} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// checkPayments: a withdrawal on its way has its money waiting, and nothing else waits.
func (b *books) checkPayments() error {
	waiting := map[string]money.Cents{}
	err := b.scan(PaymentRows, func(r Row) error {
		if m := r.(*Payment); m.Kind == PaymentWithdrawal && m.State == PaymentRequested {
			waiting[string(ledger.Withdrawal(m.ID))] = m.Cents
		}
		return nil
	})
	if err != nil {
		return err
	}
	for name, cents := range waiting {
		if b.balances[name] != cents {
			return fmt.Errorf("account %s has %v, %v is to be paid out", name, b.balances[name], cents)
		}
	}
	for name, balance := range b.balances {
		if ledger.Account(name).Kind() == "withdrawal" && balance != waiting[name] {
			return fmt.Errorf("account %s has %v that nobody is to be paid", name, balance)
		}
	}
	return nil
}

// followedBooks is what a follower must have stored: the sum of the hashes of its rows.
type followedBooks struct {
	progress map[int64]int64 // node → leaves that it has passed
	sum      uint64
}

func (b *books) readProgress() error {
	of := map[string]*followedBooks{HistoryJob: &b.history, InboxJob: &b.inbox}
	for _, f := range of {
		f.progress = map[int64]int64{}
	}
	return b.scan(ProgressRows, func(r Row) error {
		p := r.(*Progress)
		if of[p.Name] != nil {
			of[p.Name].progress[p.Node] = p.N
		}
		switch p.Name {
		case SalesJob:
			b.hours.progress[p.Node] = p.N
		case TilesJob:
			b.tilings[p.Node] = &tileBooks{size: p.N}
		}
		return nil
	})
}

// noteFollowed takes in a leaf.
func (b *books) noteFollowed(e Entry) error {
	if e.Index < b.history.progress[e.Node] {
		for _, r := range appendMovements(nil, e.Leaf) {
			b.history.sum += rowHash(b.seed, r)
		}
	}
	if e.Index < b.inbox.progress[e.Node] {
		list, err := MessagesOf(e)
		for _, m := range list {
			b.inbox.sum += rowHash(b.seed, m)
		}
		if err != nil {
			return err
		}
	}
	return b.noteSales(e)
}

func rowHash(seed maphash.Seed, r Row) uint64 { return maphash.Bytes(seed, appendRow(nil, r)) }

// checkFollowed compares history, inboxes and the sales by hour with the leaves that they have reached.
func (b *books) checkFollowed() error {
	if err := b.history.check(b, "history", Movements); err != nil {
		return err
	}
	if err := b.inbox.check(b, "inbox", Messages); err != nil {
		return err
	}
	if err := b.checkHours(); err != nil {
		return err
	}
	return b.checkReads()
}

func (h *followedBooks) check(b *books, name string, table TableID) error {
	for node, n := range h.progress {
		if log := b.logs[node]; log == nil || n > log.tree.Size {
			return fmt.Errorf("the %s holds %d leaves of node %d, which has fewer", name, n, node)
		}
	}
	sum := h.sum
	err := b.scan(table, func(r Row) error {
		sum -= rowHash(b.seed, r)
		return nil
	})
	if err == nil && sum != 0 {
		return fmt.Errorf("the %s is not what the leaves say", name)
	}
	return err
}

// checkReads: what was read is a message.
func (b *books) checkReads() error {
	read := map[Key]bool{}
	err := b.scan(MessageReads, func(r Row) error {
		m := r.(*MessageRead)
		read[messageKey(m.Player, m.ID)] = true
		return nil
	})
	if err != nil || len(read) == 0 {
		return err
	}
	err = b.scan(Messages, func(r Row) error { delete(read, KeyOf(r)); return nil })
	for k := range read {
		return fmt.Errorf("row %v was read, and is not there", k)
	}
	return err
}

// checkLogins: an address is that of one player, who has it.
func (b *books) checkLogins() error {
	owner := map[int64]string{}
	err := b.scan(Logins, func(r Row) error {
		l := r.(*Login)
		if other, twice := owner[l.Player]; l.Player != 0 && twice {
			return fmt.Errorf("player %d has the addresses %s and %s", l.Player, other, l.Name)
		}
		owner[l.Player] = l.Name
		return nil
	})
	if err != nil {
		return err
	}
	return b.scan(Persons, func(r Row) error {
		if n := r.(*Person); owner[n.Player] != LoginName(n.Email) {
			return fmt.Errorf("the address of player %d is guarded for somebody else", n.Player)
		}
		return nil
	})
}

// checkStaff: a member of the staff has a role of the staff, logs in by the own name, and is no player; a program has a role that programs may have.
func (b *books) checkStaff() error {
	err := b.scan(StaffRows, func(r Row) error {
		s := r.(*Staff)
		row, err := b.snap.Get(b.ctx, loginKey(StaffLogin(s.Name)))
		if err != nil {
			return err
		}
		switch l, _ := row.(*Login); {
		case l == nil || l.Player != s.ID:
			return fmt.Errorf("the name of the member of the staff %s is guarded for somebody else", s.Name)
		case !Permitted.Staff(Role(s.Role)):
			return fmt.Errorf("the member of the staff %s has the role %q", s.Name, s.Role)
		case b.players[s.ID] != nil:
			return fmt.Errorf("the member of the staff %s is player %d", s.Name, s.ID)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return b.scan(Programs, func(r Row) error {
		if t := r.(*Program); !programRole(Role(t.Role)) {
			return fmt.Errorf("program %s has the role %q", PlayID(t.ID), t.Role)
		}
		return nil
	})
}
