package sql

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"
	"time"

	"github.com/pressly/goose/v3"
)

//go:embed migrations
var migrations embed.FS

// migrate brings the schema up to date, trying so many times; with no attempt it changes nothing and the schema must be up to date. It refuses a
// database that a newer program has written.
func migrate(ctx context.Context, db *sql.DB, folder string, dialect goose.Dialect, attempts int) error {
	dir, err := fs.Sub(migrations, "migrations/"+folder)
	if err != nil {
		return err
	}
	p, err := goose.NewProvider(dialect, db, dir)
	if err != nil {
		return err
	}
	for attempt := 1; ; attempt++ {
		current, known, err := p.GetVersions(ctx)
		switch {
		case err == nil && current > known:
			return fmt.Errorf("the database is of version %d, this program knows version %d: use a newer program", current, known)
		case err == nil && current == known:
			return nil
		case err != nil:
			err = fmt.Errorf("the database cannot be read: %w", err)
		case attempts == 0:
			return fmt.Errorf("the database is of version %d, this program knows version %d: use the program that sells on it", current, known)
		default:
			if _, err = p.Up(ctx); err == nil {
				return nil
			}
			err = fmt.Errorf("the database could not be brought to version %d: %w", known, err)
		}
		// Another process that starts at the same time may be doing it: each version is one transaction, one of the two fails.
		if attempt >= attempts {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(migratePause):
		}
	}
}

const migratePause = 200 * time.Millisecond
