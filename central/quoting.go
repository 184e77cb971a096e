package central

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"tirage/fairness"
	"tirage/rules/money"
)

// quoting plans orders without doing them: the same pure code that will sell says what it would sell, so nothing that is shown can differ from what
// is paid. It never waits for the register's loop and takes no lock in the store.
type quoting struct {
	mu  sync.Mutex // plans remember what they unsealed
	reg *Register  // never started: the configuration, and a memory of its own
}

func newQuoting(cfg Config, f *full) *quoting {
	return &quoting{reg: &Register{cfg: cfg, unseal: map[string]fairness.Secret{}, full: f}}
}

// Quote says what an order would cost and hold, as things stand. An order that cannot be sold to anyone is refused; what stands between this player
// and the sale is told in [Quote.Hindrance]. Nothing is written.
func (r *Register) Quote(ctx context.Context, sale Sale) (*Quote, error) {
	return r.quotes.quote(ctx, sale)
}

func (q *quoting) quote(ctx context.Context, sale Sale) (*Quote, error) {
	player := playerKey(sale.Buyer())
	call, err := newCall(&Request{Principal: PlayerPrincipal(player.N), Key: "quote", Command: sale})
	if err != nil {
		return nil, err
	}
	snap, err := q.reg.cfg.Store.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	defer snap.Close()
	b := newBatch(len(call.keys))
	if err := b.load(ctx, snapLoader{snap}, append(call.keys, player), call.shared); err != nil {
		return nil, err
	}
	buyer, _ := b.view[player].(*Player)
	if buyer == nil {
		return nil, refuse(NotFound, "player.unknown", "player", "there is no player %d", player.N)
	}
	now := q.reg.cfg.Clock.Now().Truncate(time.Microsecond).UTC()
	// For a player to whom anything may be sold …
	b.view[player] = &Player{ID: player.N, Balance: money.Limit, PlayUntil: never}
	terms, err := q.terms(ctx, snap, b, call, now)
	if err != nil {
		return nil, err
	}
	out := &Quote{Order: Order{sale}, Made: now, Terms: *terms, Balance: buyer.Balance}
	if terms.Subscription == nil {
		out.Missing = max(0, terms.Cents-buyer.Balance)
	}
	if terms.Pack != nil {
		// The row as it was read: the plan has changed one of its own.
		out.Stock = b.view[typeKey(terms.Draws[0].Draw, terms.Pack.Type)].(*PackType).stock()
	}
	// … and for this one.
	b.view[player] = buyer
	if _, err := q.terms(ctx, snap, b, call, now); err != nil {
		if out.Hindrance, err = hindrance(err); err != nil {
			return nil, err
		}
	}
	return out, q.stamp(out)
}

// terms plans a sale against a snapshot, and says what it would sell. Nothing of it is ever merged or written.
func (q *quoting) terms(ctx context.Context, snap Snapshot, b *batch, c *call, now time.Time) (*Terms, error) {
	for needs := 0; ; needs++ {
		p := &Plan{batch: b, reg: q.reg, call: c, Node: q.reg.cfg.Node, Now: now, Principal: c.req.Principal, quoted: true}
		terms, missing, err := q.run(p, priced{c.req.Command.(Sale)})
		switch {
		case err != nil:
			return nil, err
		case missing == nil:
			return terms.(*Terms), nil
		case needs == maxNeeds:
			return nil, fmt.Errorf("quote of %s asks for rows for the %dth time", c.req.Command.Kind(), needs+1)
		}
		if err := q.reg.fetch(ctx, snapLoader{snap}, b, missing); err != nil {
			return nil, err
		}
	}
}

// priced is a sale whose result is its terms.
type priced struct{ Sale }

func (c priced) Plan(p *Plan) (any, error) {
	result, err := c.Sale.Plan(p)
	if err != nil {
		return nil, err
	}
	return c.terms(p, result)
}

func (q *quoting) run(p *Plan, cmd Command) (result, missing any, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return runPlan(p, cmd)
}

// stamp gives a quote its number, its end and its text.
func (q *quoting) stamp(out *Quote) error {
	var err error
	if out.ID, err = quoteID(out.Made, q.reg.cfg.Entropy); err != nil {
		return err
	}
	out.Expires = out.Made.Add(QuoteLife)
	slip := &Slip{ID: out.ID, Expires: out.Expires.UnixMicro(), Order: out.Order, Rules: out.Rules, Cents: out.Cents}
	if slip.Terms, err = out.Terms.digest(); err != nil {
		return err
	}
	if slip.Stamp, err = slip.stampBy(q.reg.cfg.Sealer); err != nil {
		return err
	}
	out.Text, err = slip.text()
	return err
}

// quoteRandomBits is how many bits of a quote's number are random; those before are its milliseconds, so that the rows of quotes grow at one end.
const quoteRandomBits = 20

// quoteID numbers a quote among those of its player.
func quoteID(at time.Time, e Entropy) (int64, error) {
	var b [4]byte
	if _, err := e.Read(b[:]); err != nil {
		return 0, fmt.Errorf("entropy: %w", err)
	}
	return at.UnixMilli()<<quoteRandomBits | int64(binary.BigEndian.Uint32(b[:])>>(32-quoteRandomBits)), nil
}

// hindrance tells a refusal to people; any other error stays one.
func hindrance(err error) (*Hindrance, error) {
	var r *Refusal
	if !errors.As(err, &r) {
		return nil, err
	}
	return told(r), nil
}

func told(r *Refusal) *Hindrance {
	return &Hindrance{Code: r.Code, Reason: r.Reason, French: r.In(French), English: r.In(English)}
}

// snapLoader loads the rows of a plan from a snapshot, which locks nothing.
type snapLoader struct{ snap Snapshot }

func (l snapLoader) Load(ctx context.Context, keys, shared []Key) ([]Row, error) {
	return GetMany(ctx, l.snap, slices.Concat(keys, shared)...)
}
