package central

import (
	"time"

	"tirage/logbook"
)

// What became of a quote.
const (
	quoteConfirmed = 1
	quoteDropped   = 2
)

// QuoteRow is a quote that was confirmed or dropped; an open one has no row. It is guarded by the row of its player.
type QuoteRow struct {
	ID, Player int64
	State      int64
	Leaf       int64 // node<<48 | index+1 of the leaf that confirmed or dropped it
}

func (*QuoteRow) Table() TableID  { return Quotes }
func (r *QuoteRow) Fields() []any { return []any{&r.ID, &r.Player, &r.State, &r.Leaf} }

func quoteKey(id, player int64) Key { return Key{Table: Quotes, N: id, M: player} }

// Confirm buys what a quote offers, on its terms or not at all: the sale is planned now, and every item that was shown must come out again. A confirmed
// play is irrevocable and its stake is debited at once; no command cancels it (Art. loto@2018-10-29:14.8, Art. euromillions@2018-10-29:3.4.2.6:
// « Lorsqu'il valide sa prise de jeu, celle-ci devient irrévocable »). The result is that of the order.
//
// A quote is confirmed once. The same request again gets the first receipt; another one is refused and told what was bought.
type Confirm struct {
	Quote Slip `json:"quote"`
}

func (Confirm) Kind() string    { return "confirm" }
func (c Confirm) Keys() []Key   { return c.Quote.keys(true) }
func (c Confirm) Shared() []Key { return c.Quote.shared() }

func (c Confirm) Plan(p *Plan) (any, error) {
	slip := &c.Quote
	row, err := p.quoteRow(slip)
	switch {
	case err != nil:
		return nil, err
	case row != nil && row.State == quoteDropped:
		return nil, refuse(Conflict, "quote.dropped", "quote", "the quote was dropped to change the order; nothing is debited")
	case row != nil:
		return nil, p.confirmed(row)
	case p.Now.UnixMicro() >= slip.Expires:
		return nil, refuse(Conflict, "quote.expired", "quote", "the quote could be confirmed until %v; nothing is debited, ask for a new one", moment(slip.Expires))
	}
	p.quoted = true
	result, err := slip.Order.Plan(p)
	if err != nil {
		return nil, err
	}
	if err := slip.stands(p, result); err != nil {
		return nil, err
	}
	p.insert(&QuoteRow{ID: slip.ID, Player: slip.Order.Buyer(), State: quoteConfirmed, Leaf: p.ID()})
	return result, nil
}

// DropQuote is « Modifier »: the quote cannot be confirmed any more, nothing is debited, and the order comes back as it was, to be changed
// (Art. loto@2018-10-29:14.8, Art. euromillions@2018-10-29:3.4.2.6: « Le joueur peut modifier sa prise de jeu s'il le souhaite »). The result is a
// [Dropped].
type DropQuote struct {
	Quote Slip `json:"quote"`
}

// Dropped is the result of [DropQuote].
type Dropped struct {
	Order Order `json:"order"`
}

func (DropQuote) Kind() string  { return "drop_quote" }
func (c DropQuote) Keys() []Key { return c.Quote.keys(false) }

func (c DropQuote) Plan(p *Plan) (any, error) {
	slip := &c.Quote
	row, err := p.quoteRow(slip)
	switch {
	case err != nil:
		return nil, err
	case row != nil && row.State == quoteConfirmed:
		return nil, p.confirmed(row)
	case row == nil && p.Now.UnixMicro() < slip.Expires: // an expired one is not confirmed either way
		p.insert(&QuoteRow{ID: slip.ID, Player: slip.Order.Buyer(), State: quoteDropped, Leaf: p.ID()})
	}
	return Dropped{slip.Order}, nil
}

// keys lists what a command on the quote reads for itself alone, with what the sale reads when it is to be made.
func (s *Slip) keys(sale bool) []Key {
	if s.Order.Sale == nil {
		return nil // it cannot be written as JSON, and is refused for that
	}
	player := playerKey(s.Order.Buyer())
	keys := []Key{player, quoteKey(s.ID, player.N)}
	if sale {
		keys = append(keys, s.Order.Keys()...)
	}
	return keys
}

func (s *Slip) shared() []Key {
	if sharing, ok := s.Order.Sale.(Sharing); ok {
		return sharing.Shared()
	}
	return nil
}

// quoteRow returns what became of a quote, nil while it is open. One that this system did not make, or that is not the player's who asks, is refused.
func (p *Plan) quoteRow(s *Slip) (*QuoteRow, error) {
	if !s.stampedBy(p.reg.cfg.Sealer) {
		return nil, refuse(Invalid, "quote.form", "quote", "this quote was not made here; nothing is debited")
	}
	if p.Principal != PlayerPrincipal(s.Order.Buyer()) {
		return nil, refuse(Forbidden, "quote.other", "quote", "this quote is another player's; nothing is debited")
	}
	return get[QuoteRow](p, quoteKey(s.ID, s.Order.Buyer())), nil
}

// confirmed is the refusal of a quote that has been confirmed: it shows what was bought then.
func (p *Plan) confirmed(row *QuoteRow) error {
	k := Key{Table: Leaves, N: row.Leaf >> 48, M: row.Leaf&(1<<48-1) - 1}
	r := refuse(Conflict, "quote.confirmed", "quote", "the quote was confirmed already: play %s; nothing more is debited", PlayID(row.Leaf))
	lr := get[LeafRow](p, k)
	if lr == nil {
		return r
	}
	if !p.batch.stored[k] && k.M >= p.batch.readable {
		panic(needLeaf{k.M}) // it was confirmed in this batch
	}
	leaf, _, err := logbook.ParseLeaf(lr.Body)
	if err != nil {
		return err
	}
	r.Current = Receipt{Node: k.N, Index: k.M, At: time.UnixMicro(leaf.At).UTC(), Result: leaf.Result, Replayed: true}
	return r
}

// stands refuses a sale that has come out otherwise than the quote said.
func (s *Slip) stands(p *Plan, result any) error {
	now, err := s.Order.terms(p, result)
	if err != nil {
		return err
	}
	digest, err := now.digest()
	switch {
	case err != nil:
		return err
	case now.Cents != s.Cents:
		return refuse(Conflict, "quote.price", "quote", "the stake was quoted as %v and is %v now; nothing is debited, ask for a new quote", s.Cents, now.Cents)
	case now.Rules != s.Rules:
		return refuse(Conflict, "quote.rules", "quote", "the quote was made under %s, %s is in force now; nothing is debited, ask for a new quote", s.Rules, now.Rules)
	case string(digest) != string(s.Terms):
		return refuse(Conflict, "quote.changed", "quote", "what was quoted has changed since; nothing is debited, ask for a new quote")
	}
	return nil
}

// shown refuses a sale that its player has not been shown, where the register sells to people ([Config.QuotesOnly]): everything that the text orders
// stands in the quote (Art. loto@2018-10-29:14.8, Art. euromillions@2018-10-29:3.4.2.6: « communiqués au joueur avant l'enregistrement de sa prise de
// jeu »). What the system buys for a player was shown when the player asked for it.
func (p *Plan) shown() error {
	if p.quoted || !p.reg.cfg.QuotesOnly || p.Principal == SystemPrincipal {
		return nil
	}
	return refuse(Forbidden, "quote.needed", "", "a play is bought by confirming its quote; nothing is debited")
}
