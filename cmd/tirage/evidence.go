package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"

	"tirage/central"
	"tirage/evidence"
	"tirage/vault"
)

// evidenceCmd is `tirage evidence`.
type evidenceCmd struct {
	Make   evidenceMakeCmd   `cmd:"" default:"withargs" help:"Write the archive of a published draw."`
	Verify evidenceVerifyCmd `cmd:"" help:"Verify an archive: no database and no server is asked."`
}

// evidenceMakeCmd is `tirage evidence DRAW`.
type evidenceMakeCmd struct {
	drawsDB
	Keys   string `placeholder:"DIR" help:"Folder of the keys (default: DB.keys beside an SQLite file)."`
	Sealed string `required:"" placeholder:"DIR" help:"Folder of the sealed files."`
	Out    string `short:"o" placeholder:"FILE" help:"Where to write it (default: DRAW.evidence.zip)."`
	Draw   string `arg:"" help:"Draw: loto-2018-10-29."`
}

// Run writes the archive, and nothing when it cannot be whole.
func (c *evidenceMakeCmd) Run(p *program) (err error) {
	dir := c.Keys
	if dir == "" {
		dir = c.DB + ".keys"
	}
	if _, err := os.Stat(dir); err != nil {
		return fmt.Errorf("keys: %w; accepted: --keys with the folder of the keys of this database", err)
	}
	keys, err := vault.Open(dir, vault.SystemEntropy{})
	if err != nil {
		return err
	}
	out := c.Out
	if out == "" {
		out = c.Draw + ".evidence.zip"
	}
	f, err := os.OpenFile(out, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		if err = errors.Join(err, f.Close()); err != nil {
			err = errors.Join(err, os.Remove(out))
		}
	}()
	err = c.look(func(ctx context.Context, snap central.Snapshot) error {
		return evidence.Write(ctx, f, evidence.Pack{Snapshot: snap, Draw: c.Draw, Sealed: c.Sealed, Signer: keys.Operator, Program: ownDigest()})
	})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(p.out, "%s\noperator %s\ncontrol %s\n", out, keys.Public(central.RoleOperator), keys.Public(central.RoleControl))
	return err
}

// ownDigest is the SHA-256 of this program, "" where the system does not give it.
func ownDigest() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return ""
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// evidenceVerifyCmd is `tirage evidence verify`.
type evidenceVerifyCmd struct {
	File     string `arg:"" help:"The archive."`
	Operator string `required:"" placeholder:"KEY" help:"Public key of the operator, known from elsewhere than the archive."`
	Control  string `required:"" placeholder:"KEY" help:"Public key of the control."`
	JSON     bool   `name:"json" help:"Print the index as JSON."`
}

// Run verifies; an archive that is not what it says is a contradiction.
func (c *evidenceVerifyCmd) Run(p *program) error {
	f, err := os.Open(c.File)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	index, err := evidence.Verify(f, info.Size(), evidence.Keys{Operator: c.Operator, Control: c.Control})
	if err != nil {
		return contradicted("%s: %w", c.File, err)
	}
	if c.JSON {
		return p.printJSON(index)
	}
	_, err = fmt.Fprintf(p.out, "%s, result %d, rules %s: %d files, signatures, sealed plays, two counts and notice agree\n", index.Draw, index.Version, index.Rules, len(index.Files))
	return err
}
