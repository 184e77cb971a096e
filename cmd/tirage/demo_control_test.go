package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tirage/server"
)

// The demo builds its control where it can, says what is missing where it cannot, and takes one that is there.
func TestDemoFindsOrBuildsItsControl(t *testing.T) {
	data := t.TempDir()
	t.Chdir(t.TempDir())
	tools := t.TempDir()
	t.Setenv("PATH", tools)
	fake := func(name, script string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(tools, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	refused := func(want string) {
		t.Helper()
		c := newDemoControl(data)
		if err := c.build(t.Context()); err == nil || !strings.Contains(err.Error(), want) || c.is() != server.ControlMissing {
			t.Errorf("%v, %s; want %s", err, c.is(), want)
		}
		if got := names(t, data); len(got) > 0 && got[0] == "control" {
			t.Error("half a control is there")
		}
	}
	refused("apt install g++")
	fake("g++", "exit 0")
	refused("folder control")
	if err := os.MkdirAll("control", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join("control", "go.mod"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	fake("go", "echo broken; exit 1")
	refused("broken")
	fake("go", `echo built > "$3"`)
	c := newDemoControl(data)
	if err := c.build(t.Context()); err != nil || c.is() != server.ControlReady {
		t.Fatalf("%v, %s", err, c.is())
	}
	if again := newDemoControl(data); again.is() != server.ControlReady || again.program != filepath.Join(data, "control") {
		t.Errorf("the next start finds %s, %s", again.program, again.is())
	}
}
