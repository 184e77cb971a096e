package central

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"tirage/fairness"
	"tirage/logbook"
)

const (
	// MaxBatch bounds the commands of one transaction: larger ones gain nothing and make everyone wait.
	MaxBatch = 512
	// MaxQueue bounds the commands that wait; one more is refused as unavailable.
	MaxQueue = 8192
	// MaxNodes bounds the writers that share a store.
	MaxNodes = 16
	// MaxKey bounds an idempotency key, in bytes.
	MaxKey = 64
	// maxNeeds bounds how often one command may ask for further rows.
	maxNeeds = 8
)

// Receipt is the answer to an accepted command: the leaf that holds it and its result.
type Receipt struct {
	Node, Index int64
	At          time.Time
	Result      json.RawMessage
	Replayed    bool // the same request had been accepted before: nothing was done now
}

// Register is the one way in: it takes commands in batches, plans each with pure code against one view, commits all
// of them in one transaction, then answers. A batch is what waits when the last commit returns, and what comes while it is written: see [flight].
type Register struct {
	cfg   Config
	queue chan *call
	done  chan struct{} // closed when the loop has ended
	stop  chan struct{}
	once  sync.Once

	quotes *quoting
	full   *full // combinations that are sold out, for the quotes

	flights sync.WaitGroup // under way
	wanted  atomic.Bool    // the next batch is to be written now

	// Of who holds the baton: the planner or, between two batches, the writer.
	baton  chan struct{}
	flying *flight // the batch that is being written, when another may be planned on top of it
	next   *flight // the one on top of it; nil: nothing was planned
	tree   logbook.Tree
	last   int64                      // time of the last leaf, microseconds
	loaded bool                       // tree and last are those of the store
	alone  bool                       // what the last transaction said: see [Tx]
	crowd  int                        // commands expected in the next batch, 1 or less: do not wait
	doubt  *doubt                     // the last commit, when its outcome is not known
	unseal map[string]fairness.Secret // by the sealed bytes
	// Of the capped draws that this node sells. nil: nothing is sold, plans are made to look.
	tallies map[string]*tally
}

// call is one command on its way.
type call struct {
	req     *Request
	keys    []Key           // what it is sure to read, its idempotency record among them
	shared  []Key           // the same, shared with others
	command json.RawMessage // canonical
	hash    []byte
	random  []byte // see [Plan.Random]
	answer  chan answer
}

type answer struct {
	receipt Receipt
	err     error
}

// NewRegister starts a register. Close ends it.
func NewRegister(cfg Config) (*Register, error) {
	if cfg.Node < 0 || cfg.Node >= MaxNodes && !cfg.Summed {
		return nil, fmt.Errorf("node %d: accepted 0 to %d", cfg.Node, MaxNodes-1)
	}
	if cfg.NullLog && (cfg.QuotesOnly || cfg.DrawRoom) {
		return nil, errors.New("a register that sells to people writes its log")
	}
	r := &Register{
		cfg: cfg, queue: make(chan *call, MaxQueue), done: make(chan struct{}), stop: make(chan struct{}),
		baton:  make(chan struct{}, 1),
		unseal: map[string]fairness.Secret{}, full: &full{draws: map[string]*fullOf{}}, tallies: newTallies(cfg),
	}
	r.quotes = newQuoting(cfg, r.full)
	go r.loop()
	return r, nil
}

// Close refuses what still waits, lets the running batch end, and returns.
func (r *Register) Close() {
	r.once.Do(func() { close(r.stop) })
	<-r.done
}

// Do does one command and returns after the commit that holds it. A refusal is a *[Refusal]; nothing was written then.
// The same principal, key and command return the first receipt again; another command under the same key is a conflict.
//
// Draws whose combinations are capped are sold by one node at a time. Another one refuses, with the [Holder], or takes its place when it has stopped.
func (r *Register) Do(ctx context.Context, req Request) (Receipt, error) {
	receipt, err := r.ask(ctx, req)
	if err != nil && r.takeOver(ctx, err) {
		return r.ask(ctx, req)
	}
	return receipt, err
}

// start hands a command over and returns how to wait for its answer. Commands that one goroutine starts are planned in the order in which it starts
// them, whoever waits for them.
func (r *Register) start(ctx context.Context, req Request) (wait func() (Receipt, error)) {
	c, err := r.send(ctx, &req)
	return func() (Receipt, error) {
		var receipt Receipt
		if err == nil {
			receipt, err = r.await(ctx, c)
		}
		if err != nil && r.takeOver(ctx, err) {
			return r.ask(ctx, req)
		}
		return receipt, err
	}
}

// ask does one command on this node.
func (r *Register) ask(ctx context.Context, req Request) (Receipt, error) {
	c, err := r.send(ctx, &req)
	if err != nil {
		return Receipt{}, err
	}
	return r.await(ctx, c)
}

// send puts a command into the queue.
func (r *Register) send(ctx context.Context, req *Request) (*call, error) {
	c, err := newCall(req)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if r.stopping() {
		return nil, errStopping()
	}
	select {
	case r.queue <- c:
		return c, nil
	default:
		return nil, refuse(Unavailable, "queue.full", "", "%d commands are waiting already; nothing was done, try again", MaxQueue)
	}
}

// await waits for the answer to a command in the queue.
func (r *Register) await(ctx context.Context, c *call) (Receipt, error) {
	select {
	case a := <-c.answer:
		return a.receipt, a.err
	case <-ctx.Done():
		// The command may still be accepted: the same key tells.
		return Receipt{}, ctx.Err()
	case <-r.done:
		select {
		case a := <-c.answer:
			return a.receipt, a.err
		default:
			return Receipt{}, errStopping()
		}
	}
}

func errStopping() error {
	return refuse(Unavailable, "stopping", "", "the system is stopping; nothing was done")
}

func newCall(req *Request) (*call, error) {
	if req.Key == "" || len(req.Key) > MaxKey {
		return nil, refuse(Invalid, "key.length", "key", "an idempotency key of 1 to %d characters is needed, %d found", MaxKey, len(req.Key))
	}
	if req.Principal == "" {
		return nil, refuse(Forbidden, "principal.none", "", "nobody asks for this command")
	}
	if req.Command == nil {
		return nil, refuse(Invalid, "command.none", "", "no command")
	}
	c := &call{req: req, answer: make(chan answer, 1)}
	c.keys = append(slices.Clip(req.Command.Keys()), c.key())
	if sharing, ok := req.Command.(Sharing); ok {
		c.shared = sharing.Shared()
	}
	if k, ok := principalKey(req.Principal); ok {
		c.shared = append(slices.Clip(c.shared), k) // the role, until the commit
	}
	for _, k := range slices.Concat(c.keys, c.shared) {
		if !storable(k.S) || !storable(k.U) {
			return nil, refuse(Invalid, "text.encoding", "", "%.80q: accepted UTF-8 without NUL", k.S+k.U)
		}
	}
	body, err := json.Marshal(req.Command)
	if err != nil {
		return nil, refuse(Invalid, "command.encoding", "", "the command cannot be written as JSON: %v", err)
	}
	c.command, c.hash = body, requestHash(req.Command.Kind(), body)
	return c, nil
}

func (r *Register) loop() {
	defer close(r.done)
	defer r.flights.Wait()
	var calls []*call
	for {
		if len(calls) == 0 {
			select {
			case <-r.stop:
				return
			case c := <-r.queue:
				calls = []*call{c}
			}
		}
		calls = r.serve(calls)
	}
}

// now reads the clock, which never goes back for the log: time stands still until the clock is past the last leaf. How far it is behind tells
// sales whether they may go on.
func (r *Register) now(last time.Time) (now time.Time, behind time.Duration) {
	read := r.cfg.Clock.Now().UnixMicro()
	micro := max(read, last.UnixMicro())
	return time.UnixMicro(micro).UTC(), time.Duration(micro-read) * time.Microsecond
}

func (r *Register) writerKey() Key { return Key{Table: Writers, N: r.cfg.Node} }

// size is the number of leaves of a writer; none has none.
func (w *Writer) size() int64 {
	if w == nil {
		return 0
	}
	return w.Size
}

// recover takes the writer's log from the store at the start and after a commit in doubt.
func (r *Register) recover(b *batch) error {
	w, _ := b.view[r.writerKey()].(*Writer)
	if r.loaded {
		if size := w.size(); size != r.tree.Size {
			return fmt.Errorf("node %d has %d leaves in the store and %d here: does another process write as the same node?", r.cfg.Node, size, r.tree.Size)
		}
		return nil
	}
	if size := w.size(); size < r.tree.Size {
		return fmt.Errorf("%w: node %d has %d leaves in the store, %d were accepted: an older copy stands in its place, or the server has lost what it had acknowledged", ErrDown, r.cfg.Node, size, r.tree.Size)
	}
	if w.size() != r.tree.Size {
		clear(r.tallies) // somebody, perhaps this node in a commit in doubt, has sold what they do not count
	}
	if w != nil {
		tree, err := logbook.ParseTree(w.Size, w.Edge)
		if err != nil {
			return fmt.Errorf("log of node %d: %w", r.cfg.Node, err)
		}
		r.tree, r.last = tree, w.At
	}
	r.loaded = true
	return nil
}

// plan plans one command and merges it into the batch when it is accepted, as its next leaf. An error is one of the store.
func (r *Register) plan(ctx context.Context, f *flight, c *call) (*accepted, answer, error) {
	b := f.batch
	if kr, _ := b.view[c.key()].(*KeyRow); kr != nil {
		ans, err := r.replay(ctx, f.feed, b, c, kr)
		return nil, ans, err
	}
	if err := r.allow(b, c); err != nil {
		return nil, answer{err: err}, nil
	}
	for needs := 0; ; needs++ {
		p := &Plan{batch: b, reg: r, call: c, Node: r.cfg.Node, Index: f.first + int64(len(f.done)), Now: f.now, Principal: c.req.Principal}
		result, missing, err := runPlan(p, c.req.Command)
		switch {
		case missing != nil && needs < maxNeeds:
			if err := r.fetch(ctx, f.feed, b, missing); err != nil {
				return nil, answer{}, err
			}
			if _, counting := missing.(needTally); counting {
				needs-- // one for each draw of an order
			}
			continue
		case missing != nil:
			err = fmt.Errorf("command %s asks for rows for the %dth time", c.req.Command.Kind(), needs+1)
		}
		if err != nil {
			return nil, answer{err: err}, nil
		}
		a, err := r.accept(b, p, result)
		return a, answer{receipt: Receipt{Node: p.Node, Index: p.Index, At: p.Now}}, err
	}
}

// accept merges the effects of a planned command. Its leaf is left to the feed.
func (r *Register) accept(b *batch, p *Plan, result any) (*accepted, error) {
	if r.cfg.NullLog {
		return acceptUnlogged(b, p, result), nil
	}
	salt := make([]byte, logbook.SaltSize)
	if _, err := r.cfg.Entropy.Read(salt); err != nil {
		return nil, fmt.Errorf("entropy: %w", err)
	}
	b.merge(p)
	b.append = append(b.append, p.transfers()...)
	kr := &KeyRow{Key: p.call.req.Key, Principal: p.call.req.Principal, Hash: p.call.hash, Node: p.Node, Index: p.Index}
	lr := &LeafRow{Node: p.Node, Index: p.Index, Salt: salt}
	b.append = append(b.append, kr, lr)
	// A second request with the same key in this batch meets the first one's record and leaf.
	b.view[KeyOf(kr)], b.view[KeyOf(lr)] = kr, lr
	a := &accepted{plan: p, result: result, row: lr}
	b.leaves = append(b.leaves, a)
	return a, nil
}

// replay answers a request that was accepted before, from its leaf.
func (r *Register) replay(ctx context.Context, f *feed, b *batch, c *call, kr *KeyRow) (answer, error) {
	if !bytes.Equal(kr.Hash, c.hash) {
		return answer{err: refuse(Conflict, "key.reused", "key", "this key already stands for another request; nothing was done")}, nil
	}
	k := Key{Table: Leaves, N: kr.Node, M: kr.Index}
	if err := errors.Join(f.flush(b), b.load(ctx, f, []Key{k}, nil)); err != nil { // the leaf may be one of this batch
		return answer{}, err
	}
	lr, _ := b.view[k].(*LeafRow)
	if lr == nil {
		return answer{err: fmt.Errorf("leaf %d of node %d is missing", kr.Index, kr.Node)}, nil
	}
	leaf, _, err := logbook.ParseLeaf(lr.Body)
	if err != nil {
		return answer{err: fmt.Errorf("leaf %d of node %d: %w", kr.Index, kr.Node, err)}, nil
	}
	return answer{receipt: Receipt{Node: kr.Node, Index: kr.Index, At: time.UnixMicro(leaf.At).UTC(), Result: leaf.Result, Replayed: true}}, nil
}

// fetch reads what a plan lacks.
func (r *Register) fetch(ctx context.Context, tx loader, b *batch, missing any) error {
	switch of := missing.(type) {
	case needRows:
		return b.load(ctx, tx, of.keys, nil)
	case needLeaf:
		b.readable = of.index + 1
		return tx.(*feed).flush(b) // only a batch that writes has leaves of its own
	}
	if b.under != nil { // what it reads is what the store holds
		if err := r.land(b.under); err != nil {
			return err
		}
	}
	switch of := missing.(type) {
	case needIssue:
		return b.loadIssue(ctx, r.cfg.Store, of)
	case needTally:
		return r.loadTally(ctx, of)
	}
	return fmt.Errorf("a plan asks for %T", missing)
}

// runPlan runs the pure code of a command: what it lacks comes back as it was thrown, a panic as an error.
func runPlan(p *Plan, cmd Command) (result, missing any, err error) {
	defer func() {
		switch v := recover().(type) {
		case nil:
		case needRows, needLeaf, needIssue, needTally:
			missing = v
		default:
			err = fmt.Errorf("command %s: %v\n%s", cmd.Kind(), v, debug.Stack())
		}
	}()
	result, err = cmd.Plan(p)
	return result, nil, err
}

func compareKeys(a, b Key) int {
	if a.Table != b.Table {
		return cmp.Compare(a.Table, b.Table)
	}
	if c := cmp.Compare(a.S, b.S); c != 0 {
		return c
	}
	if c := cmp.Compare(a.U, b.U); c != 0 {
		return c
	}
	if a.N != b.N {
		return cmp.Compare(a.N, b.N)
	}
	return cmp.Compare(a.M, b.M)
}
