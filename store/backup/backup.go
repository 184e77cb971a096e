// Package backup carries a whole store in one file, which any engine can be restored from: what was saved from SQLite goes into PostgreSQL and
// the other way.
//
//	report, err := backup.Write(ctx, file, store, options)
//	report, err := backup.Read(ctx, file, empty, options)
//
// # File, format 1
//
// The file is compressed with gzip. Inside are lines of JSON, which `zcat` shows:
//
//	{"tirage_backup":1,"at":"2026-03-01T02:00:00Z","tables":{"writers":["node","size",…],…}}
//	["writers",0,184,"p2Jh…",1583020800000000]
//	…
//	{"rows":{"writers":1,…},"books":"","sha256":"9f86d0…"}
//
// The first line names every table with its columns. Then comes every row of every table, tables in the order of [central.Schema], rows in the order of
// their keys, each as the log writes it ([logbook.AppendRow]). The last line counts the rows, says what [central.CheckBooks] found in them ("" when
// all is well) and holds the SHA-256 of all lines before it. A later format will have another number; a reader refuses a number that it
// does not know, and tables that are not its own.
//
// # Trust
//
// A backup is one consistent view: sales go on while it is made. It is read back in one transaction, into an empty store only, and nothing is kept of a file
// that is cut short or changed. The books are checked on both sides. The file holds the salts and bodies of the log and the names of players:
// who has it knows what was played. The keys of the vault are not in it.
package backup

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"time"

	"tirage/central"
	"tirage/logbook"
)

// Format is the number of the format that this package writes.
const Format = 1

// Options of a backup and of a restoration.
type Options struct {
	Progress func(table string, rows int64) // told now and then of what was carried; may be nil
}

// progressRows is how many rows pass between two calls of Progress.
const progressRows = 4096

// Report is what a file holds.
type Report struct {
	At     time.Time         `json:"at"`    // when the view was taken
	Rows   map[string]int64  `json:"rows"`  // by table
	Logs   []central.LogSize `json:"logs"`  // size and root of each writer's log
	Books  string            `json:"books"` // what is wrong with the books, "" when they balance
	SHA256 string            `json:"sha256"`
}

// header is the first line of a file.
type header struct {
	Format int                 `json:"tirage_backup"`
	At     time.Time           `json:"at"`
	Tables map[string][]string `json:"tables"`
}

// trailer is the last line of a file.
type trailer struct {
	Rows   map[string]int64 `json:"rows"`
	Books  string           `json:"books"`
	SHA256 string           `json:"sha256"`
}

// tables describes the tables as the header does.
func tables() map[string][]string {
	m := map[string][]string{}
	for i := range central.Schema {
		t := &central.Schema[i]
		for _, c := range t.Columns {
			m[t.Name] = append(m[t.Name], c.Name)
		}
	}
	return m
}

// Write saves all that is committed in a store at this moment. Books that do not balance are saved too, and the report says what is wrong.
func Write(ctx context.Context, w io.Writer, store central.Reader, at time.Time, opts Options) (*Report, error) {
	snap, err := store.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	defer snap.Close()
	e := newEncoder(w, opts)
	e.json(header{Format, at.UTC().Truncate(time.Second), tables()})
	report := &Report{At: at.UTC().Truncate(time.Second)}
	for i := range central.Schema {
		if err := snap.Scan(ctx, central.Range{From: central.Key{Table: central.TableID(i)}}, e.row); err != nil {
			return nil, fmt.Errorf("table %s: %w", central.Schema[i].Name, err)
		}
	}
	report.check(ctx, snap)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	report.Rows, report.SHA256 = e.rows, hex.EncodeToString(e.digest.Sum(nil))
	e.json(trailer{report.Rows, report.Books, report.SHA256})
	return report, e.close()
}

// check looks at the books of a view.
func (r *Report) check(ctx context.Context, snap central.Snapshot) {
	var err error
	r.Logs, err = central.LogSizes(ctx, snap)
	// What the books say of a log says more.
	if berr := central.CheckBooks(ctx, held{snap}); berr != nil {
		err = berr
	}
	r.Books = ""
	if err != nil {
		r.Books = err.Error()
	}
}

type view = central.Snapshot

// held lends a view that stays open.
type held struct{ view }

func (h held) Snapshot(context.Context) (central.Snapshot, error) { return h, nil }

// Close leaves the view to its owner.
func (held) Close() {}

// encoder writes lines and remembers the first error of the writer.
type encoder struct {
	zip    zipper
	digest hash.Hash
	line   []byte
	rows   map[string]int64
	opts   Options
	err    error
}

func newEncoder(w io.Writer, opts Options) *encoder {
	return &encoder{zip: newZipper(w), digest: sha256.New(), rows: map[string]int64{}, opts: opts}
}

func (e *encoder) write() {
	e.line = append(e.line, '\n')
	e.digest.Write(e.line)
	if e.err == nil {
		_, e.err = e.zip.Write(e.line)
	}
}

func (e *encoder) json(v any) {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // numbers, texts and times always encode
	}
	e.line = append(e.line[:0], b...)
	e.write()
}

func (e *encoder) row(r central.Row) error {
	name := central.Schema[r.Table()].Name
	e.line = logbook.AppendRow(e.line[:0], logbook.Row{Table: name, Fields: r.Fields()})
	e.write()
	e.rows[name]++
	if n := e.rows[name]; e.opts.Progress != nil && n%progressRows == 0 {
		e.opts.Progress(name, n)
	}
	return e.err
}

func (e *encoder) close() error {
	if err := e.zip.Close(); e.err == nil {
		e.err = err
	}
	return e.err
}
