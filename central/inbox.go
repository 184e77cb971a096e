package central

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"tirage/fairness/replay"
	"tirage/rules/money"
)

// InboxJob names the follower that fills the inboxes.
const InboxJob = "inbox"

// Kinds of messages. What players do themselves and see done at once — a play, a request — is not told again.
const (
	MessageGain           = "gain"              // a play has won: credited
	MessageCodeGain       = "gain.code"         // a code of a play was drawn: credited
	MessageDeposit        = "deposit"           // credited
	MessageDepositFailed  = "deposit.failed"    // nothing was credited
	MessageWithdrawal     = "withdrawal"        // paid out
	MessageWithdrawalBack = "withdrawal.failed" // back on the balance
	MessageLimit          = "limit"             // in force from now on
	MessageLimitRaise     = "limit.raise"       // asked for: in force in 48 hours
	MessageLimitRaised    = "limit.raised"      // the raise is in force now
	MessageLimitRaiseOff  = "limit.raise_off"   // the raise is dropped
	MessageExcluded       = "excluded"
	MessageRoundPaid      = "round.paid"     // closed by the operator: its last level paid
	MessageRoundRefunded  = "round.refunded" // closed by the operator: its stake refunded
	MessageRoundBlocked   = "round.blocked"  // looked at before anything is paid

	MessageSubscription          = "subscription"           // debited for a draw
	MessageSubscriptionMissed    = "subscription.missed"    // not played at a draw
	MessageSubscriptionSuspended = "subscription.suspended" // not played, and not at the next draws either
	MessageGroup                 = "group"                  // a group play that the player has joined is registered
)

// Facts is what a message tells beside its cents.
type Facts struct {
	Draw    string    `json:"draw,omitempty"`
	Play    string    `json:"play,omitempty"`      // printed id
	Source  string    `json:"component,omitempty"` // of the gain: "ranks", "code/loto"
	Of      string    `json:"of,omitempty"`        // what a limit bounds
	Until   time.Time `json:"until,omitzero"`      // end of an exclusion; begin of a raised limit
	Game    string    `json:"game,omitempty"`
	Round   string    `json:"round,omitempty"`
	Payment string    `json:"payment,omitempty"`

	Subscription string `json:"subscription,omitempty"`
	French       string `json:"french,omitempty"` // why a draw was missed …
	English      string `json:"english,omitempty"`
}

// teller writes the messages that follow from a leaf of its kind.
type teller func(*telling) error

// tellers lists the kinds of leaves that tell players something.
var tellers = map[string]teller{
	(*CreditSlice)(nil).Kind(): tellGains,
	SettlePayment{}.Kind():     tellPayment,
	SetLimit{}.Kind():          tellLimit,
	CancelRaise{}.Kind():       tellLimit,
	EnforceRaise{}.Kind():      tellLimit,
	ExcludePlayer{}.Kind():     tellExclusion,
	CloseAbandoned{}.Kind():    tellRounds,
	BlockRound{}.Kind():        tellRounds,
	ReleaseRound{}.Kind():      tellRounds,
	DebitSubscription{}.Kind(): tellSubscription,
	PlayGroup{}.Kind():         tellGroup,
	Confirm{}.Kind():           tellGroup, // of a quote of one
}

// tellingKinds lists the keys of tellers.
func tellingKinds() (kinds []string) {
	for kind := range tellers {
		kinds = append(kinds, kind)
	}
	return kinds
}

// NewInbox returns the follower that fills the inboxes of players.
func NewInbox(s Store) *Follower {
	return &Follower{Name: InboxJob, Store: s, Kinds: tellingKinds(), Take: func(_ context.Context, _ Snapshot, entries []Entry) (rows []Row, err error) {
		for _, e := range entries {
			list, err := MessagesOf(e)
			if err != nil {
				return nil, err
			}
			for _, m := range list {
				rows = append(rows, m)
			}
		}
		return rows, nil
	}}
}

// MessagesOf returns what a leaf tells players. It depends on the leaf alone, so it is the same whenever and by whomever it is worked out.
func MessagesOf(e Entry) ([]*Message, error) {
	tell, ok := tellers[e.Kind]
	if !ok {
		return nil, nil
	}
	t := &telling{Entry: e}
	if err := tell(t); err != nil {
		return nil, fmt.Errorf("messages of %s: %w", e.Kind, err)
	}
	return t.list, nil
}

// telling is one leaf whose messages are being written.
type telling struct {
	Entry
	list []*Message
}

// say writes a message. A player is told one thing for each row of a leaf, and its place is that of the row; what a leaf says without a row
// stands at place 0.
func (t *telling) say(place int, player int64, kind string, cents money.Cents, facts Facts) error {
	text, err := json.Marshal(facts)
	t.list = append(t.list, &Message{
		Player: player, ID: messageID(t.Node, t.Index, int64(place)), At: t.At, Kind: kind, Cents: cents, Facts: string(text),
	})
	return err
}

// rowsOf calls yield for each row of a type in the leaf, with its place.
func rowsOf[T any, P rowPtr[T]](e Entry, yield func(place int, row P) error) error {
	prefix := []byte(`["` + Schema[P(new(T)).Table()].Name + `",`)
	for place, line := range e.Lines {
		if len(line) < len(prefix) || string(line[:len(prefix)]) != string(prefix) {
			continue
		}
		row, err := ReadRow(line)
		if err == nil {
			err = yield(place, row.(P))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// read returns command and result of a leaf.
func read[C, R any](e Entry) (c C, r R, err error) {
	if err = json.Unmarshal(e.Command, &c); err == nil {
		err = json.Unmarshal(e.Result, &r)
	}
	return c, r, err
}

// tellGains: each credit is told, in the cents that were credited.
func tellGains(t *telling) error {
	return rowsOf(t.Entry, func(place int, c *Credit) error {
		kind := MessageGain
		if of, _ := CutReceipt(c.Component); of != ComponentRanks {
			kind = MessageCodeGain
		}
		return t.say(place, c.Player, kind, c.Cents, Facts{Draw: c.Draw, Play: PlayID(c.Play), Source: c.Component})
	})
}

// tellPayment: the word of the provider, once; a word that was sent again settles nothing and writes no reference.
func tellPayment(t *telling) error {
	settled := false
	err := rowsOf(t.Entry, func(int, *Reference) error { settled = true; return nil })
	if err != nil || !settled {
		return err
	}
	return rowsOf(t.Entry, func(place int, m *Payment) error {
		return t.say(place, m.Player, paymentMessages[[2]string{m.Kind, m.State}], m.Cents, Facts{Payment: PaymentName(m.Player, m.ID)})
	})
}

var paymentMessages = map[[2]string]string{
	{PaymentDeposit, PaymentConfirmed}:    MessageDeposit,
	{PaymentDeposit, PaymentFailed}:       MessageDepositFailed,
	{PaymentWithdrawal, PaymentConfirmed}: MessageWithdrawal,
	{PaymentWithdrawal, PaymentFailed}:    MessageWithdrawalBack,
}

// tellLimit: a limit that is in force from now on, a raise that waits, was dropped or has come into force.
func tellLimit(t *telling) error {
	c, l, err := read[struct {
		Player int64 `json:"player,string"`
	}, Limit](t.Entry)
	if err != nil {
		return err
	}
	facts := Facts{Of: l.Of}
	switch {
	case l.Cents == nil:
		return nil
	case t.Kind == CancelRaise{}.Kind():
		return t.say(0, c.Player, MessageLimitRaiseOff, *l.Cents, facts)
	case t.Kind == EnforceRaise{}.Kind():
		return t.say(0, c.Player, MessageLimitRaised, *l.Cents, facts)
	case l.Raise != nil:
		facts.Until = l.RaiseAt
		return t.say(0, c.Player, MessageLimitRaise, *l.Raise, facts)
	}
	return t.say(0, c.Player, MessageLimit, *l.Cents, facts)
}

func tellExclusion(t *telling) error {
	c, x, err := read[ExcludePlayer, Excluded](t.Entry)
	if err != nil {
		return err
	}
	return t.say(0, c.Player, MessageExcluded, 0, Facts{Until: x.Until})
}

// tellRounds: what the operator did to a round that its player had left, or that could not be right.
func tellRounds(t *telling) error {
	return rowsOf(t.Entry, func(place int, r *Round) error {
		facts := Facts{Game: r.Game, Round: r.ID.String()}
		switch replay.State(r.State) {
		case replay.Won:
			return t.say(place, r.Player, MessageRoundPaid, r.Gain, facts)
		case replay.Refunded:
			return t.say(place, r.Player, MessageRoundRefunded, r.Stake, facts)
		}
		return t.say(place, r.Player, MessageRoundBlocked, r.Stake, facts)
	})
}
