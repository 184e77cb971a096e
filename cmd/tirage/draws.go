package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"strings"
	"time"

	"tirage/central"
	"tirage/central/recount"
	"tirage/games"
	"tirage/rules/money"
	"tirage/store/sql"
	"tirage/vault"
)

// drawsCmd is `tirage draws`: to see the draws of a database and to steer them. Each act is a command of the register, like those of the server: it may run
// beside it.
type drawsCmd struct {
	List      drawsListCmd      `cmd:"" help:"The calendar: what is planned, on sale, drawn, paid."`
	Show      drawsShowCmd      `cmd:"" help:"One draw: hours, what is announced, sold, drawn and paid."`
	Plan      drawsPlanCmd      `cmd:"" help:"Put a draw into the calendar: a Super Loto, a Grand Loto de Noël, an exceptional draw."`
	Skip      drawsSkipCmd      `cmd:"" help:"Take a draw out of the calendar before it is on sale."`
	Announce  drawsAnnounceCmd  `cmd:"" help:"Announce a jackpot, or a guaranteed super jackpot."`
	Report    drawsReportCmd    `cmd:"" help:"Take in the stakes and the fund that the other points of sale and countries report."`
	Open      drawsOpenCmd      `cmd:"" help:"Put a planned draw on sale now, with its packs."`
	Close     drawsCloseCmd     `cmd:"" help:"End the sales of a draw whose hour has come."`
	Terms     drawsTermsCmd     `cmd:"" help:"Show the terms that follow from the draw before; sign them with the sealed plays (--seal)."`
	Postpone  drawsPostponeCmd  `cmd:"" help:"Put off a draw that cannot take place; it keeps its plays."`
	Hold      drawsHoldCmd      `cmd:"" help:"Stop a draw between its seal and its approval."`
	Release   drawsReleaseCmd   `cmd:"" help:"Let a held or postponed draw go on where it was stopped."`
	Result    drawsResultCmd    `cmd:"" help:"Record what was drawn."`
	Approve   drawsApproveCmd   `cmd:"" help:"Approve the counted result, as an officer: from then on it is paid."`
	Step      drawsStepCmd      `cmd:"" help:"Do all that is due now: open, close, seal, count, pay, draft the notice. Nothing is drawn, approved or published."`
	Generator drawsGeneratorCmd `cmd:"" help:"Numbers from the generator, where no balls are drawn: propose, confirm, draw."`
	PutOff    drawsPutOffCmd    `cmd:"" name:"put-off" help:"Propose, or confirm as the second person, that the day of effect of a game or of the packs is put off."`
}

// drawsDB is the database of the commands, and who acts.
type drawsDB struct {
	DB   string `name:"db" required:"" placeholder:"DB" help:"The path of an SQLite file, or the URL (postgres://…) or settings (host=… dbname=…) of PostgreSQL."`
	JSON bool   `name:"json" help:"Print JSON."`
}

// drawsActor is a database in which somebody acts.
type drawsActor struct {
	drawsDB
	Keys string `placeholder:"DIR" help:"Folder of the keys (default: DB.keys beside an SQLite file)."`
	Node int64  `default:"15" help:"Number of this writer, 0 to 15, not that of a server that runs (default: ${default})."`
	As   string `placeholder:"NAME" help:"Member of the staff who acts; what the system does by itself needs none."`
}

// staff is the principal of who acts in person.
func (a *drawsActor) staff() (string, error) {
	if a.As == "" {
		return "", errors.New("nobody acts; accepted: --as NAME, a member of the staff")
	}
	return "staff/" + a.As, nil
}

// look runs f over all that is committed.
func (d *drawsDB) look(f func(ctx context.Context, snap central.Snapshot) error) (err error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	store, err := sql.OpenExisting(ctx, d.DB)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	snap, err := store.Snapshot(ctx)
	if err != nil {
		return err
	}
	defer snap.Close()
	return f(ctx, snap)
}

// desk is an open database with a register that acts in it.
type desk struct {
	*central.Operator
	clock    central.Clock
	register *central.Register
}

// act opens the database for f. The keys must be there: a fresh one could open none of its secrets.
func (a *drawsActor) act(p *program, f func(ctx context.Context, d *desk) error) (err error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	dir := a.Keys
	if dir == "" {
		if sql.IsPostgres(a.DB) {
			return errors.New("where are the keys? accepted: --keys DIR")
		}
		dir = a.DB + ".keys"
	}
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there are no keys in %s; accepted: --keys with the folder of the keys of this database", dir)
	}
	store, err := sql.OpenExisting(ctx, a.DB)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	keys, err := vault.Open(dir, vault.SystemEntropy{})
	if err != nil {
		return err
	}
	register, err := central.NewRegister(central.Config{
		Store: store, Clock: p.time(), Entropy: vault.SystemEntropy{}, Sealer: keys, Verifier: keys.Verifier(), Node: a.Node,
	})
	if err != nil {
		return err
	}
	defer register.Close()
	d := &desk{clock: p.time(), register: register}
	d.Operator = &central.Operator{Register: register, Store: store, Sealer: keys, Signer: keys.Operator, Principal: central.SystemPrincipal}
	d.Control = &recount.Recounter{Store: store, Signer: keys.Control, Secret: d.OpenSecret}
	return f(ctx, d)
}

// time is the clock of the program: the machine's, unless a test has set another.
func (p *program) time() central.Clock {
	if p.clock != nil {
		return p.clock
	}
	return vault.SystemClock{}
}

// inPerson does one act of a member of the staff and prints its result.
func (a *drawsActor) inPerson(p *program, c central.Command, say func(central.Receipt) string) error {
	who, err := a.staff()
	if err != nil {
		return err
	}
	return a.act(p, func(ctx context.Context, d *desk) error {
		receipt, err := d.do(ctx, who, c)
		if err != nil {
			return err
		}
		return a.print(p, receipt.Result, func() string { return say(receipt) })
	})
}

// do does an act of a person: each is one of its own.
func (d *desk) do(ctx context.Context, who string, c central.Command) (central.Receipt, error) {
	var key [12]byte
	if _, err := (vault.SystemEntropy{}).Read(key[:]); err != nil {
		return central.Receipt{}, err
	}
	return d.register.Do(ctx, central.Request{Principal: who, Key: fmt.Sprintf("%s/%x", c.Kind(), key), Command: c})
}

// print writes what came of an act, as JSON or in words.
func (d *drawsDB) print(p *program, v any, words func() string) error {
	if d.JSON {
		return p.printJSON(v)
	}
	_, err := fmt.Fprintln(p.out, words())
	return err
}

// euroFlag is an amount on the command line: "13000000" or "2.50", in euros.
type euroFlag money.Cents

// UnmarshalText reads the amount.
func (e *euroFlag) UnmarshalText(text []byte) error {
	c, err := money.Parse(string(text))
	*e = euroFlag(c)
	return err
}

// timeFlag is an instant on the command line, in Paris: "2018-10-30 20:45".
type timeFlag struct{ time.Time }

// UnmarshalText reads the instant.
func (t *timeFlag) UnmarshalText(text []byte) (err error) {
	day, hour, _ := strings.Cut(string(text), " ")
	t.Time, err = games.ParseTime(day, hour)
	return err
}

// shownTime writes an instant as the clock in Paris shows it.
func shownTime(t time.Time) string { return t.In(games.Paris).Format("2006-01-02 15:04:05") }
