package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/signal"
	"slices"
	"strings"

	"golang.org/x/mod/sumdb/note"

	"tirage/audit"
	"tirage/central"
	"tirage/store/sql"
	"tirage/vault"
)

// auditCmd is `tirage audit`.
type auditCmd struct {
	Export auditExportCmd `cmd:"" help:"Write the log of every writer to one file, with its signed checkpoints."`
	Replay auditReplayCmd `cmd:"" help:"Rebuild every balance, play, pack, fund and round from the log alone, and compare with the tables."`
}

// auditExportCmd is `tirage audit export`.
type auditExportCmd struct {
	logDB
	To   string `required:"" placeholder:"FILE" help:"File to make; one that stands there is left as it is."`
	JSON bool   `name:"json" help:"Print JSON."`
}

func (c *auditExportCmd) Help() string {
	return `Writes all leaves that are published, with their salts, and the checkpoints that the log's key signs, while sales go on. The file says what every player did: it is for the auditor alone. Keep the checkpoints that are printed: they tell later whether leaves were cut off. See docs/audit.md.`
}

// Run writes a file that gets its name when it is whole and on the disk.
func (c *auditExportCmd) Run(p *program) error {
	if _, err := os.Lstat(c.To); err == nil {
		return fmt.Errorf("%s exists and is left as it is; accepted: --to with a path where nothing stands", c.To)
	}
	return c.open(func(ctx context.Context, log *central.Log, keys *vault.Keys) error {
		var out *audit.Exported
		size, err := makeWhole(c.To, func(f *os.File) (err error) {
			out, err = audit.Export(ctx, f, log, keys.Public(central.RoleLog), p.leaves("exporting"))
			return err
		})
		p.wipe()
		if err != nil {
			return err
		}
		if c.JSON {
			return p.printJSON(out)
		}
		fmt.Fprintf(p.out, "%s: %d leaves, %d bytes\n", c.To, out.Leaves, size)
		for _, checkpoint := range out.Checkpoints {
			fmt.Fprintf(p.out, "\n%s", checkpoint)
		}
		return nil
	})
}

// leaves shows on a terminal how many leaves were worked on; nil elsewhere.
func (p *program) leaves(verb string) func(int64) {
	if p.progress() == nil {
		return nil
	}
	return func(n int64) { fmt.Fprintf(p.err, "\r\x1b[K%s: %d leaves", verb, n) }
}

// auditReplayCmd is `tirage audit replay`.
type auditReplayCmd struct {
	From    string   `placeholder:"FILE" help:"File that tirage audit export made (default: the leaves of --db)."`
	DB      string   `name:"db" placeholder:"DB" help:"Tables to compare with: the path of an SQLite file, or the URL or settings of PostgreSQL."`
	Into    string   `placeholder:"DB" help:"Empty database of either engine to rebuild into; it is compared afterwards."`
	Key     string   `placeholder:"KEY" help:"Public key of the log, as tirage log key prints it (default: the one that the file names, which is printed)."`
	Earlier []string `placeholder:"FILE" help:"Checkpoint that was kept from before: the log must still hold what it promised. May be repeated."`
	JSON    bool     `name:"json" help:"Print JSON."`
}

func (c *auditReplayCmd) Help() string {
	return `Verifies hashes, order and signatures of the log, adds up its movements and rows by code that shares nothing with the sales, and prints "0 differences", or each place: table, key, column, what the log says, what the table holds. Leaves of --db that are newer than the file are read from it. Without --db it prints the totals. Exit code 1 when the log is not whole or a table differs. What is proved, and what is not of the log: docs/audit.md.`
}

// Run replays.
func (c *auditReplayCmd) Run(p *program) (err error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if c.From == "" && c.DB == "" {
		return errors.New("what is to be replayed? accepted: --from FILE, --db DB or both")
	}
	if c.From == "" && (c.Key != "" || len(c.Earlier) > 0) {
		return errors.New("--key and --earlier are for the signatures of a file: --from FILE is needed")
	}
	o := audit.Options{Progress: p.leaves("replaying")}
	if err := c.trust(&o); err != nil {
		return err
	}
	if c.From != "" {
		f, err := os.Open(c.From)
		if err != nil {
			return err
		}
		defer f.Close()
		info, err := f.Stat()
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() {
			return fmt.Errorf("%s is no file; accepted: a file that tirage audit export made", c.From)
		}
		o.From = &audit.File{R: f, Size: info.Size()}
	}
	if c.DB != "" {
		store, err := sql.OpenExisting(ctx, c.DB)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, store.Close()) }()
		o.Store = store
	}
	if c.Into != "" {
		store, err := sql.Open(ctx, c.Into)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, store.Close()) }()
		o.Into = store
	}
	report, err := audit.Replay(ctx, o)
	p.wipe()
	if errors.Is(err, audit.ErrFilled) {
		return fmt.Errorf("%s: %w", shownDatabase(c.Into), err)
	}
	if err != nil {
		return err
	}
	return c.print(p, report)
}

// trust reads the key and the checkpoints that the auditor holds.
func (c *auditReplayCmd) trust(o *audit.Options) error {
	if c.Key != "" {
		key := c.Key
		if b, err := os.ReadFile(c.Key); err == nil {
			key = string(b)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		verifier, err := note.NewVerifier(strings.TrimSpace(key))
		if err != nil {
			return fmt.Errorf("--key: accepted the key that tirage log key prints, or a file that holds it: %w", err)
		}
		o.Keys = note.VerifierList(verifier)
	}
	for _, path := range c.Earlier {
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		o.Earlier = append(o.Earlier, string(b))
	}
	return nil
}

// print says what was found; anything that speaks against log or tables makes the exit code 1.
func (c *auditReplayCmd) print(p *program, r *audit.Report) error {
	if c.JSON {
		if err := p.printJSON(r); err != nil {
			return err
		}
	} else {
		c.printText(p, r)
	}
	switch {
	case r.Fault != nil:
		return contradicted("the log is not whole: %w", r.Fault)
	case len(r.Contradictions) > 0:
		return contradicted("the log contradicts itself in %d places, first %w", len(r.Contradictions), &r.Contradictions[0])
	case r.Differing > 0:
		return contradicted("%s", differences(r.Differing))
	}
	return nil
}

func (c *auditReplayCmd) printText(p *program, r *audit.Report) {
	for _, l := range r.Logs {
		fmt.Fprintf(p.out, "log of node %d: %d leaves, root %s", l.Node, l.Size, l.Root)
		if l.Newer > 0 {
			fmt.Fprintf(p.out, "; %d are newer than the file and were read from the database", l.Newer)
		}
		fmt.Fprintln(p.out)
	}
	if r.SignedBy != "" {
		fmt.Fprintf(p.out, "signed by %s\n", r.SignedBy)
	}
	if r.KeyFromFile {
		fmt.Fprintln(p.out, "this key is the file's own word: compare it with the one that you hold, or give it by --key")
	}
	if r.Fault != nil {
		return
	}
	t, out := &r.Totals, &table{align: "lr"}
	out.add("players", fmt.Sprint(t.Players))
	out.add("balances", euros(t.Balances))
	out.add("plays", fmt.Sprint(t.Plays))
	out.add("stakes", euros(t.Stakes))
	out.add("packs", fmt.Sprint(t.Packs))
	out.add("shares", fmt.Sprint(t.Shares))
	out.add("rounds", fmt.Sprint(t.Rounds))
	if !r.Compared {
		for _, name := range slices.Sorted(maps.Keys(t.Accounts)) {
			out.add(name, euros(t.Accounts[name]))
		}
	}
	out.print(p.out, "  ")
	for i := range r.Contradictions {
		fmt.Fprintln(p.out, r.Contradictions[i].Error())
	}
	if !r.Compared {
		return
	}
	for _, d := range r.Differences {
		fmt.Fprintln(p.out, d)
	}
	if more := r.Differing - int64(len(r.Differences)); more > 0 {
		fmt.Fprintf(p.out, "and %d more\n", more)
	}
	rows := int64(0)
	for _, t := range r.Tables {
		rows += t.Stored
	}
	fmt.Fprintf(p.out, "%s in %d rows of %d tables\n", differences(r.Differing), rows, len(r.Tables))
}

func differences(n int64) string {
	if n == 1 {
		return "1 difference"
	}
	return fmt.Sprintf("%d differences", n)
}
