package games

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// A node is one value of a TOML file with the line where it stands: a table, an array, or a scalar kept as its text, so
// that 2.20 is read as two euros and twenty cents and never as a binary fraction.
type node struct {
	kind  unstable.Kind // Table, Array, or the kind of a scalar
	text  string        // scalar: the characters of the file, without the quotes of a string
	line  int
	keys  []string // table: in the order of the file
	child map[string]*node
	items []*node // array

	opened bool // table: has a header of its own, so that a second one is refused
	inline bool // table: written in one piece, so that no header may add to it
	rows   bool // array: made of [[headers]], so that another one may be added
}

func newTable(line int) *node {
	return &node{kind: unstable.Table, line: line, child: map[string]*node{}}
}

// isRows reports whether n is a list of tables.
func (n *node) isRows() bool {
	return n.kind == unstable.Array && len(n.items) > 0 && n.items[0].kind == unstable.Table
}

// String returns the value as the file writes it, on one line.
func (n *node) String() string {
	switch n.kind {
	case unstable.Table:
		return "a table"
	case unstable.Array:
		texts := make([]string, len(n.items))
		for i, item := range n.items {
			texts[i] = item.String()
		}
		return strings.Join(texts, ", ")
	}
	return n.text
}

// tree is the parser of one file.
type tree struct {
	parser unstable.Parser
	data   []byte
	root   *node
	at     *node // the table that the next key goes to
}

// parseTree reads a TOML document. The first fault ends it.
func parseTree(data []byte) (*node, *Problem) {
	t := &tree{data: data, root: newTable(1)}
	t.root.opened = true
	t.at = t.root
	t.parser.Reset(data)
	for t.parser.NextExpression() {
		if p := t.expression(t.parser.Expression()); p != nil {
			return nil, p
		}
	}
	if err := t.parser.Error(); err != nil {
		return nil, &Problem{t.errorLine(err), fmt.Sprintf("no valid TOML: %v", err)}
	}
	return t.root, nil
}

func (t *tree) expression(e *unstable.Node) *Problem {
	switch e.Kind {
	case unstable.KeyValue:
		return t.set(t.at, e)
	case unstable.Table:
		return t.openTable(e)
	default: // ArrayTable; comments are not kept
		return t.openRow(e)
	}
}

// set adds one key and its value to a table.
func (t *tree) set(table *node, e *unstable.Node) *Problem {
	key, line, p := t.simpleKey(e)
	if p != nil {
		return p
	}
	if old := table.child[key]; old != nil {
		return &Problem{line, fmt.Sprintf("key %q stands twice, first in line %d; accepted: once", key, old.line)}
	}
	value, p := t.value(e.Value(), line)
	if p != nil {
		return p
	}
	value.line = line
	table.keys = append(table.keys, key)
	table.child[key] = value
	return nil
}

func (t *tree) simpleKey(e *unstable.Node) (string, int, *Problem) {
	it := e.Key()
	it.Next()
	key, line := string(it.Node().Data), t.lineOf(it.Node().Raw)
	if it.Next() {
		return "", line, &Problem{line, fmt.Sprintf("dotted key %s.%s; accepted: a key of one word, quoted if it holds a point, in a table of its own",
			key, it.Node().Data)}
	}
	return key, line, nil
}

func (t *tree) value(v *unstable.Node, line int) (*node, *Problem) {
	switch v.Kind {
	case unstable.InlineTable:
		table := newTable(t.lineOf(v.Raw))
		table.inline = true
		for it := v.Children(); it.Next(); {
			if p := t.set(table, it.Node()); p != nil {
				return nil, p
			}
		}
		return table, nil
	case unstable.Array:
		array := &node{kind: unstable.Array, line: line}
		for it := v.Children(); it.Next(); {
			item, p := t.value(it.Node(), line)
			if p != nil {
				return nil, p
			}
			if len(array.items) > 0 && (item.kind == unstable.Table) != (array.items[0].kind == unstable.Table) {
				return nil, &Problem{item.line, "a list mixes tables and other values; accepted: one kind"}
			}
			array.items = append(array.items, item)
		}
		return array, nil
	}
	return &node{kind: v.Kind, text: string(v.Data), line: t.lineOf(v.Raw)}, nil
}

// openTable follows a [header]. The tables on the way to it may be opened later, or be the last row of a list.
func (t *tree) openTable(e *unstable.Node) *Problem {
	parent, key, line, p := t.walk(e)
	if p != nil {
		return p
	}
	table := parent.child[key]
	switch {
	case table == nil:
		table = parent.add(key, newTable(line))
	case table.kind != unstable.Table || table.inline || table.opened:
		return &Problem{line, fmt.Sprintf("table [%s] stands twice, first in line %d; accepted: once", key, table.line)}
	}
	table.opened, table.line = true, line
	t.at = table
	return nil
}

// openRow follows a [[header]]: one more row of a list of tables.
func (t *tree) openRow(e *unstable.Node) *Problem {
	parent, key, line, p := t.walk(e)
	if p != nil {
		return p
	}
	list := parent.child[key]
	switch {
	case list == nil:
		list = parent.add(key, &node{kind: unstable.Array, line: line, rows: true})
	case !list.rows:
		return &Problem{line, fmt.Sprintf("[[%s]] adds to what line %d gives whole; accepted: one of the two", key, list.line)}
	}
	row := newTable(line)
	row.opened = true
	list.items = append(list.items, row)
	t.at = row
	return nil
}

func (n *node) add(key string, child *node) *node {
	n.keys = append(n.keys, key)
	n.child[key] = child
	return child
}

// walk returns the table that holds the last part of a header, that part, and the header's line.
func (t *tree) walk(e *unstable.Node) (parent *node, key string, line int, p *Problem) {
	var parts []string
	for it := e.Key(); it.Next(); {
		parts = append(parts, string(it.Node().Data))
		line = t.lineOf(it.Node().Raw)
	}
	parent = t.root
	for _, part := range parts[:len(parts)-1] {
		next := parent.child[part]
		if next == nil {
			next = parent.add(part, newTable(line))
		}
		if next.rows {
			next = next.items[len(next.items)-1]
		}
		if next.kind != unstable.Table || next.inline {
			return nil, "", line, &Problem{line, fmt.Sprintf("header [%s]: %q in line %d takes no header; accepted: a table with a header of its own", strings.Join(parts, "."), part, next.line)}
		}
		parent = next
	}
	return parent, parts[len(parts)-1], line, nil
}

func (t *tree) lineOf(r unstable.Range) int {
	return 1 + bytes.Count(t.data[:r.Offset], []byte("\n"))
}

// errorLine returns the line of a syntax error. One without a place is at the end of the file.
func (t *tree) errorLine(err error) int {
	var syntax *unstable.ParserError
	if errors.As(err, &syntax) && len(syntax.Highlight) > 0 {
		return t.lineOf(t.parser.Range(syntax.Highlight))
	}
	return 1 + bytes.Count(bytes.TrimRight(t.data, "\n"), []byte("\n"))
}

// place returns the line of the value at a path such as "prizes.ranks.2.ways", or of the nearest table around it that the
// file has.
func (n *node) place(path string) int {
	line := n.line
	for part := range strings.SplitSeq(path, ".") {
		var next *node
		if n.kind == unstable.Array {
			if i := slices.Index(n.rowNames(), part); i >= 0 {
				next = n.items[i]
			}
		} else {
			next = n.child[part]
		}
		if next == nil {
			return line
		}
		n, line = next, next.line
	}
	return line
}

// rowNames returns "1", "2", …: rows are counted from 1.
func (n *node) rowNames() []string {
	names := make([]string, len(n.items))
	for i := range names {
		names[i] = fmt.Sprint(i + 1)
	}
	return names
}
