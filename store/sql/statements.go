package sql

import (
	"fmt"
	"strings"

	"tirage/central"
)

// statements is the SQL of one table, the same text for every engine but for the lock that ends a load.
type statements struct {
	table   *central.Table
	columns string   // "id, balance, version"
	pk      []string // names of the key columns
}

func newStatements(t *central.Table) *statements {
	names := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		names[i] = c.Name
	}
	return &statements{t, strings.Join(names, ", "), names[:t.PK]}
}

// load selects n rows by their key: `SELECT … WHERE (a, b) IN (VALUES ($1, $2), …) ORDER BY a, b`.
func (s *statements) load(n int, lock string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "SELECT %s FROM %s WHERE ", s.columns, s.table.Name)
	if len(s.pk) == 1 {
		fmt.Fprintf(&b, "%s IN (", s.pk[0])
		placeholders(&b, 1, n)
		b.WriteString(")")
	} else {
		fmt.Fprintf(&b, "(%s) IN (VALUES ", strings.Join(s.pk, ", "))
		tuples(&b, n, len(s.pk))
		b.WriteString(")")
	}
	fmt.Fprintf(&b, " ORDER BY %s%s", strings.Join(s.pk, ", "), lock)
	return b.String()
}

// put inserts n rows. A row that exists is replaced, added to, or an error, as the table says.
func (s *statements) put(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "INSERT INTO %s (%s) VALUES ", s.table.Name, s.columns)
	tuples(&b, n, len(s.table.Columns))
	if s.table.Append {
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
func (s *statements) scan(r central.Range) (query string, args []any) {
	key := r.From.Values()
	var where []string
	for i := range r.Prefix {
		args = append(args, key[i])
		where = append(where, fmt.Sprintf("%s = $%d", s.pk[i], len(args)))
	}
	if r.After && r.Prefix < len(key) {
		rest := key[r.Prefix:]
		var b strings.Builder
		placeholders(&b, len(args)+1, len(rest))
		where = append(where, fmt.Sprintf("(%s) > (%s)", strings.Join(s.pk[r.Prefix:], ", "), b.String()))
		args = append(args, rest...)
	}
	query = fmt.Sprintf("SELECT %s FROM %s", s.columns, s.table.Name)
	if len(where) > 0 {
		query += " WHERE " + strings.Join(where, " AND ")
	}
	query += " ORDER BY " + strings.Join(s.pk, ", ")
	if r.Limit > 0 {
		query += fmt.Sprintf(" LIMIT %d", r.Limit)
	}
	return query, args
}

// tuples writes n tuples of width placeholders: ($1, $2), ($3, $4).
func tuples(b *strings.Builder, n, width int) {
	for i := range n {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString("(")
		placeholders(b, i*width+1, width)
		b.WriteString(")")
	}
}

func placeholders(b *strings.Builder, first, n int) {
	for i := range n {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(b, "$%d", first+i)
	}
}
