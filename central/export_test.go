package central

import (
	"tirage/ledger"
	"tirage/rules/money"
)

func init() { Permitted.Commands[Unlawful{}.Kind()] = Permitted.Roles }

// Unlawful is a command that does what no command of the program does, so that tests see who finds it.
type Unlawful struct {
	Name string
	Read []Key
	Do   func(*Plan) error `json:"-"`
}

func (Unlawful) Kind() string  { return "unlawful" }
func (c Unlawful) Keys() []Key { return c.Read }

func (c Unlawful) Plan(p *Plan) (any, error) {
	if err := c.Do(p); err != nil {
		return nil, err
	}
	return c.Name, nil
}

// Waiting returns how many commands wait in the queue.
func Waiting(r *Register) int { return len(r.queue) }

// PlannedAhead returns how many commands are planned on top of the batch that is being written.
func PlannedAhead(r *Register) int {
	r.baton <- struct{}{}
	defer func() { <-r.baton }()
	if r.next == nil {
		return 0
	}
	return len(r.next.calls)
}

// Stopping says whether Close was called.
func Stopping(r *Register) bool { return r.stopping() }

// Insert and the functions below are the verbs of a plan.
func Insert(p *Plan, r Row) { p.insert(r) }

func Post(p *Plan, from, to ledger.Account, cents money.Cents) error { return p.post(from, to, cents) }

// Pay credits a gain from the prizes of its draw.
func Pay(p *Plan, c *Credit) error {
	prizes := ledger.Prizes(c.Draw)
	p.add(Key{Table: Accounts, S: string(prizes), N: p.Node}, -int64(c.Cents))
	return p.pay(c, prizes)
}

func AddCount(p *Plan, name string, n int64) { p.count(name, n) }

// Edit returns a row for writing.
func Edit[T any, P interface {
	*T
	Row
}](p *Plan, k Key) P {
	return edit[T, P](p, k)
}

// Probe is a command of any kind that does nothing: what becomes of it is decided before it is planned.
type Probe struct{ Name string }

func (c Probe) Kind() string          { return c.Name }
func (Probe) Keys() []Key             { return nil }
func (Probe) Plan(*Plan) (any, error) { return "planned", nil }

// GroupHolders lists the receipts of a group with its members.
func GroupHolders(g *Group, members []GroupMember) []*GroupReceipt { return g.holders(members) }
