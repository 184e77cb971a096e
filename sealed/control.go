package sealed

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"tirage/central"
)

// Control is the independent control system as the operator reaches it: a program of another module that reads the sealed file and answers with a paper
// signed by the control. It is a [central.Control].
type Control struct {
	Archive  *Archive
	Program  string // the built program of the folder control
	Key      string // file of the control's key
	Operator string // public key of the operator, whose papers the control accepts
}

var _ central.Control = (*Control)(nil)

// CountSales has the sealed plays counted.
func (c *Control) CountSales(ctx context.Context, draw string) (signed string, err error) {
	return c.run(ctx, draw, "sales")
}

// CountResult has the drawn result worked out.
func (c *Control) CountResult(ctx context.Context, draw string) (signed string, err error) {
	return c.run(ctx, draw, "result")
}

// differs is the exit status of a control that found something: it answers all the same.
const differs = 1

func (c *Control) run(ctx context.Context, draw, of string) (string, error) {
	var out, errs bytes.Buffer
	cmd := exec.CommandContext(ctx, c.Program, "check", "--of", of, "--operator", c.Operator, "--sign", c.Key, c.Archive.Path(draw, central.DocManifest))
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var status *exec.ExitError
	if errors.As(err, &status) && status.ExitCode() == differs {
		err = nil
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w: %.500s", c.Program, err, strings.TrimSpace(errs.String()))
	}
	return out.String(), nil
}
