package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"time"

	"tirage/exports"
	"tirage/store/sql"
)

// exportCmd is `tirage export`.
type exportCmd struct {
	Report string `arg:"" help:"What: sales, draws, liability, funds, rounding, log, statement."`
	DB     string `name:"db" required:"" placeholder:"DB" help:"The path of an SQLite file, or the URL (postgres://…) or settings (host=… dbname=…) of PostgreSQL."`
	From   string `placeholder:"DAY" help:"First day, such as 2020-06-01, in Paris; of sales, draws, log, statement."`
	To     string `placeholder:"DAY" help:"Last day, included."`
	Player int64  `placeholder:"N" help:"The player of a statement."`
	Format string `default:"csv" help:"csv, xlsx, pdf or json (default: ${default})."`
	Lang   string `default:"fr" enum:"fr,en" help:"Language of headings in xlsx and pdf: fr or en (default: ${default})."`
	Out    string `placeholder:"FILE" help:"File to make; one that stands there is left as it is (default: standard output)."`
}

func (c *exportCmd) Help() string {
	return `Writes a report as a table, read in one view of the database while sales go on: sales by hour, draws, what is owed, the balance of all accounts, rounding by draw, the audit trail (who did what, with the hash of each leaf), a player's statement. Amounts are exact; no text becomes a formula in a spreadsheet. See docs/exports.md.`
}

// Run writes the report to a file that gets its name when it is whole, or to standard output.
func (c *exportCmd) Run(p *program) error {
	report, err := exports.Find(c.Report)
	if err != nil {
		return err
	}
	format, err := exports.ParseFormat(c.Format)
	if err != nil {
		return err
	}
	switch {
	case report.Player && c.Player == 0:
		return errors.New("whose statement? accepted: --player with the number of the player")
	case !report.Player && c.Player != 0:
		return fmt.Errorf("%s is not of one player; accepted: without --player", report.Name)
	case !report.Dated && c.From+c.To != "":
		return fmt.Errorf("%s is what stands now; accepted: without --from and --to", report.Name)
	}
	if c.Out == "" {
		out := bufio.NewWriter(p.out)
		if err := c.write(p, report, format, out); err != nil {
			return err
		}
		return out.Flush()
	}
	if _, err := os.Lstat(c.Out); err == nil {
		return fmt.Errorf("%s exists and is left as it is; accepted: --out with a path where nothing stands", c.Out)
	}
	size, err := makeWhole(c.Out, func(f *os.File) error {
		out := bufio.NewWriter(f)
		if err := c.write(p, report, format, out); err != nil {
			return err
		}
		return out.Flush()
	})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.out, "%s: %d bytes\n", c.Out, size)
	return err
}

func (c *exportCmd) write(p *program, report *exports.Report, format exports.Format, out *bufio.Writer) (err error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	store, err := sql.OpenExisting(ctx, c.DB)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	snap, err := store.Snapshot(ctx)
	if err != nil {
		return err
	}
	defer snap.Close()
	now := time.Now()
	if p.clock != nil {
		now = p.clock.Now()
	}
	t, err := report.Read(ctx, snap, exports.Scope{From: c.From, To: c.To, Player: c.Player, Now: now})
	if err != nil {
		return err
	}
	defer p.wipe()
	return exports.Write(ctx, out, format, c.Lang, t, p.rowsWritten())
}

// rowsWritten shows on a terminal how many rows are written, each ten thousand; nil elsewhere.
func (p *program) rowsWritten() func(int) {
	if p.progress() == nil {
		return nil
	}
	return func(n int) {
		if n%10_000 == 0 {
			fmt.Fprintf(p.err, "\r\x1b[K%d rows", n)
		}
	}
}
