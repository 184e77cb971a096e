package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"

	"tirage/server"
)

// demoControl is the independent control of a demo. It is a program in C++ and Go that takes a minute to build, which nobody waits for: the demo serves while it
// is built, and a draw that is sealed meanwhile waits for it.
type demoControl struct {
	source  string // folder of its module
	program string // where it is built
	state   atomic.Value
}

// newDemoControl finds the control: built by make, built by an earlier start, or to be built of the folder control of the clone that the demo is started in.
func newDemoControl(data string) *demoControl {
	c := &demoControl{source: "control", program: filepath.Join(data, "control")}
	c.state.Store(server.ControlMissing)
	for _, built := range []string{filepath.Join("bin", "control"), c.program} {
		if info, err := os.Stat(built); err == nil && info.Mode().IsRegular() {
			c.program = built
			c.state.Store(server.ControlReady)
			break
		}
	}
	return c
}

func (c *demoControl) is() server.ControlState { return c.state.Load().(server.ControlState) }

// build builds the control where there is a compiler and its source. Nothing is there under its name before it is whole.
func (c *demoControl) build(ctx context.Context) error {
	if c.is() == server.ControlReady {
		return nil
	}
	if _, err := exec.LookPath("g++"); err != nil {
		return errors.New("g++ is not installed: install it (on Debian: apt install g++) and start the demo again; until then draws are held after their seal")
	}
	if _, err := os.Stat(filepath.Join(c.source, "go.mod")); errors.Is(err, fs.ErrNotExist) {
		return errors.New("start the demo in a clone, which has the folder control, or name a program that was built of it: until then draws are held after their seal")
	}
	c.state.Store(server.ControlBuilding)
	program, err := filepath.Abs(c.program)
	if err != nil {
		return err
	}
	half := program + ".building"
	cmd := exec.CommandContext(ctx, "go", "build", "-o", half, ".")
	cmd.Dir, cmd.Env = c.source, append(os.Environ(), "CGO_ENABLED=1", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	if err == nil {
		err = os.Rename(half, program)
	} else if text := string(out); text != "" {
		err = fmt.Errorf("%w: %.500s", err, text)
	}
	if err != nil {
		c.state.Store(server.ControlMissing)
		return fmt.Errorf("the independent control could not be built: %w", err)
	}
	c.state.Store(server.ControlReady)
	return nil
}
