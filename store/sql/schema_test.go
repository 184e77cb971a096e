package sql

import (
	"context"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"tirage/central"
	"tirage/internal/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// column is a column as a database describes it.
type column struct {
	Name, Type string
	Key        int // place in the primary key from 1, 0: not in it
}

var sqliteTypes = map[central.ColumnType]string{central.Int: "INTEGER", central.Text: "TEXT", central.Blob: "BLOB"}
var postgresTypes = map[central.ColumnType]string{central.Int: "bigint", central.Text: "text C", central.Blob: "bytea"}

// described is package central's schema in the types of an engine.
func described(types map[central.ColumnType]string) map[string][]column {
	tables := map[string][]column{}
	for _, t := range central.Schema {
		for i, c := range t.Columns {
			col := column{Name: c.Name, Type: types[c.Type]}
			if i < t.PK {
				col.Key = i + 1
			}
			tables[t.Name] = append(tables[t.Name], col)
		}
	}
	return tables
}

func TestMigrationsHaveTheSameNumbers(t *testing.T) {
	var names [2][]string
	for i, engine := range []string{"sqlite", "postgres"} {
		entries, err := fs.ReadDir(migrations, "migrations/"+engine)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			names[i] = append(names[i], e.Name())
		}
	}
	if diff := cmp.Diff(names[0], names[1]); diff != "" || len(names[0]) == 0 {
		t.Errorf("migrations of SQLite and PostgreSQL (-+): %s", diff)
	}
}

// The tables of both engines are those that package central describes, column by column, and hold the same constraints.
func TestSchema(t *testing.T) {
	lite, liteChecks := sqliteSchema(t)
	if diff := cmp.Diff(described(sqliteTypes), lite); diff != "" {
		t.Errorf("columns of SQLite (-described +found): %s", diff)
	}
	pg, pgChecks := postgresSchema(t)
	if diff := cmp.Diff(described(postgresTypes), pg); diff != "" {
		t.Errorf("columns of PostgreSQL (-described +found): %s", diff)
	}
	if diff := cmp.Diff(liteChecks, pgChecks); diff != "" {
		t.Errorf("constraints (-SQLite +PostgreSQL): %s", diff)
	}
	if !slices.Contains(pgChecks, "players: balance >= 0") {
		t.Errorf("constraints %q: the balance of a player may fall below zero", pgChecks)
	}
}

func sqliteSchema(t *testing.T) (found map[string][]column, checks []string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tirage.db")
	s, err := OpenSQLite(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	db := liteDB(t, path)
	found = map[string][]column{}
	for _, table := range central.Schema {
		rows, err := db.QueryContext(t.Context(), `SELECT name, type, "notnull", pk FROM pragma_table_info($1) ORDER BY cid`, table.Name)
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			var c column
			var notNull bool
			if err := rows.Scan(&c.Name, &c.Type, &notNull, &c.Key); err != nil {
				t.Fatal(err)
			}
			// A single integer key is the row's own number, which cannot be NULL.
			if rowid := c.Key == 1 && table.PK == 1 && c.Type == "INTEGER"; !notNull && !rowid {
				c.Type += " NULL"
			}
			found[table.Name] = append(found[table.Name], c)
		}
		var ddl string
		if err := db.QueryRowContext(t.Context(), "SELECT sql FROM sqlite_schema WHERE name = $1", table.Name).Scan(&ddl); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(ddl, "STRICT") {
			t.Errorf("table %s is not STRICT", table.Name)
		}
		for _, m := range regexp.MustCompile(`CHECK \((.*?)\)`).FindAllStringSubmatch(ddl, -1) {
			checks = append(checks, table.Name+": "+m[1])
		}
	}
	slices.Sort(checks)
	return found, checks
}

func postgresSchema(t *testing.T) (found map[string][]column, checks []string) {
	t.Helper()
	s, err := OpenPostgres(t.Context(), pgtest.DSN(t))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	db := s.database.(*postgres).reader
	rows, err := db.Query(t.Context(), `
		SELECT c.relname, a.attname, format_type(a.atttypid, a.atttypmod) || CASE WHEN a.attnotnull THEN '' ELSE ' NULL' END,
			coalesce(l.collname, ''), coalesce(array_position(x.indkey::int2[], a.attnum) + 1, 0)
		FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 JOIN pg_index x ON x.indrelid = c.oid AND x.indisprimary
			LEFT JOIN pg_collation l ON l.oid = a.attcollation
		WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND c.relname <> 'goose_db_version'
		ORDER BY c.relname, a.attnum`)
	if err != nil {
		t.Fatal(err)
	}
	found = map[string][]column{}
	for rows.Next() {
		var table, collation string
		var c column
		if err := rows.Scan(&table, &c.Name, &c.Type, &collation, &c.Key); err != nil {
			t.Fatal(err)
		}
		c.Type = strings.TrimSpace(c.Type + " " + collation)
		found[table] = append(found[table], c)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return found, postgresChecks(t, s)
}

func postgresChecks(t *testing.T, s *Store) []string {
	rows, err := s.database.(*postgres).reader.Query(context.Background(), `
		SELECT conrelid::regclass::text, pg_get_constraintdef(oid) FROM pg_constraint
		WHERE contype = 'c' AND connamespace = 'public'::regnamespace`)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for rows.Next() {
		var table, def string
		if err := rows.Scan(&table, &def); err != nil {
			t.Fatal(err)
		}
		list = append(list, table+": "+strings.TrimSuffix(strings.TrimPrefix(def, "CHECK (("), "))"))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	slices.Sort(list)
	return list
}
