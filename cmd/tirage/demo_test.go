package main

import (
	"context"
	"io"
	"net"
	"os"
	"strings"
	"testing"
)

// A demo listens on this machine alone, and at the next port where the one asked for is taken.
func TestDemoListens(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	next, err := listenNear(taken.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer next.Close()
	if next.Addr().String() == taken.Addr().String() || !strings.HasPrefix(next.Addr().String(), "127.0.0.1:") {
		t.Errorf("listens at %v, %v is taken", next.Addr(), taken.Addr())
	}
	for address, want := range map[string]string{
		":8080": "this machine alone", "0.0.0.0:8080": "this machine alone", "192.0.2.1:8080": "this machine alone", "example.org:80": "this machine alone",
		"127.0.0.1": "missing port", "127.0.0.1:http": "accepted: 0 to 65535",
	} {
		if l, err := listenNear(address); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, %v; want %s", address, l, err, want)
		}
	}
}

// The operator of a demo is made once; what a start left that was cut short is made anew.
func TestDemoIsMadeOnce(t *testing.T) {
	var out, errs strings.Builder
	p := &program{out: &out, err: &errs}
	c := &demoCmd{Data: t.TempDir()}
	if err := os.MkdirAll(c.Data+"/"+demoSeeding+"/half", 0o700); err != nil {
		t.Fatal(err)
	}
	dir, err := c.seeded(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(dir + "/" + demoDB)
	if err != nil {
		t.Fatal(err)
	}
	if got := names(t, c.Data); len(got) != 1 || got[0] != demoOperator {
		t.Errorf("left: %v", got)
	}
	again, err := c.seeded(t.Context(), p)
	if after, _ := os.ReadFile(dir + "/" + demoDB); err != nil || again != dir || string(after) != string(before) {
		t.Errorf("%s, %v; the database changed: %v", again, err, string(after) != string(before))
	}

	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	p.out = then{&out, cancel} // it starts, says what there is, and stops
	listener, err := listenNear("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if err := c.serve(ctx, p, dir, listener); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"open http://127.0.0.1:", "player1@demo.example", "pile of donuts", "officer", "auditor", "finance", "care", "admin", "operator2", "--data " + c.Data} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("not printed: %s", want)
		}
	}
	if errs.Len() > 0 {
		t.Error(errs.String())
	}
}

// then writes, and does something.
type then struct {
	w  io.Writer
	do func()
}

func (t then) Write(b []byte) (int, error) {
	defer t.do()
	return t.w.Write(b)
}
