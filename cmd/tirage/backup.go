package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"time"

	"tirage/central"
	"tirage/store/backup"
	"tirage/store/sql"
)

// backupCmd is `tirage backup`.
type backupCmd struct {
	DB   string `name:"db" required:"" placeholder:"DB" help:"What to save: the path of an SQLite file, or the URL (postgres://…) or settings (host=… dbname=…) of PostgreSQL."`
	To   string `required:"" placeholder:"FILE" help:"File to make; one that stands there is left as it is."`
	JSON bool   `name:"json" help:"Print JSON."`
}

func (c *backupCmd) Help() string {
	return `Saves all that is committed, as of one moment, while sales go on, and checks the books of what it saved. The file can be restored into either engine. It holds names of players and what they played: keep it as you keep the database. The keys of the vault are not in it: save them apart. Exit code 1 when the books do not balance: the file is kept and says so. See docs/operations.md.`
}

// backupReport is what both commands print as JSON.
type backupReport struct {
	Database string `json:"database"`
	File     string `json:"file"`
	Bytes    int64  `json:"bytes"`
	*backup.Report
}

// Run saves into a file that gets its name when it is whole and on the disk.
func (c *backupCmd) Run(p *program) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if _, err := os.Lstat(c.To); err == nil {
		return fmt.Errorf("%s exists and is left as it is; accepted: --to with a path where nothing stands", c.To)
	}
	store, err := sql.OpenExisting(ctx, c.DB)
	if err != nil {
		return err
	}
	defer store.Close()
	var report *backup.Report
	size, err := makeWhole(c.To, func(f *os.File) (err error) {
		report, err = backup.Write(ctx, f, store, time.Now(), p.backupOptions("saving"))
		return err
	})
	p.wipe()
	if err != nil {
		return err
	}
	return p.printBackup(&backupReport{shownDatabase(c.DB), c.To, size, report}, "saved %[1]s in %[2]s", c.JSON)
}

// makeWhole writes a file under another name first, so that the name stands for a whole file or for none.
func makeWhole(path string, write func(*os.File) error) (size int64, err error) {
	partial := path + ".partial"
	f, err := os.OpenFile(partial, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return 0, fmt.Errorf("%s exists: a backup is being made there, or one was interrupted; remove it if none is", partial)
	}
	if err != nil {
		return 0, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(partial))
		}
	}()
	if err = write(f); err == nil {
		err = f.Sync()
	}
	if info, serr := f.Stat(); err == nil {
		size, err = info.Size(), serr
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return 0, err
	}
	if err = os.Rename(partial, path); err != nil {
		return 0, err
	}
	return size, syncFolder(filepath.Dir(path))
}

// syncFolder makes a new name in a folder durable.
func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// restoreCmd is `tirage restore`.
type restoreCmd struct {
	From string `required:"" placeholder:"FILE" help:"File that tirage backup made."`
	DB   string `name:"db" required:"" placeholder:"DB" help:"Empty database to restore into: the path of an SQLite file, which is made, or the URL (postgres://…) or settings (host=… dbname=…) of PostgreSQL."`
	JSON bool   `name:"json" help:"Print JSON."`
}

func (c *restoreCmd) Help() string {
	return `Restores a backup of either engine into an empty database of either engine, in one transaction, and checks the books there. Nothing is kept of a file that is damaged or cut short. Exit code 1 when the books do not balance: do not sell on what was restored. See docs/operations.md.`
}

// Run restores; a database file that it made itself does not outlive a failure.
func (c *restoreCmd) Run(p *program) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	f, err := os.Open(c.From)
	if err != nil {
		return fmt.Errorf("backup: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err == nil && info.IsDir() {
		err = fmt.Errorf("backup: %s is a folder; a file is needed", c.From)
	}
	if err != nil {
		return err
	}
	report, err := c.restore(ctx, p, f)
	p.wipe()
	if err != nil {
		return err
	}
	return p.printBackup(&backupReport{shownDatabase(c.DB), c.From, info.Size(), report}, "restored %[2]s into %[1]s", c.JSON)
}

func (c *restoreCmd) restore(ctx context.Context, p *program, f io.Reader) (report *backup.Report, err error) {
	_, missing := os.Lstat(c.DB)
	store, err := sql.Open(ctx, c.DB)
	if err != nil {
		return nil, err
	}
	report, err = backup.Read(ctx, f, store, p.backupOptions("restoring"))
	if errors.Is(err, backup.ErrBooks) {
		err = nil // the report says it
	}
	if errors.Is(err, backup.ErrFilled) {
		err = fmt.Errorf("%s: %w", shownDatabase(c.DB), err)
	}
	if err = errors.Join(err, store.Close()); err == nil {
		return report, nil
	}
	if !sql.IsPostgres(c.DB) && errors.Is(missing, fs.ErrNotExist) {
		for _, end := range []string{"", "-wal", "-shm"} {
			if rerr := os.Remove(c.DB + end); !errors.Is(rerr, fs.ErrNotExist) {
				err = errors.Join(err, rerr)
			}
		}
	}
	return nil, err
}

// shownDatabase names a database without the password that may stand in its name.
func shownDatabase(where string) string {
	if sql.IsPostgres(where) {
		return "the PostgreSQL database"
	}
	return where
}

// backupOptions shows on a terminal how far a long work is.
func (p *program) backupOptions(verb string) backup.Options {
	if p.progress() == nil {
		return backup.Options{}
	}
	return backup.Options{Progress: func(table string, rows int64) {
		fmt.Fprintf(p.err, "\r\x1b[K%s %s: %d rows", verb, table, rows)
	}}
}

// wipe clears the line of progress.
func (p *program) wipe() {
	if p.progress() != nil {
		fmt.Fprint(p.err, "\r\x1b[K")
	}
}

// printBackup prints a report; books that do not balance make the exit code 1.
func (p *program) printBackup(r *backupReport, done string, asJSON bool) error {
	if asJSON {
		if err := p.printJSON(r); err != nil {
			return err
		}
	} else {
		fmt.Fprintf(p.out, done+", as of %[3]s, %[4]d bytes\n", r.Database, r.File, r.At.Format(time.RFC3339), r.Bytes)
		t := &table{align: "lr"}
		for i := range central.Schema {
			if name := central.Schema[i].Name; r.Rows[name] > 0 {
				t.add(name, fmt.Sprint(r.Rows[name]))
			}
		}
		t.print(p.out, "  ")
		for _, l := range r.Logs {
			fmt.Fprintf(p.out, "log of node %d: %d leaves, root %x\n", l.Node, l.Size, l.Root)
		}
		fmt.Fprintf(p.out, "SHA-256 of the content: %s\n", r.SHA256)
	}
	if r.Books != "" {
		return contradicted("the books do not balance: %s", r.Books)
	}
	if !asJSON {
		fmt.Fprintln(p.out, "books balanced")
	}
	return nil
}
