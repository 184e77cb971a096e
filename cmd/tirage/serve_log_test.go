package main

import (
	"go/scanner"
	"go/token"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"tirage/central"
	"tirage/internal/covers"
	"tirage/server"
	"tirage/store/sql"
)

// Every flag of serve, set to something else than its default. DB, Listen and Admin are set by the test itself.
var serveFlags = map[string]string{
	"Keys": "--keys=KEYS", "Public": "--public=https://play.example.org", "Node": "--node=3", "BanList": "--ban-list=none.txt", "Provider": "--provider=https://pay.example.org",
	"ProviderKey": "--provider-key=FILE", "Control": "--control=none", "Sealed": "--sealed=SEALED", "Beacon": "--beacon=https://beacon.example.org", "Mail": "--mail=MAIL",
	"Games": "--games=loto", "Pack": "--pack=euromillions 600 6x2*10 200 50", "Rate": "--rate=0", "Verbose": "--verbose", "DB": "", "Listen": "", "Admin": "",
}

// No flag of serve switches the log off: whatever is set, each accepted command is a leaf, and the books find every leaf where it belongs.
func TestNoFlagSwitchesTheLogOff(t *testing.T) {
	cmd := reflect.TypeFor[serveCmd]()
	all := []string{}
	for i := range cmd.NumField() {
		name := cmd.Field(i).Name
		arg, known := serveFlags[name]
		if !known {
			t.Fatalf("flag %s is new: say here what it is set to", name)
		}
		if arg == "" {
			continue
		}
		if name != "Provider" { // which needs its key
			t.Run(name, func(t *testing.T) { servesWithLog(t, arg) })
		}
		all = append(all, arg)
	}
	t.Run("none", func(t *testing.T) { servesWithLog(t) })
	t.Run("all", func(t *testing.T) { servesWithLog(t, all...) })
}

// servesWithLog builds the server of these flags, does two commands and looks for their leaves.
func servesWithLog(t *testing.T, args ...string) {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"FILE", "none.txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(strings.Repeat("ab", 32)+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for i, a := range args {
		for _, name := range []string{"KEYS", "FILE", "SEALED", "MAIL"} {
			a = strings.Replace(a, "="+name, "="+filepath.Join(dir, name), 1)
		}
		args[i] = a
	}
	var grammar cli
	parser, err := kong.New(&grammar)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.Parse(append([]string{"serve", "--db", filepath.Join(dir, "tirage.db")}, args...)); err != nil {
		t.Fatal(err)
	}
	c := &grammar.Serve
	var out strings.Builder
	cfg, err := c.config(&program{out: &out, err: &out})
	if err != nil {
		t.Fatal(err)
	}
	store, err := sql.Open(t.Context(), c.DB)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	cfg.Store = store
	if cfg.Listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	defer cfg.Listener.Close()
	s, err := server.New(*cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Register.Close()
	for _, name := range []string{"one", "two"} {
		add := central.AddStaff{Name: name, Role: "auditor", Password: "$argon2id$test"}
		r, err := s.Register.Do(t.Context(), central.Request{Principal: central.SystemPrincipal, Key: name, Command: add})
		if err != nil {
			t.Fatal(err)
		}
		snap, err := store.Snapshot(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		row, err := snap.Get(t.Context(), central.Key{Table: central.Leaves, N: r.Node, M: r.Index})
		snap.Close()
		if leaf, _ := row.(*central.LeafRow); err != nil || leaf == nil || len(leaf.Body) == 0 || len(leaf.Salt) == 0 {
			t.Fatalf("leaf %d of node %d is %+v, %v", r.Index, r.Node, row, err)
		}
	}
	if err := central.CheckBooks(t.Context(), store); err != nil {
		t.Error(err)
	}
}

// What switches the log off is named where it is and where it is measured, nowhere else.
func TestNullLogIsOfTheBenchAlone(t *testing.T) {
	root := covers.Root(t)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if folder, _, _ := strings.Cut(filepath.ToSlash(rel), "/"); folder == "bench" || folder == "central" {
			return nil
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files := token.NewFileSet()
		var s scanner.Scanner
		s.Init(files.AddFile(path, -1, len(src)), src, nil, 0)
		for {
			_, tok, text := s.Scan()
			if tok == token.EOF {
				return nil
			}
			if tok == token.IDENT && text == "NullLog" && !strings.HasPrefix(filepath.ToSlash(rel), "cmd/tirage/bench") {
				t.Errorf("%s names NullLog", rel)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}
