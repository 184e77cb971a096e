package backup_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"tirage/central"
	"tirage/internal/pgtest"
	"tirage/rules/combin"
	"tirage/rules/prize"
	"tirage/store/backup"
	"tirage/store/mem"
	"tirage/store/sql"
	"tirage/store/storetest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

var at = time.Date(2018, 11, 4, 2, 0, 0, 0, time.UTC)

// played fills a store with a settled draw and one on sale: every table has rows.
func played(t *testing.T, store central.Store) *storetest.World {
	w := storetest.NewWorld(t, store, func(c *central.Config) { c.CodeBlock = 100 })
	close := time.Date(2018, 11, 3, 19, 15, 0, 0, time.UTC)
	w.Clock.Set(close.AddDate(0, 0, -1))
	rich, poor := w.Player("Zoé \"la chance\" <b>", 1000), w.Player("player two", 10)
	for _, day := range []string{"2018-11-03", "2018-11-05"} {
		draw := w.Open(central.OpenDraw{
			Game: "loto", Day: day, OpensAt: close.AddDate(0, 0, -3), ClosesAt: close,
			Packs: []central.PackOffer{{Type: "small", Multiples: []string{"6x1*1"}, Simples: 4, Shares: 2, MaxPacks: 3}},
		})
		buy := func(player int64, c central.Command) { w.Do(fmt.Sprintf("player/%d", player), c) }
		buy(rich, central.BuyShares{Player: rich, Draw: draw, Type: "small", Shares: 1})
		buy(poor, central.BuyPlay{Player: poor, Draw: draw, Lines: []central.Line{{Quick: combin.Format{Main: 5, Extra: 1}}}})
		var lines []central.Line
		for i := range 10 {
			grid, err := combin.Of([]int{1, 2, 3, 4, 5}, []int{i + 1})
			if err != nil {
				t.Fatal(err)
			}
			lines = append(lines, central.Line{Grid: grid})
		}
		buy(rich, central.BuyPlay{Player: rich, Draw: draw, Lines: lines})
	}
	w.Clock.Set(close)
	w.Evening("loto-2018-11-03", prize.Terms{Cycle: prize.Cycle{Jackpot: 200_000_000}},
		central.Result{Main: []int{7, 9, 11, 13, 15}, Extra: []int{5}}, central.Outside{})
	return w
}

func sqlite(t *testing.T) *sql.Store {
	t.Helper()
	s, err := sql.OpenSQLite(t.Context(), filepath.Join(t.TempDir(), "tirage.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func postgres(t *testing.T) central.Store {
	t.Helper()
	s, err := sql.OpenPostgres(t.Context(), pgtest.DSN(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func write(t *testing.T, store central.Reader) ([]byte, *backup.Report) {
	t.Helper()
	var file bytes.Buffer
	report, err := backup.Write(t.Context(), &file, store, at, backup.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if report.Books != "" {
		t.Fatal(report.Books)
	}
	return file.Bytes(), report
}

// What was saved from one engine and restored into the next is the same to the last byte, whatever the order of the engines.
func TestRoundTrip(t *testing.T) {
	store := &mem.Store{}
	played(t, store)
	file, report := write(t, store)
	next := file
	for _, engine := range []struct {
		name string
		open func(*testing.T) central.Store
	}{
		{"sqlite", func(t *testing.T) central.Store { return sqlite(t) }},
		{"postgres", postgres},
		{"mem", func(*testing.T) central.Store { return &mem.Store{} }},
		{"sqlite again", func(t *testing.T) central.Store { return sqlite(t) }},
	} {
		t.Run(engine.name, func(t *testing.T) {
			target := engine.open(t)
			read, err := backup.Read(t.Context(), bytes.NewReader(next), target, backup.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(report, read); diff != "" {
				t.Errorf("report (-saved +restored):\n%s", diff)
			}
			if next, _ = write(t, target); !bytes.Equal(next, file) {
				t.Error("a backup of what was restored is another file")
			}
		})
	}
	t.Logf("%v rows, %d bytes", report.Rows, len(file))
}

// Every table is carried with every column, whatever stands in it; books that such rows make do not balance on either side.
func TestEveryTableIsCarried(t *testing.T) {
	store := &mem.Store{}
	tx, err := store.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var changes central.Changes
	for i := range central.Schema {
		for n := range int64(3) {
			row := central.Schema[i].New()
			for j, f := range row.Fields() {
				switch f := f.(type) {
				case *int64:
					*f = n<<40 + int64(j)
				case *string:
					*f = fmt.Sprintf("é%d\n%d", n, j)
				case *[]byte:
					*f = bytes.Repeat([]byte{byte(n), 0xff}, j)
				}
			}
			changes.New = append(changes.New, row)
		}
	}
	if err := errors.Join(tx.Apply(t.Context(), &changes), tx.Commit(t.Context())); err != nil {
		t.Fatal(err)
	}
	var file, again bytes.Buffer
	report, err := backup.Write(t.Context(), &file, store, at, backup.Options{})
	if err != nil || report.Books == "" {
		t.Fatalf("%+v, %v", report, err)
	}
	target := &mem.Store{}
	if _, err := backup.Read(t.Context(), bytes.NewReader(file.Bytes()), target, backup.Options{}); !errors.Is(err, backup.ErrBooks) {
		t.Fatal(err)
	}
	if _, err := backup.Write(t.Context(), &again, target, at, backup.Options{}); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(unzip(t, file.Bytes()), unzip(t, again.Bytes())) {
		t.Error("what was restored is not what was saved")
	}
}

// What was restored sells on: keys, log, code pointers and balances are where they were.
func TestRestoredStoreGoesOn(t *testing.T) {
	from := &mem.Store{}
	old := played(t, from)
	file, report := write(t, from)
	target := sqlite(t)
	if _, err := backup.Read(t.Context(), bytes.NewReader(file), target, backup.Options{}); err != nil {
		t.Fatal(err)
	}
	w := storetest.NewWorld(t, target)
	w.Clock.Set(old.Clock.Now())
	first := central.Request{Principal: "system", Key: "k000001", Command: central.CreatePlayer{Name: "Zoé \"la chance\" <b>"}}
	r, err := w.Register.Do(t.Context(), first)
	if err != nil || !r.Replayed || r.Index != 0 {
		t.Errorf("a request of before the backup: %+v, %v; want its first receipt", r, err)
	}
	r, err = w.Register.Do(t.Context(), central.Request{Principal: "system", Key: "after", Command: central.Deposit{Player: 1, Cents: 500}})
	if err != nil || r.Index != report.Logs[0].Size {
		t.Errorf("the next command: %+v, %v; want leaf %d", r, err, report.Logs[0].Size)
	}
	w.CheckBooks()
}

func TestReadRefuses(t *testing.T) {
	store := &mem.Store{}
	played(t, store)
	file, _ := write(t, store)
	plain := unzip(t, file)
	edit := func(old, new string) []byte {
		if !bytes.Contains(plain, []byte(old)) {
			t.Fatalf("the file does not hold %q", old)
		}
		return zip(t, bytes.Replace(plain, []byte(old), []byte(new), 1))
	}
	lines := bytes.SplitAfter(plain, []byte("\n"))
	for _, c := range []struct {
		name string
		file []byte
		want string
	}{
		{"empty", nil, `no backup of tirage: it begins with ""`},
		{"a database", []byte("SQLite format 3\x00 and so on"), "no backup of tirage: it begins with \"SQLite format 3"},
		{"gzip of something else", zip(t, []byte("hello\n")), `its first line is "hello"`},
		{"JSON of something else", zip(t, []byte("{\"a\":1}\n")), "its first line is"},
		{"gzip cut in its header", file[:5], "damaged at line 1"},
		{"newer format", edit(`"tirage_backup":1`, `"tirage_backup":2`), "of format 2, this program reads format 1"},
		{"another column", edit(`"balance","version"`, `"balance","limit"`), "a table players of columns [id balance limit"},
		{"a table missing", edit(`"profiles":["id","name","created"],`, ``),
			fmt.Sprintf("%d tables, this program knows %d", len(central.Schema)-1, len(central.Schema))},
		{"cut at a line", zip(t, bytes.Join(lines[:len(lines)-2], nil)), "cut short"},
		{"cut anywhere", file[:len(file)/2], "cut short"},
		{"an amount changed", edit(`["players",1,`, `["players",1,1`), "its SHA-256 is"},
		{"a row left out", zip(t, bytes.Join(append(append([][]byte{}, lines[:2]...), lines[3:]...), nil)), "its SHA-256 is"},
		{"rows out of order", zip(t, bytes.Join(append([][]byte{lines[0], lines[3], lines[2]}, lines[4:]...), nil)), "damaged at line 3"},
		{"a table out of order", zip(t, bytes.Join([][]byte{lines[0], lines[2], lines[1]}, nil)), "does not stand here"},
		{"a row of no table", edit(`["players",`, `["gamblers",`), "does not stand here"},
		{"a row that does not parse", edit(`["players",1,`, `["players",01,`), "damaged at line"},
		{"text behind the end", zip(t, append(bytes.Clone(plain), "more\n"...)), "behind its end"},
		{"bytes behind the end", append(bytes.Clone(file), "more"...), "behind its end"},
	} {
		t.Run(c.name, func(t *testing.T) {
			target := &mem.Store{}
			_, err := backup.Read(t.Context(), bytes.NewReader(c.file), target, backup.Options{})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
			mustBeEmpty(t, target)
		})
	}
}

func unzip(t *testing.T, file []byte) []byte {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func zip(t *testing.T, text []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func mustBeEmpty(t *testing.T, store central.Store) {
	t.Helper()
	snap, err := store.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	for i := range central.Schema {
		err := snap.Scan(t.Context(), central.Range{From: central.Key{Table: central.TableID(i)}}, func(r central.Row) error {
			return fmt.Errorf("row %v was kept", central.KeyOf(r))
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// Any bit that flips on the way is found, and nothing of the file is kept.
func TestEveryFlippedBitIsFound(t *testing.T) {
	store := &mem.Store{}
	played(t, store)
	file, _ := write(t, store)
	rng := rand.New(rand.NewPCG(3, 3))
	flips, harmless := 300, 0
	for range flips {
		bad := bytes.Clone(file)
		at, bit := rng.IntN(len(bad)), rng.IntN(8)
		bad[at] ^= 1 << bit
		target := &mem.Store{}
		_, err := backup.Read(t.Context(), bytes.NewReader(bad), target, backup.Options{})
		if err != nil {
			mustBeEmpty(t, target)
			continue
		}
		// The time, the system and other remarks in the gzip header, and the bits that fill a byte up between its blocks, say nothing about the content.
		if again, _ := write(t, target); !bytes.Equal(again, file) {
			t.Errorf("bit %d of byte %d of %d flipped: not found", bit, at, len(file))
		}
		harmless++
	}
	if harmless > 3 {
		t.Errorf("%d of %d flipped bits changed nothing, accepted 3", harmless, flips)
	}
	t.Logf("seed 3: %d bits flipped in %d bytes, all found but %d that hold no content", flips, len(file), harmless)
}

func TestRestoreIntoAFilledStore(t *testing.T) {
	store := &mem.Store{}
	w := played(t, store)
	file, _ := write(t, store)
	if _, err := backup.Read(t.Context(), bytes.NewReader(file), store, backup.Options{}); !errors.Is(err, backup.ErrFilled) {
		t.Errorf("got %v, want %v", err, backup.ErrFilled)
	}
	w.CheckBooks()
}

// Books that do not balance are saved as they are: the report of both sides says so.
func TestBrokenBooksAreSaid(t *testing.T) {
	store := &mem.Store{}
	played(t, store)
	tx, err := store.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := tx.Apply(t.Context(), &central.Changes{Put: []central.Row{&central.Player{ID: 1, Balance: 5}}}); err != nil {
		t.Fatal(err)
	}
	if err := tx.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	report, err := backup.Write(t.Context(), &file, store, at, backup.Options{})
	if err != nil || !strings.Contains(report.Books, "players") {
		t.Fatalf("report %+v, %v", report, err)
	}
	read, err := backup.Read(t.Context(), &file, &mem.Store{}, backup.Options{})
	if !errors.Is(err, backup.ErrBooks) || read == nil || read.Books != report.Books {
		t.Errorf("restored: %+v, %v; want the books of the source: %s", read, err, report.Books)
	}
}

// A backup is one view, whatever is sold meanwhile.
func TestBackupWhileSelling(t *testing.T) {
	store := sqlite(t)
	w := storetest.NewWorld(t, store)
	player := w.Player("busy", 100_000)
	close := time.Date(2020, 6, 22, 18, 15, 0, 0, time.UTC)
	draw := w.Open(central.OpenDraw{Game: "loto", Day: "2020-06-22", OpensAt: close.AddDate(0, 0, -3), ClosesAt: close})
	ctx, stop := context.WithCancel(t.Context())
	var sellers sync.WaitGroup
	for i := range 8 {
		sellers.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				_, err := w.Register.Do(t.Context(), central.Request{
					Principal: central.PlayerPrincipal(player), Key: fmt.Sprintf("%d/%d", i, n),
					Command: central.BuyPlay{Player: player, Draw: draw, Lines: []central.Line{{Quick: combin.Format{Main: 5, Extra: 1}}}},
				})
				if err != nil {
					t.Errorf("sale: %v", err)
					return
				}
			}
		})
	}
	var last int64
	for i := range 4 {
		time.Sleep(20 * time.Millisecond)
		file, report := write(t, store)
		read, err := backup.Read(t.Context(), bytes.NewReader(file), &mem.Store{}, backup.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(report, read); diff != "" {
			t.Errorf("backup %d (-saved +restored):\n%s", i, diff)
		}
		if n := report.Rows["leaves"]; n <= last {
			t.Errorf("backup %d has %d leaves, the one before %d: nothing was sold meanwhile", i, n, last)
		} else {
			last = n
		}
	}
	stop()
	sellers.Wait()
	w.CheckBooks()
	t.Logf("4 backups while 8 clients bought, the last of %d leaves", last)
}
