//go:build linux

package soak_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"tirage/central"
	"tirage/store/sql"
)

// disk mounts a disk of its own, so that it can be filled.
func disk(t *testing.T, size string) (dir string) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("skipped: only root mounts a disk")
	}
	dir = t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size="+size); err != nil {
		t.Skipf("skipped: no disk can be mounted here: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	return dir
}

func open(t *testing.T, path string) *sql.Store {
	t.Helper()
	s, err := sql.OpenSQLite(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// says waits until the operator reads why sales are refused, in one of these words.
func (c *crowd) says(words ...string) {
	c.Helper()
	start := time.Now()
	for !slices.ContainsFunc(words, func(w string) bool { return strings.Contains(strings.Join(c.causes(), "\n"), w) }) {
		if c.Failed() || time.Since(start) > backLimit {
			c.Fatalf("the operator reads %q, want %q", c.causes(), words)
		}
		time.Sleep(time.Millisecond)
	}
	c.Logf("the operator reads %q", c.causes())
}

// The disk is full: sales are refused, what was accepted can be read, and sales go on when there is room again.
func TestFullDisk(t *testing.T) {
	dir := disk(t, "24m")
	ballast := filepath.Join(dir, "ballast")
	if err := os.WriteFile(ballast, make([]byte, 16<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	c := newCrowd(t, open(t, filepath.Join(dir, "tirage.db")), seedOf(t))
	c.refuses()
	c.says("full")
	if err := central.CheckBooks(t.Context(), c.w.store); err != nil {
		t.Errorf("while the disk is full: %v", err)
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	back := c.goesOn()
	c.end()
	t.Logf("sold again %v after there was room: %v", back, c.told())
}

// The files become read-only while they are open.
func TestFilesBecomeReadOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tirage.db")
	c := newCrowd(t, open(t, path), seedOf(t))
	immutable := func(flag string) error { return exec.Command("chattr", flag, path, path+"-wal").Run() }
	if err := immutable("+i"); err != nil {
		t.Skipf("skipped: files cannot be made immutable here: %v", err)
	}
	defer immutable("-i")
	c.refuses()
	c.says("readonly database", "disk I/O error")
	if err := immutable("-i"); err != nil {
		t.Fatal(err)
	}
	back := c.goesOn()
	c.end()
	t.Logf("sold again %v after the files can be written: %v", back, c.told())
}

// The file of the database is taken away: nothing is sold into a file that nobody will find again. It is put back, and sales go on.
func TestLostFile(t *testing.T) {
	dir := t.TempDir()
	path, away := filepath.Join(dir, "tirage.db"), filepath.Join(dir, "away.db")
	c := newCrowd(t, open(t, path), seedOf(t))
	move := func(from, to string) {
		t.Helper()
		if err := os.Rename(from, to); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{path, path + "-wal"} {
		move(name, away)
		c.refuses()
		c.says("a file of the database is gone")
		move(away, name)
		c.goesOn()
	}
	// Another file in its place is not taken for it, however much it looks like one.
	move(path, away)
	other, err := sql.OpenSQLite(t.Context(), filepath.Join(dir, "other.db"))
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	move(filepath.Join(dir, "other.db"), path)
	c.refuses()
	c.says("was replaced by another file")
	move(away, path)
	c.goesOn()
	c.end()
	t.Log(c.told())
}

// A store that has lost what was acknowledged is not written to: an older copy in its place would sell the same codes again.
func TestLostLeavesAreNoticed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tirage.db")
	store := open(t, path)
	c := newCrowd(t, store, seedOf(t))
	c.stop.Store(true)
	c.clients.Wait()
	snap, err := store.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	w, err := row[*central.Writer](t.Context(), snap, central.Key{Table: central.Writers})
	snap.Close()
	if err != nil {
		t.Fatal(err)
	}
	older := *w
	older.Size, older.Edge = 0, nil
	put := func(w *central.Writer) {
		t.Helper()
		tx, err := store.Begin(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(tx.Apply(t.Context(), &central.Changes{Put: []central.Row{w}}), tx.Commit(t.Context())); err != nil {
			t.Fatal(err)
		}
	}
	put(&older)
	for range 3 {
		_, err := c.w.do(t.Context(), "after", central.Deposit{Player: c.shop.Players[0], Cents: 100})
		if central.CodeOf(err) != central.Unavailable {
			t.Fatalf("accepted on a store that has lost its log: %v", err)
		}
		t.Log(cause(err))
	}
	put(w)
	if _, err := c.w.do(t.Context(), "after", central.Deposit{Player: c.shop.Players[0], Cents: 100}); err != nil {
		t.Errorf("when the log is whole again: %v", err)
	}
	c.end()
}
