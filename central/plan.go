package central

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"tirage/ledger"
	"tirage/logbook"
	"tirage/rules/codes"
	"tirage/rules/money"
)

// Command is one change of state asked for. Plan is pure: it reads the view and the stamp, writes to the plan, and either
// returns a result or an error; an error leaves no trace. It may be called several times for one request.
type Command interface {
	// Kind is the stable name of the command in the log.
	Kind() string
	// Keys lists the rows that the command is sure to read, among them every row that others may change and that it writes.
	Keys() []Key
	// Plan does the command on p. The result is what the caller gets, as JSON in the leaf.
	Plan(p *Plan) (any, error)
}

// Sharing is a command that reads rows which many read at a time and which it leaves alone: a sale its draw. Until the commit nobody changes them.
type Sharing interface {
	Command
	// Shared lists them; they are not among Keys.
	Shared() []Key
}

// Request is a command with who asks for it and the key under which it is done only once.
type Request struct {
	Principal string // "player/42", "staff/…", "system"
	Key       string // idempotency key, 1–64 characters; clients are advised UUIDv7
	Command   Command
}

// Plan is what one command has read and written so far, on top of the batch's view.
type Plan struct {
	batch     *batch
	reg       *Register
	call      *call
	drawn     int // random bytes of the call used so far
	Node      int64
	Index     int64     // of the leaf, if the command is accepted
	Now       time.Time // of the batch, read after the locks
	Principal string
	quoted    bool        // what is sold is what its player was shown: see [Confirm]
	rows      map[Key]Row // written by this command
	order     []Key       // the keys of rows, in the order of writing
	appended  []Row       // new rows that no other command reads
	posts     []logbook.Posting
	paid      []logbook.Posting // those that a Credit stands for
	adds      []addition
	counted   map[slot]uint8 // combinations of capped draws
}

type addition struct {
	key Key // of Accounts or Counters, for this node
	n   int64
}

// ID returns the number that this command gives to what it creates: the node and the index of its leaf, from 1 on.
func (p *Plan) ID() int64 { return p.Node<<48 | (p.Index + 1) }

// needRows is thrown by a read of rows that were not loaded; the register loads them and plans the command again.
type needRows struct{ keys []Key }

// needLeaf is thrown by a read of a leaf of the batch; the register has it written and plans the command again.
type needLeaf struct{ index int64 }

// Need makes sure that rows are loaded. Commands call it when one row tells which others they need.
func (p *Plan) Need(keys ...Key) {
	var missing []Key
	for _, k := range keys {
		if _, ok := p.rows[k]; ok {
			continue
		}
		if _, ok := p.batch.view[k]; !ok {
			missing = append(missing, k)
		}
	}
	if len(missing) > 0 {
		panic(needRows{missing})
	}
}

// rowPtr is a pointer to a row struct T.
type rowPtr[T any] interface {
	*T
	Row
}

// get returns the row with this key as the plan sees it, to read only, or nil.
func get[T any, P rowPtr[T]](p *Plan, k Key) P {
	if r, ok := p.rows[k]; ok {
		return r.(P)
	}
	r, ok := p.batch.view[k]
	if !ok {
		panic(needRows{[]Key{k}})
	}
	if r == nil {
		return nil
	}
	return r.(P)
}

// edit returns the row with this key for writing, or nil when there is none. It must not be a row of a table that is appended to, nor one that
// the batch shares with others.
func edit[T any, P rowPtr[T]](p *Plan, k Key) P {
	if r, ok := p.rows[k]; ok {
		return r.(P)
	}
	r := get[T, P](p, k)
	if r == nil {
		return nil
	}
	if p.batch.shared[k] {
		panic(fmt.Sprintf("row %v is written and not named by Keys", k))
	}
	c := *(*T)(r)
	p.write(k, P(&c))
	return P(&c)
}

// insert writes a new row. The caller has checked that there is none, or knows it from the numbering.
func (p *Plan) insert(r Row) { p.write(KeyOf(r), r) }

// grow makes room for the writing of n rows.
func (p *Plan) grow(n int) {
	if p.rows == nil {
		p.rows = make(map[Key]Row, n)
	}
}

// append writes a new row of a table that is appended to, which no other command of the batch reads.
func (p *Plan) append(r Row) { p.appended = append(p.appended, r) }

func (p *Plan) write(k Key, r Row) {
	if _, ok := p.rows[k]; !ok {
		p.order = append(p.order, k)
	}
	if p.rows == nil {
		p.rows = make(map[Key]Row, 8)
	}
	p.rows[k] = r
}

// post moves money. A player's balance never goes below zero: the refusal says what is missing.
func (p *Plan) post(from, to ledger.Account, cents money.Cents) error {
	posting := ledger.Posting{From: from, To: to, Cents: cents}
	if err := posting.Check(); err != nil {
		return err
	}
	line := logbook.Posting{From: string(from), To: string(to), Cents: cents}
	if id, ok := from.PlayerID(); ok {
		pl := edit[Player](p, Key{Table: Players, N: id})
		if pl == nil {
			return refuse(NotFound, "player.unknown", "player", "there is no player %d", id)
		}
		if pl.Balance < cents {
			return insufficient(cents, pl.Balance)
		}
		pl.Balance -= cents
		pl.Version++
		line.Version, line.After = pl.Version, pl.Balance
	} else {
		p.add(Key{Table: Accounts, S: string(from), N: p.Node}, -int64(cents))
	}
	if id, ok := to.PlayerID(); ok {
		if line.Version != 0 {
			return fmt.Errorf("posting between the players of %s and %s: transfers between players are not accepted", from, to)
		}
		pl := edit[Player](p, Key{Table: Players, N: id})
		if pl == nil {
			return refuse(NotFound, "player.unknown", "player", "there is no player %d", id)
		}
		if pl.Balance > money.Limit-cents {
			return refuse(Conflict, "balance.limit", "", "%v on top of %v, accepted up to %v in all", cents, pl.Balance, money.Limit)
		}
		pl.Balance += cents
		pl.Version++
		line.Version, line.After = pl.Version, pl.Balance
	} else {
		p.add(Key{Table: Accounts, S: string(to), N: p.Node}, int64(cents))
	}
	p.posts = append(p.posts, line)
	return nil
}

// pay credits a gain from the prizes of its draw. The credit is the row of its own posting.
func (p *Plan) pay(credit *Credit, from ledger.Account) error {
	pl := edit[Player](p, playerKey(credit.Player))
	if pl == nil {
		return fmt.Errorf("credit of play %s: there is no player %d", PlayID(credit.Play), credit.Player)
	}
	pl.Balance = money.Add(pl.Balance, credit.Cents)
	pl.Version++
	paid := *credit
	paid.Movement, paid.After = pl.Version, pl.Balance
	p.append(&paid)
	p.paid = append(p.paid, logbook.Posting{From: string(from), To: string(ledger.Player(pl.ID)), Cents: paid.Cents, Version: paid.Movement, After: paid.After})
	return nil
}

// postSigned moves an amount of either sign from a to b; zero moves nothing.
func (p *Plan) postSigned(a, b ledger.Account, cents money.Cents) error {
	posting, ok := ledger.Signed(a, b, cents)
	if !ok {
		return nil
	}
	return p.post(posting.From, posting.To, posting.Cents)
}

// count adds n to a counter of this node.
func (p *Plan) count(name string, n int64) { p.add(Key{Table: Counters, S: name, N: p.Node}, n) }

func (p *Plan) add(k Key, n int64) { p.adds = append(p.adds, addition{k, n}) }

// total returns the sum of an account or a counter over all nodes, with what this batch has added so far.
func (p *Plan) total(table TableID, name string) int64 {
	keys := totalKeys(table, name)
	p.Need(keys...)
	var sum int64
	for _, k := range keys {
		switch r := p.batch.view[k].(type) {
		case *AccountRow:
			sum += int64(r.Balance)
		case *Counter:
			sum += r.N
		}
		sum += p.batch.added[k]
	}
	for _, a := range p.adds {
		if a.key.Table == table && a.key.S == name {
			sum += a.n
		}
	}
	return sum
}

// totalKeys lists the rows that add up to an account or a counter, one a node.
func totalKeys(table TableID, name string) []Key {
	keys := make([]Key, MaxNodes)
	for n := range keys {
		keys[n] = Key{Table: table, S: name, N: int64(n)}
	}
	return keys
}

// balance returns the balance of an account that is no player's.
func (p *Plan) balance(a ledger.Account) money.Cents {
	return money.Cents(p.total(Accounts, string(a)))
}

// leaf writes the accepted command as a leaf.
func (p *Plan) leaf(req *Request, command, result json.RawMessage) *logbook.Leaf {
	l := &logbook.Leaf{
		Node: p.Node, Index: p.Index, At: p.Now.UnixMicro(), Principal: req.Principal, Key: req.Key, Kind: req.Command.Kind(),
		Command: command, Result: result, Postings: append(p.posts[:len(p.posts):len(p.posts)], p.paid...), Rows: make([]logbook.Row, 0, len(p.order)+len(p.appended)),
	}
	for _, k := range p.order {
		l.Rows = append(l.Rows, logbook.Row{Table: Schema[k.Table].Name, Fields: logged(p.rows[k])})
	}
	for _, r := range p.appended {
		l.Rows = append(l.Rows, logbook.Row{Table: Schema[r.Table()].Name, Fields: logged(r)})
	}
	return l
}

// logged returns the columns of a row as the log shows them: a secret stands there as its digest.
func logged(r Row) []any {
	if r, ok := r.(interface{ Logged() []any }); ok {
		return r.Logged()
	}
	return r.Fields()
}

// transfers returns the rows of the plan's postings.
func (p *Plan) transfers() []Row {
	rows := make([]Row, len(p.posts))
	for i, l := range p.posts {
		t := &Transfer{Node: p.Node, Pos: p.Index<<16 | int64(i), From: l.From, To: l.To, Cents: l.Cents, Version: l.Version, After: l.After}
		if l.Version != 0 {
			t.Player, _ = ledger.Account(l.From).PlayerID()
			if id, ok := ledger.Account(l.To).PlayerID(); ok {
				t.Player = id
			}
		}
		rows[i] = t
	}
	return rows
}

// batch is the view of one transaction: what was loaded, what the accepted commands wrote, what they added.
type batch struct {
	view     map[Key]Row  // nil: loaded, there is none
	stored   map[Key]bool // keys whose row was in the store
	shared   map[Key]bool // keys whose row is held together with others
	dirty    map[Key]bool
	order    []Key // dirty keys in the order of writing
	added    map[Key]int64
	append   []Row                 // transfers, keys and leaves
	leaves   []*accepted           // whose leaves are not written yet
	sales    map[string]*saleOf    // what sales go by, by draw
	issued   map[issue][]codes.Run // see lapped.go
	capped   map[slot]uint8        // combinations of capped draws, see capped.go
	under    *flight               // the batch on which it stands while that one is written; nil: the store
	appended map[Key]Row           // of append, see [batch.left]
	readable int64                 // the leaves of the batch that were written for a plan to read: those before
	kept     bool                  // it is committed
	behind   time.Duration         // the clock stands before the last leaf by so much
}

// newBatch returns the view of a batch that is likely to read so many keys.
func newBatch(keys int) *batch {
	return &batch{
		view: make(map[Key]Row, keys), stored: make(map[Key]bool, keys), shared: map[Key]bool{}, dirty: make(map[Key]bool, keys/2), append: make([]Row, 0, 2*keys),
		added: map[Key]int64{}, sales: map[string]*saleOf{}, issued: map[issue][]codes.Run{}, capped: map[slot]uint8{},
	}
}

// merge takes over what an accepted plan wrote.
func (b *batch) merge(p *Plan) {
	for _, k := range p.order {
		b.view[k] = p.rows[k]
		if Schema[k.Table].Append {
			b.append = append(b.append, p.rows[k]) // final: nobody changes it again
		} else if !b.dirty[k] {
			b.dirty[k] = true
			b.order = append(b.order, k)
		}
	}
	b.append = append(b.append, p.appended...)
	for _, a := range p.adds {
		b.added[a.key] += a.n
	}
	for s, n := range p.counted {
		b.capped[s] += n
	}
}

// write writes a row that no command planned.
func (b *batch) write(r Row) {
	k := KeyOf(r)
	b.view[k] = r
	b.dirty[k] = true
	b.order = append(b.order, k)
}

// changes returns everything to write, in the order of (table, key).
func (b *batch) changes() *Changes {
	c := &Changes{}
	slices.SortFunc(b.order, compareKeys)
	for _, k := range b.order {
		if b.stored[k] {
			c.Put = append(c.Put, b.view[k])
		} else {
			c.New = append(c.New, b.view[k])
		}
	}
	c.New = append(c.New, b.append...)
	keys := make([]Key, 0, len(b.added))
	for k := range b.added {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, compareKeys)
	for _, k := range keys {
		switch n := b.added[k]; {
		case n == 0:
		case k.Table == Accounts:
			c.Add = append(c.Add, &AccountRow{Name: k.S, Node: k.N, Balance: money.Cents(n)})
		default:
			c.Add = append(c.Add, &Counter{Name: k.S, Node: k.N, N: n})
		}
	}
	return c
}
