package central

import (
	"errors"
	"fmt"
	"hash/maphash"

	"tirage/ledger"
	"tirage/logbook"
	"tirage/rules/money"
)

// checkAccounts compares what players' accounts keep beside the ledger with it: withdrawals on their way, the history index, logins.
func (b *books) checkAccounts() error {
	for _, check := range []func() error{b.checkPayments, b.checkHistory, b.checkLogins, b.checkStaff} {
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

// historyBooks is what the history index must hold: the sum of the hashes of its rows.
type historyBooks struct {
	progress map[int64]int64 // node → leaves that the index holds
	sum      uint64
}

func (b *books) readProgress() error {
	b.history.progress = map[int64]int64{}
	return b.scan(ProgressRows, func(r Row) error {
		if p := r.(*Progress); p.Name == HistoryJob {
			b.history.progress[p.Node] = p.N
		}
		return nil
	})
}

// note takes in a leaf.
func (h *historyBooks) note(seed maphash.Seed, l *logbook.Leaf) {
	if l.Index >= h.progress[l.Node] {
		return
	}
	for i := range l.Postings {
		if m := movementOf(l, &l.Postings[i]); m != nil {
			h.sum += m.hash(seed)
		}
	}
}

func (r *Movement) hash(seed maphash.Seed) uint64 {
	return maphash.Bytes(seed, logbook.AppendRow(nil, logbook.Row{Table: Schema[Movements].Name, Fields: r.Fields()}))
}

// checkHistory compares the history index with the leaves that it has reached.
func (b *books) checkHistory() error {
	for node, n := range b.history.progress {
		if log := b.logs[node]; log == nil || n > log.tree.Size {
			return fmt.Errorf("the history holds %d leaves of node %d, which has fewer", n, node)
		}
	}
	sum := b.history.sum
	err := b.scan(Movements, func(r Row) error {
		sum -= r.(*Movement).hash(b.seed)
		return nil
	})
	if err == nil && sum != 0 {
		return errors.New("the history is not what the leaves say")
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
