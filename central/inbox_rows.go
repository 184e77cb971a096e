package central

import (
	"fmt"
	"strconv"
	"strings"

	"tirage/rules/money"
)

// MessageID names a message by its leaf and its place in it: a leaf tells a player each thing once. As text: "0-12-3", node, index and place. Later
// messages of a node have smaller numbers, so that a scan begins with the latest.
type MessageID int64

const (
	placeBits = 16 // of a row within its leaf, as in Transfer.Pos
	indexBits = 42
)

// messageID returns the id of what a leaf says at a place.
func messageID(node, index, place int64) MessageID {
	if node >= MaxNodes || index >= 1<<indexBits || place >= 1<<placeBits {
		panic(fmt.Sprintf("message %d-%d-%d", node, index, place)) // 140 years of a leaf each millisecond; a slice of winners has a thousand
	}
	return MessageID(^(node<<(indexBits+placeBits) | index<<placeBits | place))
}

// split returns node, index and place.
func (id MessageID) split() (node, index, place int64) {
	n := int64(^id)
	return n >> (indexBits + placeBits), n >> placeBits & (1<<indexBits - 1), n & (1<<placeBits - 1)
}

func (id MessageID) String() string {
	node, index, place := id.split()
	return fmt.Sprintf("%d-%d-%d", node, index, place)
}

// MarshalText writes the id.
func (id MessageID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// UnmarshalText reads the id.
func (id *MessageID) UnmarshalText(text []byte) error {
	parsed, err := parseMessageID(string(text))
	if err == nil {
		*id = parsed
	}
	return err
}

func parseMessageID(s string) (MessageID, error) {
	bad := fmt.Errorf("message %.60q: accepted node, index and place, such as 0-12-3", s)
	parts := strings.Split(s, "-")
	if len(parts) != 3 {
		return 0, bad
	}
	var n [3]int64
	for i, most := range []int64{MaxNodes, 1 << indexBits, 1 << placeBits} {
		v, err := strconv.ParseInt(parts[i], 10, 64)
		if err != nil || v < 0 || v >= most {
			return 0, bad
		}
		n[i] = v
	}
	id := messageID(n[0], n[1], n[2])
	if id.String() != s {
		return 0, bad
	}
	return id, nil
}

// Message tells a player what became of money, plays and protections. It follows from one leaf of the log, and nothing in it is worked out anew: the
// cents are those of the posting or the row that it tells of. What it says in words is [Message.In].
type Message struct {
	Player int64
	ID     MessageID
	At     int64 // microseconds, of the leaf
	Kind   string
	Cents  money.Cents
	Facts  string // JSON of [Facts]
}

func (*Message) Table() TableID { return Messages }
func (r *Message) Fields() []any {
	return []any{&r.Player, (*int64)(&r.ID), &r.At, &r.Kind, (*int64)(&r.Cents), &r.Facts}
}

// MessageRead is when a player has read a message.
type MessageRead struct {
	Player int64
	ID     MessageID
	At     int64 // microseconds
}

func (*MessageRead) Table() TableID  { return MessageReads }
func (r *MessageRead) Fields() []any { return []any{&r.Player, (*int64)(&r.ID), &r.At} }

// Deferred is what a follower could not do when it passed the leaf, and does later: the order of a withdrawal that the provider did not take.
type Deferred struct {
	Name   string // of the follower
	ID     int64  // node<<48 | index+1 of the leaf
	Player int64  // whom it is for
	Done   int64  // microseconds; 0: still to be done
}

func (*Deferred) Table() TableID  { return DeferredRows }
func (r *Deferred) Fields() []any { return []any{&r.Name, &r.ID, &r.Player, &r.Done} }

func messageKey(player int64, id MessageID) Key { return Key{Table: Messages, N: player, M: int64(id)} }
func readKey(player int64, id MessageID) Key {
	return Key{Table: MessageReads, N: player, M: int64(id)}
}
