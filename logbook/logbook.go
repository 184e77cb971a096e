// Package logbook is the form of the transparency log: one leaf for each accepted command, in the order in which its
// writer accepted them, under a hash tree.
//
// # Leaf, version 1
//
// The body of a leaf is one line of JSON without a space, exactly this:
//
//	{"v":1,"node":N,"index":N,"at":N,"principal":S,"key":S,"kind":S,"command":V,"result":V,
//	 "postings":[[from,to,cents,version,after],…],"rows":[[table,column,…],…]}
//
// without the line break. Numbers are integers in decimals; texts are UTF-8 with the escapes of encoding/json (\" \\ \b \f \n \r \t, \u003c \u003e
// \u0026 for < > &, \u2028 \u2029, \u00xx for the other control characters); bytes are texts in base64. The hash of the leaf is
//
//	RecordHash(salt ‖ body)      salt: 16 random bytes, RecordHash: SHA-256(0x00 ‖ data) as in RFC 6962
//
// Without salt and body nobody can tell what a leaf says; who holds both can show it to anyone. testdata/leaf-1.txt is a worked example. A later
// version will have another number in its "v" field; a reader refuses a number that it does not know.
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
	b = l.appendHead(b)
	for i, r := range l.Rows {
		if i > 0 {
			b = append(b, ',')
		}
		b = AppendRow(b, r)
	}
	return append(b, `]}`...)
}

// appendHead writes everything before the first row.
func (l *Leaf) appendHead(b []byte) []byte {
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
	return append(b, `],"rows":[`...)
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
