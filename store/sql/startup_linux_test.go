package sql

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"tirage/central"
)

func TestStartRefusesAPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tirage.db")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenSQLite(t.Context(), path); err == nil || !strings.Contains(err.Error(), "it is no file") {
		t.Errorf("opened with %v", err)
	}
}

// A file on a disk that is read-only is refused at the start, and opens again when the disk can be written.
func TestStartReadOnly(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("skipped: only root mounts a disk")
	}
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=16m"); err != nil {
		t.Skipf("skipped: no disk can be mounted here: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	path := filepath.Join(dir, "tirage.db")
	open := func() error {
		s, err := OpenSQLite(context.Background(), path)
		if err == nil {
			fillOnce(t, s)
			err = s.Close()
		}
		return err
	}
	if err := open(); err != nil {
		t.Fatal(err)
	}
	remount := func(flags uintptr) {
		t.Helper()
		if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT|flags, "size=16m"); err != nil {
			t.Fatal(err)
		}
	}
	remount(syscall.MS_RDONLY)
	err := open()
	if err == nil || !strings.Contains(err.Error(), "cannot be") || !strings.Contains(err.Error(), "read-only") && !strings.Contains(err.Error(), "may this user") {
		t.Errorf("opened read-only: %v", err)
	}
	t.Log(err)
	remount(0)
	if err := open(); err != nil {
		t.Errorf("after the disk can be written: %v", err)
	}
}

func fillOnce(t *testing.T, s *Store) {
	t.Helper()
	snap, err := s.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	row, err := snap.Get(t.Context(), central.Key{Table: central.Writers})
	snap.Close()
	if err != nil {
		t.Fatal(err)
	}
	if row == nil {
		fill(t, s)
	}
}
