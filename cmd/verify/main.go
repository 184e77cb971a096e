//go:build !js

// Command verify checks, offline and with the operator's public key alone, what a lottery has handed out: receipts, checkpoints of its log, published
// draws, rounds of a ladder game.
//
//	verify receipt --key tirage.pub receipt.json
//	verify checkpoint --key tirage.pub --tiles tiles old.txt new.txt
//	verify draw --key tirage.pub loto-2020-06-22.jsonl
//	verify round round.json
//
// The exit code is 0 when all is right, 1 when something is wrong, 2 when nothing could be checked. See docs/log.md.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
	"tirage/fairness/beacon"
	"tirage/logbook"
	"tirage/verify"
)

const usage = `verify checks what a lottery has handed out, offline.

  verify receipt    --key KEY FILE              a receipt of a play
  verify checkpoint --key KEY OLD NEW…          checkpoints of a log, or receipts, the earliest first
                    [--tiles FOLDER]            a copy of the log's tiles: FOLDER/tile/0/000 …
  verify draw       --key KEY FILE              a published draw
                    [--beacon FILE]             a beacon to accept beside drand's quicknet, as its parties describe it
  verify round      FILE                        a round of a ladder game

  --key KEY    public key of the operator's log, as the operator publishes it, or a file that holds it
  --lang fr    the verdict in French (default: the language of the system)
  --json       the report as JSON
`

// Exit codes: 1 when a check fails, 2 when nothing could be checked.
const (
	exitWrong = 1
	exitInput = 2
)

// options are those of all commands.
type options struct {
	key, lang, tiles, beacon string
	json                     bool
}

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run checks what the arguments name and returns the exit code.
func run(args []string, out, errs io.Writer) int {
	if len(args) == 0 {
		fmt.Fprint(errs, usage)
		return exitInput
	}
	var o options
	flags := flag.NewFlagSet("verify "+args[0], flag.ContinueOnError)
	flags.SetOutput(errs)
	flags.Usage = func() { fmt.Fprint(errs, usage) }
	flags.StringVar(&o.key, "key", "", "")
	flags.StringVar(&o.lang, "lang", systemLanguage(), "")
	flags.StringVar(&o.tiles, "tiles", "", "")
	flags.StringVar(&o.beacon, "beacon", "", "")
	flags.BoolVar(&o.json, "json", false, "")
	if err := flags.Parse(args[1:]); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return 0
		}
		return exitInput
	}
	report, err := o.check(args[0], flags.Args())
	if err == nil {
		err = o.print(out, report)
	}
	switch {
	case err != nil:
		fmt.Fprintf(errs, "verify: %v\n", err)
		return exitInput
	case !report.OK():
		return exitWrong
	}
	return 0
}

// systemLanguage is French where the system speaks French.
func systemLanguage() string {
	if strings.HasPrefix(os.Getenv("LANG"), "fr") {
		return verify.French
	}
	return verify.English
}

// check runs one command.
func (o *options) check(command string, files []string) (*verify.Report, error) {
	if len(files) == 0 || command != "checkpoint" && len(files) > 1 {
		return nil, fmt.Errorf("%s of %d files\n%s", command, len(files), usage)
	}
	var keys note.Verifiers
	if command != "round" {
		var err error
		if keys, err = o.keys(); err != nil {
			return nil, err
		}
	}
	switch command {
	case "receipt":
		data, err := read(files[0], verify.MaxReceipt)
		if err != nil {
			return nil, err
		}
		return verify.Receipt(data, keys), nil
	case "checkpoint":
		return o.checkpoints(files, keys)
	case "draw":
		f, err := os.Open(files[0])
		if err != nil {
			return nil, err
		}
		defer f.Close()
		beacons, err := o.beacons()
		if err != nil {
			return nil, err
		}
		return verify.Draw(f, keys, beacons...), nil
	case "round":
		data, err := read(files[0], verify.MaxReceipt)
		if err != nil {
			return nil, err
		}
		return verify.Round(data), nil
	}
	return nil, fmt.Errorf("command %.20q\n%s", command, usage)
}

func (o *options) checkpoints(files []string, keys note.Verifiers) (*verify.Report, error) {
	var list [][]byte
	for _, name := range files {
		data, err := read(name, verify.MaxReceipt)
		if err != nil {
			return nil, err
		}
		list = append(list, data)
	}
	if o.tiles == "" {
		return verify.Checkpoints(list, keys, nil), nil
	}
	return verify.Checkpoints(list, keys, func(t tlog.Tile) ([]byte, error) { return readTile(o.tiles, t) }), nil
}

// readTile reads a tile from a copy of the log. A tile that has become full since holds the narrower one.
func readTile(folder string, t tlog.Tile) ([]byte, error) {
	data, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(logbook.TilePath(t))))
	if errors.Is(err, os.ErrNotExist) && t.W < logbook.TileWidth {
		narrow := t.W
		t.W = logbook.TileWidth
		if data, err = os.ReadFile(filepath.Join(folder, filepath.FromSlash(logbook.TilePath(t)))); len(data) >= narrow*tlog.HashSize {
			data = data[:narrow*tlog.HashSize]
		}
	}
	return data, err
}

// keys reads the key of the flag: itself, or the file that it names.
func (o *options) keys() (note.Verifiers, error) {
	if o.key == "" {
		return nil, errors.New("no key; accepted: --key with the public key of the operator's log, or a file that holds it")
	}
	if data, err := read(o.key, 1<<16); err == nil {
		return verify.Keys(string(data))
	}
	return verify.Keys(o.key)
}

// beacons reads the description of a beacon beside quicknet, as drand publishes it of a chain.
func (o *options) beacons() ([]*beacon.Chain, error) {
	if o.beacon == "" {
		return nil, nil
	}
	data, err := read(o.beacon, 1<<16)
	if err != nil {
		return nil, err
	}
	chain, err := beacon.ParseChain(data)
	return []*beacon.Chain{chain}, err
}

// read reads a file of at most so many bytes, and one more, by which its reader sees that it is too long.
func read(name string, most int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, most+1))
}

func (o *options) print(w io.Writer, r *verify.Report) error {
	if !o.json {
		return r.Print(w, o.lang)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	if err := e.Encode(r); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}
