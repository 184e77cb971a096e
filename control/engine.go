package main

import (
	"context"
	"database/sql"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	_ "github.com/duckdb/duckdb-go/v2"
)

//go:embed sql/*.sql
var scripts embed.FS

// engine is DuckDB with one draw in it. What does not fit in memory goes to a folder of its own, which close removes.
type engine struct {
	db     *sql.DB
	folder string
}

func open(ctx context.Context, memory int) (*engine, error) {
	folder, err := os.MkdirTemp("", "control-")
	if err != nil {
		return nil, err
	}
	e := &engine{folder: folder}
	if e.db, err = sql.Open("duckdb", filepath.Join(folder, "draw.db")); err == nil {
		e.db.SetMaxOpenConns(1)
		err = e.do(ctx, fmt.Sprintf(`SET memory_limit = '%d MiB'; SET temp_directory = %s; SET TimeZone = 'UTC'; SET preserve_insertion_order = false`, memory, quote(folder)))
	}
	if err != nil {
		return nil, errors.Join(err, e.close())
	}
	return e, nil
}

func (e *engine) close() error {
	var err error
	if e.db != nil {
		err = e.db.Close()
	}
	return errors.Join(err, os.RemoveAll(e.folder))
}

func (e *engine) do(ctx context.Context, statement string, args ...any) error {
	_, err := e.db.ExecContext(ctx, statement, args...)
	return err
}

// script runs a file of statements.
func (e *engine) script(ctx context.Context, name string) error {
	text, err := scripts.ReadFile("sql/" + name)
	if err != nil {
		return err
	}
	if err := e.do(ctx, string(text)); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// quote writes a text of SQL.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// load takes the sealed file and what its manifest says of it.
func (e *engine) load(ctx context.Context, p *papers) error {
	for _, name := range []string{"figures.sql", "papers.sql"} {
		if err := e.script(ctx, name); err != nil {
			return err
		}
	}
	for _, part := range []string{"plays", "packs"} {
		view := fmt.Sprintf("CREATE VIEW %s AS SELECT * FROM read_parquet(%s, file_row_number = true)", part, quote(p.stem+"."+part+".parquet"))
		if err := e.do(ctx, view); err != nil {
			return err
		}
	}
	if err := e.loadManifest(ctx, p); err != nil {
		return fmt.Errorf("manifest: %w", err)
	}
	for _, name := range []string{"views.sql", "multiples.sql", "sums.sql"} {
		if err := e.script(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

func (e *engine) loadManifest(ctx context.Context, p *papers) error {
	m, in := &p.manifest, inserter{ctx: ctx, engine: e}
	f, t, s := m.File, &m.Terms, &m.Sales
	in.row("draw", s.Draw, f.Game, f.Day, f.Exceptional, p.version)
	in.row("terms", t.Position, t.Jackpot, t.Carry, t.Cap, t.Capped, t.AfterSuper, t.Super, t.Fund, t.OutsideStakes)
	for i, cents := range t.Official {
		in.row("official", i+1, cents)
	}
	for game, a := range t.AddOns {
		in.row("terms_added", game, a.Fund, a.OutsideStakes)
		for i, cents := range a.Official {
			in.row("official_added", game, i+1, cents)
		}
	}
	for _, k := range s.Kinds {
		in.row("said_kind", k.Kind, k.Plays, k.Cents)
	}
	for _, r := range s.Rules {
		in.row("said_rules", r.Rules, r.Combinations, r.Cents)
	}
	in.row("said_sales", s.Packs, s.UnsoldShares, s.UnsoldCents, s.Stakes)
	for _, x := range f.Slices {
		in.row("said_slice", x.Node, x.Hour, x.Plays, x.Cents, hex.EncodeToString(x.Digest))
	}
	return in.err
}

// loadResult takes the result and the operator's count of it, and works out the control's own.
func (e *engine) loadResult(ctx context.Context, p *papers) error {
	in, c := inserter{ctx: ctx, engine: e}, &p.said.count
	for _, n := range p.result.Main {
		in.row("drawn_main", n)
	}
	for _, n := range p.result.Extra {
		in.row("drawn_extra", n)
	}
	for series, list := range p.result.Codes {
		for _, printed := range list {
			in.row("drawn_code", series, printed)
		}
	}
	if p.result.Joker != "" {
		in.row("drawn_digits", strings.ReplaceAll(p.result.Joker, " ", ""))
	}
	for i, n := range p.outside.Winners {
		in.row("outside", i+1, n)
	}
	for game, list := range p.outside.AddOns {
		for i, n := range list {
			in.row("outside_added", game, i+1, n)
		}
	}
	for _, a := range c.AddOns {
		for i, n := range a.Winners {
			in.row("said_added", a.Game, i+1, n, a.unit(i))
		}
	}
	for i, n := range c.Winners {
		in.row("said_winners", i+1, n)
	}
	for i, cents := range c.Unit {
		in.row("said_unit", i+1, cents)
	}
	for _, x := range c.Codes {
		in.row("said_code", x.Series, x.Drawn, x.Ours, x.Unit)
	}
	in.row("said_count", c.Gains, c.Credits, c.Due, c.Packs.Gains, c.Packs.Holders, c.Packs.Rounding,
		c.Groups.Gains, c.Groups.Holders, c.Groups.Rounding)
	for fund, cents := range c.Packs.Reserve {
		in.row("said_reserve", fund, cents)
	}
	if in.err != nil {
		return in.err
	}
	gains := fmt.Sprintf("CREATE VIEW gains AS SELECT * FROM read_parquet(%s)", quote(fmt.Sprintf("%s.gains-%d.parquet", p.stem, p.version)))
	if err := e.do(ctx, gains); err != nil {
		return err
	}
	return e.script(ctx, "result.sql")
}

// inserter writes rows of small tables; after the first error it writes nothing more.
type inserter struct {
	ctx    context.Context
	engine *engine
	err    error
}

func (i *inserter) row(table string, values ...any) {
	if i.err != nil {
		return
	}
	marks := strings.TrimSuffix(strings.Repeat("?, ", len(values)), ", ")
	i.err = i.engine.do(i.ctx, fmt.Sprintf("INSERT INTO %s VALUES (%s)", table, marks), values...)
}

// query is one check of a script.
type query struct{ name, text string }

// queries takes a script apart: each check opens with "-- check: NAME".
func queries(name string) ([]query, error) {
	text, err := scripts.ReadFile("sql/" + name)
	if err != nil {
		return nil, err
	}
	var list []query
	for _, part := range strings.Split(string(text), "-- check: ")[1:] {
		title, body, _ := strings.Cut(part, "\n")
		list = append(list, query{title, strings.TrimSuffix(strings.TrimSpace(body), ";")})
	}
	return list, nil
}

// found runs a check: what it found, the first few in words.
func (e *engine) found(ctx context.Context, q query) (list []string, n int, err error) {
	const most = 20
	rows, err := e.db.QueryContext(ctx, q.text)
	if err != nil {
		return nil, 0, fmt.Errorf("check %s: %w", q.name, err)
	}
	defer rows.Close()
	for ; rows.Next(); n++ {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, 0, fmt.Errorf("check %s: %w", q.name, err)
		}
		if n < most {
			list = append(list, text)
		}
	}
	return list, n, rows.Err()
}

// all reads a small table.
func all[T any](ctx context.Context, e *engine, statement string, into func(*T) []any) (list []T, err error) {
	rows, err := e.db.QueryContext(ctx, statement)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var v T
		if err := rows.Scan(into(&v)...); err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, rows.Err()
}
