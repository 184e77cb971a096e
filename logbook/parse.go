package logbook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"tirage/rules/money"
)

// ParseLeaf reads what [Leaf.Append] wrote, and nothing else. The rows come apart, each as it was written: only who knows the tables can tell
// which of their columns are bytes, see [ParseRow].
func ParseLeaf(body []byte) (leaf *Leaf, rows [][]byte, err error) {
	p := leafParser{rowParser: rowParser{body}}
	l := p.head()
	l.Command, l.Result = p.value(`,"command":`), p.value(`,"result":`)
	p.list(`,"postings":[`, func() { l.Postings = append(l.Postings, p.posting()) })
	p.list(`,"rows":[`, func() { rows = append(rows, p.value("")) })
	p.literal("}")
	if p.err == nil && len(p.rest) > 0 {
		p.err = fmt.Errorf("%d bytes stand behind the leaf", len(p.rest))
	}
	if p.err != nil {
		return nil, nil, fmt.Errorf("leaf: %w", p.err)
	}
	// One leaf has one form: what is not written the same way was not written by Append.
	again := l.appendHead(make([]byte, 0, len(body)))
	if again = append(append(again, bytes.Join(rows, []byte{','})...), `]}`...); !bytes.Equal(again, body) {
		return nil, nil, errors.New("leaf: it is not in the form of the log")
	}
	return l, rows, nil
}

// ParseHead reads what stands before the command of a leaf, and no more: for those who look for a few leaves among many. The leaf has no command,
// result, postings or rows.
func ParseHead(body []byte) (*Leaf, error) {
	p := leafParser{rowParser: rowParser{body}}
	l := p.head()
	if p.err != nil {
		return nil, fmt.Errorf("leaf: %w", p.err)
	}
	return l, nil
}

// leafParser reads the parts of a leaf in their order; after the first error it reads nothing more.
type leafParser struct {
	rowParser
	err error
}

// head reads what stands before the command.
func (p *leafParser) head() *Leaf {
	if version := p.integer(`{"v":`); p.err == nil && version != Version {
		p.err = fmt.Errorf("version %d found, this program reads version %d", version, Version)
	}
	return &Leaf{
		Node: p.integer(`,"node":`), Index: p.integer(`,"index":`), At: p.integer(`,"at":`),
		Principal: p.text(`,"principal":`), Key: p.text(`,"key":`), Kind: p.text(`,"kind":`),
	}
}

func (p *leafParser) literal(s string) {
	if p.err != nil {
		return
	}
	if !bytes.HasPrefix(p.rest, []byte(s)) {
		p.err = fmt.Errorf("%.20q found where %q is needed", p.rest, s)
		return
	}
	p.rest = p.rest[len(s):]
}

func (p *leafParser) integer(name string) (n int64) {
	if p.literal(name); p.err == nil {
		if n, p.err = p.rowParser.integer(); p.err != nil {
			p.err = fmt.Errorf("%s%w", name, p.err)
		}
	}
	return n
}

func (p *leafParser) text(name string) (s string) {
	if p.literal(name); p.err == nil {
		if s, p.err = p.rowParser.text(); p.err != nil {
			p.err = fmt.Errorf("%s%w", name, p.err)
		}
	}
	return s
}

// value reads any value of JSON as it stands.
func (p *leafParser) value(name string) (v json.RawMessage) {
	if p.literal(name); p.err != nil {
		return nil
	}
	n := extent(p.rest)
	if v = p.rest[:n:n]; !json.Valid(v) {
		p.err = fmt.Errorf("%sa value of JSON is needed", name)
		return nil
	}
	p.rest = p.rest[n:]
	return v
}

// extent returns the length of the value that b opens with: up to the comma or bracket that ends it, or to a space, which the log has none of.
func extent(b []byte) int {
	depth, quoted := 0, false
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case quoted:
			switch c {
			case '\\':
				i++
			case '"':
				quoted = false
			}
		case c == '"':
			quoted = true
		case c == '[' || c == '{':
			depth++
		case depth == 0 && (c == ']' || c == '}' || c == ','), c == ' ' || c == '\n' || c == '\r' || c == '\t':
			return i
		case c == ']' || c == '}':
			depth--
		}
	}
	return len(b)
}

// list reads values between brackets; the opening one is part of the name.
func (p *leafParser) list(name string, read func()) {
	p.literal(name)
	for n := 0; p.err == nil; n++ {
		if p.take(']') {
			return
		}
		if n > 0 {
			p.literal(",")
		}
		read()
	}
}

func (p *leafParser) posting() Posting {
	line := Posting{From: p.text("["), To: p.text(",")}
	line.Cents, line.Version, line.After = money.Cents(p.integer(",")), p.integer(","), money.Cents(p.integer(","))
	p.literal("]")
	return line
}
