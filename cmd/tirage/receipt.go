package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"

	"tirage/central"
	"tirage/fairness"
	"tirage/store/sql"
	"tirage/vault"
)

// logDB is a database whose logs are shown.
type logDB struct {
	DB       string `name:"db" required:"" placeholder:"DB" help:"The path of an SQLite file, or the URL (postgres://…) or settings (host=… dbname=…) of PostgreSQL."`
	Keys     string `placeholder:"DIR" help:"Folder of the keys (default: DB.keys beside an SQLite file)."`
	Operator string `default:"tirage.example" placeholder:"NAME" help:"First part of the logs' names, that of the server that serves them (default: ${default})."`
}

// open opens the database for f. The keys must be there: a fresh one would sign in nobody's name.
func (l *logDB) open(f func(ctx context.Context, log *central.Log, keys *vault.Keys) error) (err error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	dir := l.Keys
	if dir == "" {
		if sql.IsPostgres(l.DB) {
			return errors.New("where are the keys? accepted: --keys DIR")
		}
		dir = l.DB + ".keys"
	}
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there are no keys in %s; accepted: --keys with the folder of the keys of this database", dir)
	}
	store, err := sql.OpenExisting(ctx, l.DB)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	keys, err := vault.Open(dir, vault.SystemEntropy{})
	if err != nil {
		return err
	}
	return f(ctx, &central.Log{Store: store, Signer: keys.Log, Operator: l.Operator}, keys)
}

// receiptCmd is `tirage receipt`.
type receiptCmd struct {
	logDB
	Play string `arg:"" help:"Number of the play, such as 0-12."`
}

func (c *receiptCmd) Help() string {
	return `Prints the receipt of a play as JSON: what was bought, its leaf, and the proof that the leaf is in the signed log. The program « verify » and the page /verify/ check it. It says what a player bought: give it to that player and to the auditor. See docs/log.md.`
}

// Run prints the receipt.
func (c *receiptCmd) Run(p *program) error {
	return c.open(func(ctx context.Context, log *central.Log, _ *vault.Keys) error {
		r, err := log.Receipt(ctx, 0, c.Play)
		if err != nil {
			return err
		}
		return p.printJSON(r)
	})
}

// logCmd is `tirage log`: what is published of the logs.
type logCmd struct {
	Key        logKeyCmd        `cmd:"" help:"Print the public key by which checkpoints and receipts are verified."`
	Checkpoint logCheckpointCmd `cmd:"" help:"Print the signed checkpoint of the log of a node: its size and its root."`
	Draw       logDrawCmd       `cmd:"" help:"Write the file by which anybody derives a published draw again: secret, quick picks, codes."`
}

// logKeyCmd is `tirage log key`.
type logKeyCmd struct{ logDB }

// Run prints the key.
func (c *logKeyCmd) Run(p *program) error {
	return c.open(func(_ context.Context, _ *central.Log, keys *vault.Keys) error {
		_, err := fmt.Fprintln(p.out, keys.Public(central.RoleLog))
		return err
	})
}

// logCheckpointCmd is `tirage log checkpoint`.
type logCheckpointCmd struct {
	logDB
	Node int64 `default:"0" placeholder:"N" help:"Node whose log it is (default: 0)."`
}

// Run brings the tiles up to date and prints the checkpoint.
func (c *logCheckpointCmd) Run(p *program) error {
	return c.open(func(ctx context.Context, log *central.Log, _ *vault.Keys) error {
		if err := central.NewTiler(log.Store).CatchUp(ctx); err != nil {
			return err
		}
		signed, err := log.Checkpoint(ctx, c.Node)
		if err != nil {
			return err
		}
		_, err = io.WriteString(p.out, signed)
		return err
	})
}

// logDrawCmd is `tirage log draw`.
type logDrawCmd struct {
	logDB
	Draw string `arg:"" help:"The draw, such as loto-2020-06-22; it is published."`
}

// Run writes the lines of the file.
func (c *logDrawCmd) Run(p *program) error {
	return c.open(func(ctx context.Context, log *central.Log, keys *vault.Keys) error {
		w := bufio.NewWriter(p.out)
		secret := func(d *central.Draw) (fairness.Secret, error) { return (&central.Operator{Sealer: keys}).OpenSecret(d) }
		return errors.Join(log.WriteDraw(ctx, w, c.Draw, secret), w.Flush())
	})
}
