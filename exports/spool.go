package exports

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"tirage/central"
)

// Spooled is a table that was written whole, in a temporary file that has no name.
type Spooled struct {
	*os.File
	Size int64
}

// Spool reads a report and writes it into a temporary file: who then takes it slowly keeps no view of the store open, and what fails is said in place of half
// a file. Whoever gets it closes it.
func Spool(ctx context.Context, r central.Reader, report *Report, s Scope, f Format, lang string) (*Spooled, error) {
	file, err := os.CreateTemp("", "tirage-export-*")
	if err != nil {
		return nil, err
	}
	fail := func(err error) (*Spooled, error) { return nil, errors.Join(err, file.Close()) }
	if err := os.Remove(file.Name()); err != nil {
		return fail(err)
	}
	if err := write(ctx, r, file, report, s, f, lang); err != nil {
		return fail(err)
	}
	size, err := file.Seek(0, io.SeekCurrent)
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		return fail(err)
	}
	return &Spooled{file, size}, nil
}

func write(ctx context.Context, r central.Reader, w io.Writer, report *Report, s Scope, f Format, lang string) error {
	snap, err := r.Snapshot(ctx)
	if err != nil {
		return err
	}
	defer snap.Close()
	t, err := report.Read(ctx, snap, s)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	if err := Write(ctx, out, f, lang, t, nil); err != nil {
		return err
	}
	return out.Flush()
}

// FileName names the file of a report: sales-2020-06-01-2020-06-30.csv, statement-12.pdf.
func (r *Report) FileName(s Scope, f Format) string {
	name := r.Name
	if r.Player {
		name += fmt.Sprintf("-%d", s.Player)
	}
	for _, part := range []string{s.From, s.To} {
		if part != "" {
			name += "-" + part
		}
	}
	return name + "." + string(f)
}
