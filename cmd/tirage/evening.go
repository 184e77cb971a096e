package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"

	"golang.org/x/term"

	"tirage/central"
	"tirage/evening"
	"tirage/sealed"
	"tirage/store/sql"
	"tirage/vault"
)

// eveningCmd is `tirage evening`.
type eveningCmd struct {
	File    string  `arg:"" help:"Scenario (docs/scenarios.md)."`
	DB      string  `name:"db" placeholder:"PATH" help:"Keep the database there, where no file may be yet; its keys stand beside it in PATH.keys. Without it everything is removed at the end."`
	Sealed  string  `placeholder:"DIR" help:"Keep the sealed file of the draw, its papers and its gains there (docs/sealed.md)."`
	Control string  `placeholder:"PROGRAM" help:"With --sealed: the built program of the folder control counts instead of a recounter inside the process."`
	Seed    *uint64 `placeholder:"N" help:"A rehearsal: secrets and codes follow from N, the same at each run, and anyone can predict them."`
	JSON    bool    `name:"json" help:"Print the report as JSON."`
}

func (c *eveningCmd) Help() string {
	return `Runs a draw from the sale to the notice on a fresh database: sells, closes, seals, records the result, counts it twice, approves, pays, publishes, and checks the books after each step. A command that the operator refuses is reported; a fault of the scenario is told with its line before anything is run.`
}

// Run reads the scenario before it makes a database.
func (c *eveningCmd) Run(p *program) error {
	data, err := os.ReadFile(c.File)
	if err != nil {
		return fmt.Errorf("scenario: %w", err)
	}
	s, err := evening.Parse(c.File, data)
	if err != nil {
		return err
	}
	if c.Control != "" && c.Sealed == "" {
		return errors.New("--control reads the sealed file: accepted with --sealed")
	}
	report, err := p.evening(s, c)
	if err != nil {
		return err
	}
	if c.JSON {
		return p.printJSON(report)
	}
	return report.WriteText(p.out)
}

// exitFailed is the exit code of an evening that began and failed: its books or its counts do not agree, or it was interrupted.
const exitFailed = exitContradicted

// evening runs a scenario on a fresh database, kept if the command says where.
func (p *program) evening(s *evening.Scenario, c *eveningCmd) (report *evening.Report, err error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	db, err := newDatabase(c.DB)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.end(c.DB != "" && err == nil)) }()
	o := evening.Options{Entropy: vault.SystemEntropy{}, Progress: p.progress()}
	if c.Seed != nil {
		o.Entropy = &evening.Rehearsal{Seed: *c.Seed}
	}
	if o.Keys, err = vault.Open(db.keys, o.Entropy); err != nil {
		return nil, err
	}
	if o.Store, err = db.open(ctx); err != nil {
		return nil, err
	}
	if c.Sealed != "" {
		archive := &sealed.Archive{Dir: c.Sealed, Pseudonym: o.Keys.Pseudonym}
		o.Archive = archive
		if c.Control != "" {
			o.Control = &sealed.Control{Archive: archive, Program: c.Control, Key: filepath.Join(db.keys, "control.key"), Operator: o.Keys.Public(central.RoleOperator)}
		}
	}
	report, err = evening.Run(ctx, s, o)
	var fault *evening.Error
	switch {
	case errors.As(err, &fault):
		return nil, err
	case err != nil:
		return nil, exitError{exitFailed, err}
	}
	report.Database = c.DB
	return report, nil
}

// progress shows on a terminal what is going on.
func (p *program) progress() func(step string, done, of int) {
	f, ok := p.err.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return nil
	}
	return func(step string, done, of int) {
		if step == "done" {
			fmt.Fprint(f, "\r\x1b[K")
			return
		}
		fmt.Fprintf(f, "\r\x1b[K%s %d of %d", step, done, of)
	}
}

// database is a fresh database with its keys. Nothing of it is left behind unless it is kept.
type database struct {
	path, keys string
	temp       string // folder to remove at the end, "" when a path was asked for
	store      *sql.Store
}

// newDatabase takes the place of a database: a path where nothing stands, or a temporary folder.
func newDatabase(path string) (*database, error) {
	if path == "" {
		temp, err := os.MkdirTemp("", "tirage-evening-")
		if err != nil {
			return nil, fmt.Errorf("database: %w", err)
		}
		path = filepath.Join(temp, "tirage.db")
		return &database{path: path, keys: path + ".keys", temp: temp}, nil
	}
	d := &database{path: path, keys: path + ".keys"}
	for _, taken := range []string{d.path, d.path + "-wal", d.path + "-shm", d.keys} {
		if _, err := os.Lstat(taken); err == nil {
			return nil, fmt.Errorf("database: %s exists and is left as it is; accepted: a path where nothing stands", taken)
		}
	}
	// Made here and now, so that two runs cannot take the same place.
	f, err := os.OpenFile(d.path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("database: %w", err)
	}
	return d, f.Close()
}

func (d *database) open(ctx context.Context) (central.Store, error) {
	var err error
	d.store, err = sql.OpenSQLite(ctx, d.path)
	return d.store, err
}

// end closes the database and removes it unless it is kept.
func (d *database) end(keep bool) error {
	var err error
	if d.store != nil {
		err = d.store.Close()
	}
	if keep {
		return err
	}
	if d.temp != "" {
		return errors.Join(err, os.RemoveAll(d.temp))
	}
	for _, ours := range []string{d.path, d.path + "-wal", d.path + "-shm", d.keys} {
		err = errors.Join(err, os.RemoveAll(ours))
	}
	return err
}
