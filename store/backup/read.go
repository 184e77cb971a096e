package backup

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"maps"
	"reflect"
	"slices"

	"tirage/central"
	"tirage/logbook"
)

// ErrBooks says that everything was restored and that the books do not balance: the store must not sell.
var ErrBooks = errors.New("the books do not balance")

// ErrFilled says that the store to restore into is not empty.
var ErrFilled = errors.New("the database is not empty: a backup is restored into an empty one only")

// maxLine bounds a line: the leaf of the largest result that a draw has ever needed stays far below.
const maxLine = 256 << 20

// chunk is how many rows are handed to the store at a time.
const chunk = 2048

// Read restores a file into an empty store, in one transaction, and checks the books there. Nothing is kept of a file that is damaged, cut short, or of
// another format. An error that wraps [ErrBooks] comes with a report: all rows stand in the store, but they do not add up.
func Read(ctx context.Context, r io.Reader, store central.Store, opts Options) (*Report, error) {
	if err := mustBeEmpty(ctx, store); err != nil {
		return nil, err
	}
	d, err := newDecoder(r, opts)
	if err != nil {
		return nil, err
	}
	report, err := d.restore(ctx, store)
	if err != nil {
		return nil, err
	}
	snap, err := store.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	defer snap.Close()
	report.check(ctx, snap)
	if report.Books != "" {
		return report, fmt.Errorf("%w: %s", ErrBooks, report.Books)
	}
	return report, nil
}

func mustBeEmpty(ctx context.Context, store central.Store) error {
	snap, err := store.Snapshot(ctx)
	if err != nil {
		return err
	}
	defer snap.Close()
	for i := range central.Schema {
		err := snap.Scan(ctx, central.Range{From: central.Key{Table: central.TableID(i)}, Limit: 1}, func(central.Row) error { return ErrFilled })
		if err != nil {
			return fmt.Errorf("table %s: %w", central.Schema[i].Name, err)
		}
	}
	return nil
}

// decoder reads the lines of a file.
type decoder struct {
	lines  *bufio.Scanner
	n      int64 // lines read
	digest hash.Hash
	head   header
	rows   map[string]int64
	table  central.TableID // of the last row
	last   central.Key
	opts   Options
}

func newDecoder(r io.Reader, opts Options) (*decoder, error) {
	first := bufio.NewReaderSize(r, 1<<16)
	magic, err := first.Peek(2)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if !bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		found, _ := first.Peek(16) // what there is
		return nil, fmt.Errorf("this is no backup of tirage: it begins with %q; accepted a file that tirage backup wrote", found)
	}
	unzip, err := gzip.NewReader(first)
	if err != nil {
		return nil, damaged(1, err)
	}
	d := &decoder{lines: bufio.NewScanner(unzip), digest: sha256.New(), rows: map[string]int64{}, opts: opts}
	d.lines.Buffer(make([]byte, 1<<16), maxLine)
	d.lines.Split(wholeLines)
	line, err := d.next()
	if err != nil {
		return nil, err
	}
	return d, d.header(line)
}

// damaged says that the file is not as it was written.
func damaged(line int64, err error) error {
	return fmt.Errorf("the backup is damaged at line %d: %w; nothing was restored", line, err)
}

var errShort = errors.New("it ends before its last line, as if it was cut short")

// wholeLines cuts a stream into lines, each with its end.
func wholeLines(data []byte, end bool) (advance int, line []byte, err error) {
	if i := bytes.IndexByte(data, '\n'); i >= 0 {
		return i + 1, data[:i], nil
	}
	if end && len(data) > 0 {
		return 0, nil, errShort
	}
	return 0, nil, nil
}

// next returns the next line. The file never ends before its trailer.
func (d *decoder) next() ([]byte, error) {
	d.n++
	if d.lines.Scan() {
		return d.lines.Bytes(), nil
	}
	err := d.lines.Err()
	if err == nil || errors.Is(err, io.ErrUnexpectedEOF) {
		err = errShort
	}
	return nil, damaged(d.n, err)
}

// hash adds a line to the digest.
func (d *decoder) hash(line []byte) {
	d.digest.Write(line)
	d.digest.Write([]byte{'\n'})
}

func (d *decoder) header(line []byte) error {
	if err := json.Unmarshal(line, &d.head); err != nil || d.head.Format == 0 {
		return fmt.Errorf("this is no backup of tirage: its first line is %.80q", line)
	}
	if d.head.Format != Format {
		return fmt.Errorf("the backup is of format %d, this program reads format %d: use the program that made it, or a newer one", d.head.Format, Format)
	}
	d.hash(line)
	ours := tables()
	for _, name := range slices.Sorted(maps.Keys(d.head.Tables)) {
		if !slices.Equal(ours[name], d.head.Tables[name]) {
			return fmt.Errorf("the backup has a table %s of columns %v, this program knows %v: restore it with the version of the program that made it", name, d.head.Tables[name], ours[name])
		}
	}
	if !reflect.DeepEqual(ours, d.head.Tables) {
		return fmt.Errorf("the backup has %d tables, this program knows %d: restore it with the version of the program that made it", len(d.head.Tables), len(ours))
	}
	return nil
}

// restore puts every row into the store and commits when the digest is right.
func (d *decoder) restore(ctx context.Context, store central.Store) (*Report, error) {
	tx, err := store.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer tx.Rollback()
	var changes central.Changes
	flush := func() error {
		err := tx.Apply(ctx, &changes)
		changes = central.Changes{}
		return err
	}
	for {
		line, err := d.next()
		if err != nil {
			return nil, err
		}
		if len(line) > 0 && line[0] == '{' {
			if err := flush(); err != nil {
				return nil, err
			}
			report, err := d.trailer(line)
			if err != nil {
				return nil, err
			}
			return report, tx.Commit(ctx)
		}
		row, err := d.row(line)
		if err != nil {
			return nil, damaged(d.n, err)
		}
		if central.Schema[row.Table()].Add != "" {
			changes.Add = append(changes.Add, row)
		} else {
			changes.New = append(changes.New, row)
		}
		if len(changes.New)+len(changes.Add) == chunk {
			if err := flush(); err != nil {
				return nil, err
			}
		}
	}
}

// row reads one row. Rows come in the order of the tables and their keys, each once.
func (d *decoder) row(line []byte) (central.Row, error) {
	d.hash(line)
	var row central.Row
	_, err := logbook.ParseRow(line, func(table string) ([]any, error) {
		for ; int(d.table) < len(central.Schema); d.table++ {
			if t := &central.Schema[d.table]; t.Name == table {
				row = t.New()
				return row.Fields(), nil
			}
		}
		return nil, fmt.Errorf("table %.40q does not stand here", table)
	})
	if err != nil {
		return nil, err
	}
	key := central.KeyOf(row)
	if d.rows[central.Schema[d.table].Name] > 0 && !less(d.last, key) {
		return nil, fmt.Errorf("row %v stands after row %v", key, d.last)
	}
	d.last = key
	name := central.Schema[d.table].Name
	d.rows[name]++
	if n := d.rows[name]; d.opts.Progress != nil && n%progressRows == 0 {
		d.opts.Progress(name, n)
	}
	return row, nil
}

// trailer compares the last line with what was read.
func (d *decoder) trailer(line []byte) (*Report, error) {
	var t trailer
	if err := json.Unmarshal(line, &t); err != nil {
		return nil, damaged(d.n, err)
	}
	sum := hex.EncodeToString(d.digest.Sum(nil))
	if t.SHA256 != sum {
		return nil, damaged(d.n, fmt.Errorf("its SHA-256 is %s, %.64q is written in it", sum, t.SHA256))
	}
	if !maps.Equal(t.Rows, d.rows) {
		return nil, damaged(d.n, fmt.Errorf("it has %d rows, %d are counted in it", total(d.rows), total(t.Rows)))
	}
	if d.lines.Scan() || d.lines.Err() != nil {
		return nil, damaged(d.n+1, errors.New("something stands behind its end"))
	}
	return &Report{At: d.head.At, Rows: d.rows, Books: t.Books, SHA256: sum}, nil
}

func total(rows map[string]int64) (sum int64) {
	for _, n := range rows {
		sum += n
	}
	return sum
}
