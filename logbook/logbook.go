// Package logbook is the form of the transparency log: one leaf for each accepted command, in the order in which its
// writer accepted them, under a hash tree.
//
// # Leaf, version 1
//
// The body of a leaf is one line of JSON, exactly as [Leaf.Append] writes it: the fields of [Leaf] in their order, no space,
// numbers as integers, binary values in base64. The hash of the leaf is
//
//	RecordHash(salt ‖ body)      salt: 16 random bytes, RecordHash: SHA-256(0x00 ‖ data) as in RFC 6962
//
// Without salt and body nobody can tell what a leaf says; who holds both can show it to anyone. A later version will have
// another number in its "v" field; a reader refuses a number that it does not know.
//
// # Tree
//
// The tree of a writer is that of golang.org/x/mod/sumdb/tlog (RFC 6962). A [Tree] keeps only its right edge, log₂(n) hashes, which is all
// that appending needs.
package logbook

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/bits"
	"strconv"

	"golang.org/x/mod/sumdb/tlog"
	"tirage/rules/money"
)

// Version is the version of the encoding that this package writes.
const Version = 1

// SaltSize is the length of a leaf's salt in bytes.
const SaltSize = 16

// Posting is one movement of money in a leaf. When one side is a player's balance, Version is the number of that player's
// movement and After the balance that it leaves; otherwise both are zero.
type Posting struct {
	From, To string
	Cents    money.Cents
	Version  int64
	After    money.Cents
}

// Leaf is one accepted command and what it changed.
type Leaf struct {
	Node, Index int64  // writer and position in its log
	At          int64  // microseconds since 1970, UTC
	Principal   string // who asked: "player/42", "staff/anna", "system"
	Key         string // idempotency key
	Kind        string // "deposit", "buy_shares", …
	Command     json.RawMessage
	Result      json.RawMessage
	Postings    []Posting
	Rows        []Row
}

// Row is the image of one row that the command wrote: the name of its table, then pointers to its columns in the order of the schema,
// each a *int64, *string or *[]byte.
type Row struct {
	Table  string
	Fields []any
}

// Append writes the body of the leaf to b.
func (l *Leaf) Append(b []byte) []byte {
	b = append(b, `{"v":`...)
	b = strconv.AppendInt(b, Version, 10)
	b = appendIntField(b, "node", l.Node)
	b = appendIntField(b, "index", l.Index)
	b = appendIntField(b, "at", l.At)
	b = appendStringField(b, "principal", l.Principal)
	b = appendStringField(b, "key", l.Key)
	b = appendStringField(b, "kind", l.Kind)
	b = append(append(b, `,"command":`...), l.Command...)
	b = append(append(b, `,"result":`...), l.Result...)
	b = append(b, `,"postings":[`...)
	for i, p := range l.Postings {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, '[')
		b = appendString(b, p.From)
		b = append(b, ',')
		b = appendString(b, p.To)
		for _, n := range []int64{int64(p.Cents), p.Version, int64(p.After)} {
			b = strconv.AppendInt(append(b, ','), n, 10)
		}
		b = append(b, ']')
	}
	b = append(b, `],"rows":[`...)
	for i, r := range l.Rows {
		if i > 0 {
			b = append(b, ',')
		}
		b = AppendRow(b, r)
	}
	return append(b, `]}`...)
}

// AppendRow writes a row to b: ["table",column,…].
func AppendRow(b []byte, r Row) []byte {
	b = append(b, '[')
	b = appendString(b, r.Table)
	for _, v := range r.Fields {
		b = append(b, ',')
		switch v := v.(type) {
		case *int64:
			b = strconv.AppendInt(b, *v, 10)
		case *string:
			b = appendString(b, *v)
		case *[]byte:
			b = append(b, '"')
			b = base64.StdEncoding.AppendEncode(b, *v)
			b = append(b, '"')
		default:
			panic(fmt.Sprintf("logbook: column of type %T", v))
		}
	}
	return append(b, ']')
}

func appendIntField(b []byte, name string, n int64) []byte {
	b = append(append(append(b, `,"`...), name...), `":`...)
	return strconv.AppendInt(b, n, 10)
}

func appendStringField(b []byte, name, s string) []byte {
	b = append(append(append(b, `,"`...), name...), `":`...)
	return appendString(b, s)
}

// appendString writes s as encoding/json does; the short plain strings of names and ids take a path without allocation.
func appendString(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < 0x20 || c > 0x7e || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			q, err := json.Marshal(s)
			if err != nil {
				panic(err) // a string always encodes
			}
			return append(b, q...)
		}
	}
	b = append(b, '"')
	b = append(b, s...)
	return append(b, '"')
}

// Hash returns the hash of a leaf from its salt and its body.
func Hash(salt, body []byte) tlog.Hash {
	data := make([]byte, 0, len(salt)+len(body))
	return tlog.RecordHash(append(append(data, salt...), body...))
}

// Tree is a hash tree that only grows: its size and the hashes of the complete subtrees along its right edge,
// largest first. The zero value is the empty tree.
type Tree struct {
	Size int64
	Edge []tlog.Hash
}

// Add appends a leaf's hash.
func (t *Tree) Add(h tlog.Hash) {
	for n := t.Size; n&1 == 1; n >>= 1 {
		last := len(t.Edge) - 1
		h = tlog.NodeHash(t.Edge[last], h)
		t.Edge = t.Edge[:last]
	}
	t.Edge = append(t.Edge, h)
	t.Size++
}

// Clone returns an independent copy.
func (t *Tree) Clone() Tree { return Tree{t.Size, append([]tlog.Hash(nil), t.Edge...)} }

// emptyRoot is SHA-256 of nothing, the root of the empty tree in RFC 6962.
var emptyRoot = tlog.Hash{0xe3, 0xb0, 0xc4, 0x42, 0x98, 0xfc, 0x1c, 0x14, 0x9a, 0xfb, 0xf4, 0xc8, 0x99, 0x6f, 0xb9, 0x24, 0x27, 0xae, 0x41, 0xe4, 0x64, 0x9b, 0x93, 0x4c, 0xa4, 0x95, 0x99, 0x1b, 0x78, 0x52, 0xb8, 0x55}

// Root returns the root hash, that of [tlog.TreeHash].
func (t *Tree) Root() tlog.Hash {
	if len(t.Edge) == 0 {
		return emptyRoot
	}
	h := t.Edge[len(t.Edge)-1]
	for i := len(t.Edge) - 2; i >= 0; i-- {
		h = tlog.NodeHash(t.Edge[i], h)
	}
	return h
}

// AppendEdge writes the right edge to b, 32 bytes a hash.
func (t *Tree) AppendEdge(b []byte) []byte {
	for _, h := range t.Edge {
		b = append(b, h[:]...)
	}
	return b
}

// ParseTree reads what [Tree.AppendEdge] wrote for a tree of the given size.
func ParseTree(size int64, edge []byte) (Tree, error) {
	n := bits.OnesCount64(uint64(size))
	if size < 0 || len(edge) != n*tlog.HashSize {
		return Tree{}, fmt.Errorf("right edge of a log of %d leaves: %d bytes found, %d are needed", size, len(edge), n*tlog.HashSize)
	}
	t := Tree{Size: size, Edge: make([]tlog.Hash, n)}
	for i := range t.Edge {
		copy(t.Edge[i][:], edge[i*tlog.HashSize:])
	}
	return t, nil
}
