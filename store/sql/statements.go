package sql

import (
	"fmt"
	"strings"
	"sync"

	"tirage/central"
)

// dialect is how an engine wants what the SQL texts leave open.
type dialect struct {
	name   string
	update string // ends a load that locks for this transaction alone: " FOR UPDATE"
	share  string // ends a load that others may lock so too: " FOR SHARE"
	// arrays: rows travel as one array a column, so that one text serves any number of them. Otherwise each value has its placeholder, and
	// statements take 1, 2, 4 … maxRows rows, so that their texts are few.
	arrays bool
}

// maxRows bounds the rows of a statement with placeholders; 64 rows of the widest table stay below every engine's limit of parameters.
const maxRows = 64

// statements is the SQL of one table.
type statements struct {
	table   *central.Table
	dialect *dialect
	columns string   // "id, balance, version"
	pk      []string // names of the key columns
	texts   sync.Map // by textKey
}

type textKey struct {
	verb string
	rows int // 0 with arrays
}

// The verbs of a write: insert fails when a row exists, put replaces it, or adds to it as the table says.
const (
	insert = "insert"
	put    = "put"
)

func newStatements(t *central.Table, d *dialect) *statements {
	names := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		names[i] = c.Name
	}
	return &statements{table: t, dialect: d, columns: strings.Join(names, ", "), pk: names[:t.PK]}
}

// text returns the text of a verb for n rows, made once.
func (s *statements) text(verb string, n int, make func(n int) string) string {
	k := textKey{verb, n}
	if s.dialect.arrays {
		k.rows = 0
	}
	if t, ok := s.texts.Load(k); ok {
		return t.(string)
	}
	t := make(n)
	s.texts.Store(k, t)
	return t
}

// load selects the rows with these keys. Rows that are never changed in place are not locked.
func (s *statements) load(keys []central.Key, lock string) []statement {
	if s.table.Add != "" || s.table.Append {
		lock = ""
	}
	var list []statement
	for len(keys) > 0 {
		n := len(keys)
		size := n
		if !s.dialect.arrays {
			// The last key is repeated up to a power of two.
			for n, size = min(n, maxRows), 1; size < n; {
				size *= 2
			}
		}
		args := s.args(s.table.Columns[:s.table.PK], size, func(i int) []any { return keys[min(i, n-1)].Values() })
		list = append(list, statement{table: s.table.ID, text: s.text("load"+lock, size, func(n int) string { return s.loadText(n, lock) }), args: args})
		keys = keys[n:]
	}
	return list
}

// loadText is `SELECT … WHERE (a, b) IN (VALUES ($1, $2), …) ORDER BY a, b FOR UPDATE`.
func (s *statements) loadText(n int, lock string) string {
	pk := strings.Join(s.pk, ", ")
	return fmt.Sprintf("SELECT %s FROM %s WHERE (%s) IN (%s) ORDER BY %s%s", s.columns, s.table.Name, pk, s.list(s.table.Columns[:s.table.PK], n), pk, lock)
}

// write inserts or puts rows.
func (s *statements) write(verb string, rows []central.Row) []statement {
	var list []statement
	size := maxRows
	for len(rows) > 0 {
		if s.dialect.arrays {
			size = len(rows)
		}
		if size > len(rows) {
			size /= 2
			continue
		}
		args := s.args(s.table.Columns, size, func(i int) []any { return rows[i].Fields() })
		list = append(list, statement{table: s.table.ID, text: s.text(verb, size, func(n int) string { return s.writeText(verb, n) }), args: args})
		rows = rows[size:]
	}
	return list
}

// writeText is `INSERT INTO t (…) VALUES (…), …`, for put with `ON CONFLICT (…) DO UPDATE SET …`.
func (s *statements) writeText(verb string, n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "INSERT INTO %s (%s) %s", s.table.Name, s.columns, s.list(s.table.Columns, n))
	if verb == insert {
		return b.String()
	}
	fmt.Fprintf(&b, " ON CONFLICT (%s) DO UPDATE SET ", strings.Join(s.pk, ", "))
	for i, c := range s.table.Columns[s.table.PK:] {
		if i > 0 {
			b.WriteString(", ")
		}
		if c.Name == s.table.Add {
			fmt.Fprintf(&b, "%s = %s.%s + excluded.%s", c.Name, s.table.Name, c.Name, c.Name)
		} else {
			fmt.Fprintf(&b, "%s = excluded.%s", c.Name, c.Name)
		}
	}
	return b.String()
}

// scan selects a range: the first prefix key columns equal, the key after a bound when there is one.
func (s *statements) scan(r central.Range) statement {
	key := r.From.Values()
	var where []string
	var args []any
	for i := range r.Prefix {
		args = append(args, key[i])
		where = append(where, fmt.Sprintf("%s = $%d", s.pk[i], len(args)))
	}
	if r.After && r.Prefix == len(key) {
		where = append(where, "1 = 0") // no other row has the same key
	} else if r.After {
		rest := key[r.Prefix:]
		var b strings.Builder
		placeholders(&b, len(args)+1, len(rest))
		where = append(where, fmt.Sprintf("(%s) > (%s)", strings.Join(s.pk[r.Prefix:], ", "), b.String()))
		args = append(args, rest...)
	}
	columns, only := s.selected(r)
	query := fmt.Sprintf("SELECT %s FROM %s", strings.Join(columns, ", "), s.table.Name)
	if len(where) > 0 {
		query += " WHERE " + strings.Join(where, " AND ")
	}
	args = append(args, int64(r.Limit))
	query += fmt.Sprintf(" ORDER BY %s LIMIT $%d", strings.Join(s.pk, ", "), len(args))
	return statement{s.table.ID, query, args, key[:r.Prefix], only}
}

// selected returns the columns of a scan: those that are asked for, without those that its range fixes. Reading a column costs more than comparing it.
func (s *statements) selected(r central.Range) (names []string, indexes []int) {
	if names = r.Only; names == nil {
		for _, c := range s.table.Columns {
			names = append(names, c.Name)
		}
	}
	names = names[r.Prefix:]
	return names, s.indexes(names)
}

// indexes returns the places of columns in the table, whose order they keep.
func (s *statements) indexes(names []string) []int {
	var is []int
	for i, c := range s.table.Columns {
		if len(is) < len(names) && c.Name == names[len(is)] {
			is = append(is, i)
		}
	}
	if len(is) != len(names) {
		panic(fmt.Sprintf("sql: columns %v of %s: not all of them, or not in their order", names, s.table.Name))
	}
	return is
}

// list is n rows of columns as a source of an INSERT or an IN: `VALUES ($1, $2), …` or `SELECT * FROM unnest($1::bigint[], $2::text[])`.
func (s *statements) list(columns []central.Column, n int) string {
	var b strings.Builder
	if s.dialect.arrays {
		b.WriteString("SELECT * FROM unnest(")
		for i, c := range columns {
			if i > 0 {
				b.WriteString(", ")
			}
			fmt.Fprintf(&b, "$%d::%s[]", i+1, arrayTypes[c.Type])
		}
		b.WriteString(")")
		return b.String()
	}
	b.WriteString("VALUES ")
	for i := range n {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString("(")
		placeholders(&b, i*len(columns)+1, len(columns))
		b.WriteString(")")
	}
	return b.String()
}

var arrayTypes = map[central.ColumnType]string{central.Int: "bigint", central.Text: "text", central.Blob: "bytea"}

func placeholders(b *strings.Builder, first, n int) {
	for i := range n {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(b, "$%d", first+i)
	}
}

// args gathers the values of n rows for a list: one by one, or one array a column.
func (s *statements) args(columns []central.Column, n int, row func(i int) []any) []any {
	if s.dialect.arrays {
		return arrays(columns, n, row)
	}
	args := make([]any, 0, n*len(columns))
	for i := range n {
		for _, f := range row(i) {
			args = append(args, value(f))
		}
	}
	return args
}

func arrays(columns []central.Column, n int, row func(i int) []any) []any {
	args := make([]any, len(columns))
	for j, c := range columns {
		switch c.Type {
		case central.Int:
			args[j] = make([]int64, n)
		case central.Text:
			args[j] = make([]string, n)
		case central.Blob:
			args[j] = make([][]byte, n)
		}
	}
	for i := range n {
		for j, f := range row(i) {
			switch v := value(f).(type) {
			case int64:
				args[j].([]int64)[i] = v
			case string:
				args[j].([]string)[i] = v
			case []byte:
				args[j].([][]byte)[i] = v
			}
		}
	}
	return args
}

// value returns what a field or a key column holds. No bytes are an empty value: the columns are NOT NULL.
func value(f any) any {
	switch f := f.(type) {
	case *int64:
		return *f
	case *string:
		return *f
	case *[]byte:
		if *f == nil {
			return []byte{}
		}
		return *f
	}
	return f
}
