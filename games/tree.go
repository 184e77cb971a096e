package games

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
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

// maxDepth bounds tables and lists within each other, and maxEntries what one of them holds. A rulebook needs 4 and 100; a file
// made to be slow stops here.
const (
	maxDepth   = 8
	maxEntries = 1000
)

// tree is the parser of one file.
type tree struct {
	parser unstable.Parser
	lines  []int // offset of the start of each line
	root   *node
	at     *node // the table that the next key goes to
}

// parseTree reads a TOML document. The first fault ends it.
func parseTree(data []byte) (*node, *Problem) {
	t := &tree{root: newTable(1), lines: []int{0}}
	for i, b := range data {
		if b == '\n' && i+1 < len(data) {
			t.lines = append(t.lines, i+1)
		}
	}
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
		return t.set(t.at, e, 0)
	case unstable.Table:
		return t.openTable(e)
	default: // ArrayTable; comments are not kept
		return t.openRow(e)
	}
}

// set adds one key and its value to a table.
func (t *tree) set(table *node, e *unstable.Node, depth int) *Problem {
	key, line, p := t.simpleKey(e)
	if p != nil {
		return p
	}
	if old := table.child[key]; old != nil {
		return &Problem{line, fmt.Sprintf("key %q stands twice, first in line %d; accepted: once", key, old.line)}
	}
	value, p := t.value(e.Value(), line, depth)
	if p != nil {
		return p
	}
	value.line = line
	table.add(key, value)
	return full(len(table.keys), line)
}

// full refuses a table or list of more than [maxEntries].
func full(entries, line int) *Problem {
	if entries > maxEntries {
		return &Problem{line, fmt.Sprintf("more than %d keys or values; accepted: at most that in one table or list", maxEntries)}
	}
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

func (t *tree) value(v *unstable.Node, line, depth int) (*node, *Problem) {
	if depth > maxDepth {
		return nil, &Problem{line, fmt.Sprintf("tables and lists within each other; accepted: at most %d", maxDepth)}
	}
	switch v.Kind {
	case unstable.InlineTable:
		table := newTable(t.lineOf(v.Raw))
		table.inline = true
		for it := v.Children(); it.Next(); {
			if p := t.set(table, it.Node(), depth+1); p != nil {
				return nil, p
			}
		}
		return table, nil
	case unstable.Array:
		return t.array(v, line, depth)
	}
	return &node{kind: v.Kind, text: string(v.Data), line: t.lineOf(v.Raw)}, nil
}

func (t *tree) array(v *unstable.Node, line, depth int) (*node, *Problem) {
	array := &node{kind: unstable.Array, line: line}
	for it := v.Children(); it.Next(); {
		item, p := t.value(it.Node(), line, depth+1)
		if p != nil {
			return nil, p
		}
		if len(array.items) > 0 && (item.kind == unstable.Table) != (array.items[0].kind == unstable.Table) {
			return nil, &Problem{item.line, "a list mixes tables and other values; accepted: one kind"}
		}
		array.items = append(array.items, item)
		if p := full(len(array.items), item.line); p != nil {
			return nil, p
		}
	}
	return array, nil
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
	return full(len(parent.keys), line)
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
	return full(len(list.items), line)
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
	if len(parts) > maxDepth {
		return nil, "", line, &Problem{line, fmt.Sprintf("header of %d parts; accepted: at most %d", len(parts), maxDepth)}
	}
	parent = t.root
	for _, part := range parts[:len(parts)-1] {
		next := parent.child[part]
		if next == nil {
			next = parent.add(part, newTable(line))
			if p := full(len(parent.keys), line); p != nil {
				return nil, "", line, p
			}
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
	i, starts := slices.BinarySearch(t.lines, int(r.Offset))
	if starts {
		i++
	}
	return i
}

// errorLine returns the line of a syntax error. One without a place is at the end of the file.
func (t *tree) errorLine(err error) int {
	var syntax *unstable.ParserError
	if errors.As(err, &syntax) && len(syntax.Highlight) > 0 {
		return t.lineOf(t.parser.Range(syntax.Highlight))
	}
	return len(t.lines)
}

// place returns the line of the value at a path such as "prizes.ranks.2.ways", or of the nearest table around it that the
// file has.
func (n *node) place(path string) int {
	line := n.line
	for part := range strings.SplitSeq(path, ".") {
		var next *node
		if n.kind == unstable.Array {
			if i, err := strconv.Atoi(part); err == nil && i >= 1 && i <= len(n.items) {
				next = n.items[i-1]
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
