package central

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// InboxPageMax bounds a page of an inbox, and the messages that one command marks as read.
const InboxPageMax = 100

// ReadMessages notes that a player has read messages; those that were read before are left as they are. The result is a [MessagesRead].
type ReadMessages struct {
	Player   int64       `json:"player,string"`
	Messages []MessageID `json:"messages"`
}

// MessagesRead is the result of [ReadMessages].
type MessagesRead struct {
	Read int64 `json:"read"` // now for the first time
}

func (ReadMessages) Kind() string { return "read_messages" }
func (c ReadMessages) Keys() []Key {
	keys := []Key{playerKey(c.Player)}
	for _, id := range c.Messages[:min(len(c.Messages), InboxPageMax)] {
		keys = append(keys, readKey(c.Player, id), messageKey(c.Player, id))
	}
	return keys
}

func (c ReadMessages) Plan(p *Plan) (any, error) {
	if err := p.own(c.Player); err != nil {
		return nil, err
	}
	if len(c.Messages) < 1 || len(c.Messages) > InboxPageMax {
		return nil, refuse(Invalid, "inbox.messages", "messages", "%d messages, accepted 1 to %d", len(c.Messages), InboxPageMax)
	}
	var out MessagesRead
	for i, id := range c.Messages {
		if get[Message](p, messageKey(c.Player, id)) == nil {
			return nil, NoMessage(i)
		}
		if get[MessageRead](p, readKey(c.Player, id)) == nil {
			p.insert(&MessageRead{Player: c.Player, ID: id, At: p.Now.UnixMicro()})
			out.Read++
		}
	}
	return out, nil
}

// NoMessage is the refusal of the message at a place of a list that is none of the player's.
func NoMessage(i int) *Refusal {
	return refuse(NotFound, "inbox.unknown", fmt.Sprintf("messages.%d", i), "there is no such message")
}

// InboxQuery asks for messages of a player, the latest first: at most Limit, from where a page ended ("": from the latest on).
type InboxQuery struct {
	Player int64
	After  string // InboxPage.Next
	Limit  int    // 1 to InboxPageMax
}

// InboxPage is a page of an inbox. What arrives while a player turns pages stands on none of the further ones.
type InboxPage struct {
	Messages []InboxMessage
	Next     string // where the next page begins; "": there is none
}

// InboxMessage is a message with when it was read, the zero time if it was not.
type InboxMessage struct {
	*Message
	Read time.Time
}

// ReadInbox reads a page. Each writer's messages stand in the order of its log; a page takes the latest of all writers.
func ReadInbox(ctx context.Context, snap Snapshot, q InboxQuery) (*InboxPage, error) {
	if q.Limit < 1 || q.Limit > InboxPageMax {
		return nil, refuse(Invalid, "inbox.limit", "limit", "%d messages, accepted 1 to %d", q.Limit, InboxPageMax)
	}
	ends, err := parseEnds(q.After)
	if err != nil {
		return nil, refuse(Invalid, "inbox.after", "after", "%.40q is no end of a page", q.After)
	}
	ws, err := writers(ctx, snap)
	if err != nil {
		return nil, err
	}
	var list []*Message
	for _, w := range ws {
		if w.Node >= MaxNodes {
			continue // a benchmark's
		}
		if _, turned := ends[w.Node]; q.After != "" && !turned {
			continue
		}
		from := cmp.Or(ends[w.Node], firstMessage(w.Node))
		if err := scanMessages(ctx, snap, Messages, q.Player, from, lastMessage(w.Node), q.Limit+1, func(r Row) { list = append(list, r.(*Message)) }); err != nil {
			return nil, err
		}
	}
	// The times of a writer grow with its numbers, so this order agrees with that of each writer.
	slices.SortStableFunc(list, func(a, b *Message) int { return cmp.Or(cmp.Compare(b.At, a.At), cmp.Compare(a.ID, b.ID)) })
	return newPage(ctx, snap, q, ends, list)
}

// newPage cuts the first messages of a sorted list off as a page.
func newPage(ctx context.Context, snap Snapshot, q InboxQuery, ends map[int64]MessageID, list []*Message) (*InboxPage, error) {
	page := &InboxPage{}
	next := ends
	for _, m := range list[:min(len(list), q.Limit)] {
		node, _, _ := m.ID.split()
		next[node] = m.ID
		page.Messages = append(page.Messages, InboxMessage{Message: m})
	}
	if len(list) > q.Limit {
		for _, m := range list[q.Limit:] { // a writer all of whose messages are still to come begins at its latest
			if node, _, _ := m.ID.split(); next[node] == 0 {
				next[node] = m.ID - 1
			}
		}
		page.Next = formatEnds(next)
	}
	return page, page.readTimes(ctx, snap, q.Player)
}

// readTimes looks up when the messages of the page were read, one scan a writer.
func (page *InboxPage) readTimes(ctx context.Context, snap Snapshot, player int64) error {
	spans := map[int64][2]MessageID{} // node → first and last message of the page
	for _, m := range page.Messages {
		node, _, _ := m.ID.split()
		if span, ok := spans[node]; ok {
			spans[node] = [2]MessageID{span[0], m.ID}
		} else {
			spans[node] = [2]MessageID{m.ID, m.ID}
		}
	}
	read := map[MessageID]int64{}
	for _, span := range spans {
		if err := scanMessages(ctx, snap, MessageReads, player, span[0]-1, span[1], 0, func(r Row) { read[r.(*MessageRead).ID] = r.(*MessageRead).At }); err != nil {
			return err
		}
	}
	for i := range page.Messages {
		if at := read[page.Messages[i].ID]; at != 0 {
			page.Messages[i].Read = time.UnixMicro(at).UTC()
		}
	}
	return nil
}

// firstMessage and lastMessage bound the ids of a node: firstMessage is below all of them.
func firstMessage(node int64) MessageID { return messageID(node, 1<<indexBits-1, 1<<placeBits-1) - 1 }
func lastMessage(node int64) MessageID  { return messageID(node, 0, 0) }

// scanMessages yields the rows of a player in a table keyed on messages, after an id and through another, at most limit (0: all).
func scanMessages(ctx context.Context, snap Snapshot, table TableID, player int64, after, through MessageID, limit int, yield func(Row)) error {
	at := Range{From: Key{Table: table, N: player, M: int64(after)}, Prefix: 1, After: true, Limit: limit}
	err := snap.Scan(ctx, at, func(r Row) error {
		if KeyOf(r).M > int64(through) {
			return errEnough
		}
		yield(r)
		return nil
	})
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

// formatEnds writes where the writers of an inbox have come to: "0-12-3.1-7-0".
func formatEnds(ends map[int64]MessageID) string {
	var parts []string
	for node := range int64(MaxNodes) {
		if id, ok := ends[node]; ok {
			parts = append(parts, id.String())
		}
	}
	return strings.Join(parts, ".")
}

func parseEnds(s string) (map[int64]MessageID, error) {
	ends := map[int64]MessageID{}
	if s == "" {
		return ends, nil
	}
	for part := range strings.SplitSeq(s, ".") {
		id, err := parseMessageID(part)
		if err != nil {
			return nil, err
		}
		node, _, _ := id.split()
		if _, twice := ends[node]; twice {
			return nil, fmt.Errorf("node %d stands twice", node)
		}
		ends[node] = id
	}
	return ends, nil
}

// Unread counts the messages of a player that are not read.
func Unread(ctx context.Context, snap Snapshot, player int64) (n int64, err error) {
	count := func(table TableID, step int64) error {
		at := Range{From: Key{Table: table, N: player}, Prefix: 1, Only: []string{"player", "id"}}
		return snap.Scan(ctx, at, func(Row) error { n += step; return nil })
	}
	if err = count(Messages, 1); err == nil {
		err = count(MessageReads, -1) // of messages that exist
	}
	return n, err
}
