package main

import (
	"errors"
	"fmt"
	"os"

	"tirage/evening"
	"tirage/testdata/evenings"
)

// demoCmd is `tirage demo`.
type demoCmd struct {
	DB string `name:"db" default:"tirage-demo.db" placeholder:"PATH" help:"Where to leave the database (default: ${default}); a file that stands there is left as it is."`
}

func (c *demoCmd) Help() string {
	return `Runs the real evening of Loto of 22 June 2020, when a pack held by 108 players won 8 M€, and leaves its database to look at. The scenario is in the program; docs/scenarios.md explains it.`
}

// Run runs the evening and says what there is to look at.
func (c *demoCmd) Run(p *program) error {
	if _, err := os.Lstat(c.DB); err == nil {
		return fmt.Errorf("%s exists, perhaps from an earlier demo, and is left as it is; accepted: --db with a path where nothing stands", c.DB)
	}
	s, err := evening.Parse(evenings.Loto20200622File, evenings.Loto20200622)
	if err != nil {
		return errors.New("the scenario in the program: " + err.Error())
	}
	report, err := p.evening(s, &eveningCmd{DB: c.DB})
	if err != nil {
		return err
	}
	if err := report.WriteText(p.out); err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.out, `
The database is %[1]s (SQLite), the keys of its draw secrets and signatures are in %[1]s.keys. To look at, with the program sqlite3:
  sqlite3 %[1]s .schema              every table
  sqlite3 %[1]s '.dump credits'      what each play was paid, rank gains and codes apart
  sqlite3 %[1]s '.dump transfers'    every posting, from and to
  sqlite3 %[1]s '.dump docs'         the signed papers: sealed plays and terms, result, both counts, notice
  sqlite3 %[1]s '.dump leaves'       the log: each accepted command with its effects
The scenario is testdata/evenings/%[2]s. Change the jackpot in a copy and run it: tirage evening COPY
`, c.DB, evenings.Loto20200622File)
	return err
}
