//go:build linux

package soak_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	netmail "net/mail"
	"os"
	"path/filepath"
	"strings"

	"tirage/central"
	"tirage/logbook"
	"tirage/mail"
)

const (
	addressed    = 20 // players with an address, who are mailed
	lettersShort = 300
	lettersLong  = 3_000
)

// teller has a process tell what it commits: history, inboxes, letters in a folder.
type teller struct {
	*central.Outbox
	failed chan error
}

func newTeller(w *world, letters string) (*teller, error) {
	folder, err := mail.NewFolder(letters, netmail.Address{Name: "Tirage", Address: "no-reply@tirage.example"})
	if err != nil {
		return nil, err
	}
	t := &teller{failed: make(chan error, 1)}
	t.Outbox = central.NewOutbox(func(name string, err error) {
		select {
		case t.failed <- fmt.Errorf("%s: %w", name, err):
		default:
		}
	}, central.NewHistorian(w.store), central.NewInbox(w.store), central.NewMail(w.store, folder, w.clock, 0))
	return t, nil
}

// finish tells what is left, and returns the first failure there was.
func (t *teller) finish(ctx context.Context) error {
	for _, f := range t.Followers {
		if err := f.CatchUp(ctx); err != nil {
			return err
		}
	}
	select {
	case err := <-t.failed:
		return err
	default:
		return nil
	}
}

// winner registers a person with an address.
func (w *world) winner(ctx context.Context, i int) (int64, error) {
	r, err := w.register.Do(ctx, central.Request{Principal: "visitor", Key: fmt.Sprintf("register/%d", i), Command: central.RegisterPlayer{
		Given: "Player", Family: "Winner", Birth: "1980-02-29", Email: fmt.Sprintf("winner%d@example.org", i), Password: "$argon2id$test",
	}})
	if err != nil {
		return 0, err
	}
	var created central.PlayerCreated
	if err := json.Unmarshal(r.Result, &created); err != nil {
		return 0, err
	}
	return created.Player, w.admit(ctx, created.Player)
}

// admit takes an account to where it may stake.
func (w *world) admit(ctx context.Context, id int64) error {
	snap, err := w.store.Snapshot(ctx)
	if err != nil {
		return err
	}
	person, err := row[*central.Person](ctx, snap, central.Key{Table: central.Persons, N: id})
	snap.Close()
	if err != nil {
		return err
	}
	clear, err := central.SignPaper(central.Clearance{Person: person.Digest(), List: "list", At: w.clock.Now().UnixMicro()}, w.keys.BanList)
	if err != nil {
		return err
	}
	for i, s := range []struct {
		principal string
		command   central.Command
	}{
		{"system", central.VerifyIdentity{Player: id, Evidence: "passport"}},
		{"system", central.ConfirmIdentity{Player: id, Clearance: clear}},
		{"system", central.SetLimit{Player: id, Of: central.LimitStakes, Cents: central.LimitMax}},
		{"system", central.SetLimit{Player: id, Of: central.LimitDeposits, Cents: central.LimitMax}},
		{"system", central.OpenSession{Player: id, Credential: 1, Hash: make([]byte, 32), Play: true, Clearance: clear}},
		{"system", central.Deposit{Player: id, Cents: funds}},
	} {
		if _, err := w.register.Do(ctx, central.Request{Principal: s.principal, Key: fmt.Sprintf("admit/%d/%d", id, i), Command: s.command}); err != nil {
			return err
		}
	}
	return nil
}

// letters looks at the letters after a death: what is told is in the log, so it is paid; what was there before is as it was. Some are sent, as by a mail system.
func (c *campaign) letters(w *world) {
	c.Helper()
	ctx := c.Context()
	snap, err := w.store.Snapshot(ctx)
	if err != nil {
		c.Fatal(err)
	}
	defer snap.Close()
	said := map[string]map[string]bool{} // "node-index" → letters of the leaf
	for name, path := range c.files() {
		body, err := os.ReadFile(path)
		if err != nil {
			c.Fatal(err)
		}
		if old, ok := c.seen[name]; ok && !bytes.Equal(old, body) {
			c.Errorf("seed %d: letter %s was written again, as another", c.job.Seed, name)
		}
		c.seen[name] = body
		var player, node, index, place int64
		if _, err := fmt.Sscanf(name, "%d-%d-%d-%d", &player, &node, &index, &place); err != nil {
			c.Fatalf("letter %s: %v", name, err)
		}
		leaf := fmt.Sprintf("%d-%d", node, index)
		if said[leaf] == nil {
			if said[leaf], err = lettersOf(ctx, snap, node, index); err != nil {
				c.Fatalf("seed %d: letter %s: %v", c.job.Seed, name, err)
			}
		}
		if !said[leaf][name] {
			c.Errorf("seed %d: letter %s tells what the log does not say", c.job.Seed, name)
		}
		if filepath.Dir(path) == c.job.Letters && c.rng.IntN(3) == 0 {
			if err := os.Rename(path, filepath.Join(c.job.Letters, "sent", name+".eml")); err != nil {
				c.Fatal(err)
			}
		}
	}
}

// files lists the letters by name, and makes sure that none is there twice.
func (c *campaign) files() map[string]string {
	c.Helper()
	all := map[string]string{}
	for _, dir := range []string{c.job.Letters, filepath.Join(c.job.Letters, "sent")} {
		entries, err := os.ReadDir(dir)
		if err != nil && !errors.Is(err, os.ErrNotExist) { // killed before it made the folder
			c.Fatal(err)
		}
		for _, e := range entries {
			name, ok := strings.CutSuffix(e.Name(), ".eml")
			if !ok {
				continue
			}
			if all[name] != "" {
				c.Errorf("seed %d: letter %s is there twice", c.job.Seed, name)
			}
			all[name] = filepath.Join(dir, e.Name())
		}
	}
	return all
}

// lettersOf returns the names of the letters that a leaf gives.
func lettersOf(ctx context.Context, snap central.Snapshot, node, index int64) (map[string]bool, error) {
	r, err := row[*central.LeafRow](ctx, snap, central.Key{Table: central.Leaves, N: node, M: index})
	if err != nil {
		return nil, err
	}
	leaf, lines, err := logbook.ParseLeaf(r.Body)
	if err != nil {
		return nil, err
	}
	list, err := central.MessagesOf(central.Entry{Leaf: leaf, Lines: lines})
	names := map[string]bool{}
	for _, m := range list {
		names[m.LetterID()] = true
	}
	return names, err
}

// toldOnce makes sure that every credit has one message in the inbox of its player, and one letter where the player has an address; nothing else is told, and no
// half letter is left.
func (c *campaign) toldOnce(w *world) (gains, letters int) {
	c.Helper()
	ctx := c.Context()
	snap, err := w.store.Snapshot(ctx)
	if err != nil {
		c.Fatal(err)
	}
	defer snap.Close()
	hasAddress := map[int64]bool{}
	owed := map[string]*central.Credit{}
	want := map[string]bool{}
	scan := func(table central.TableID, yield func(central.Row) error) {
		c.Helper()
		if err := snap.Scan(ctx, central.Range{From: central.Key{Table: table}}, yield); err != nil {
			c.Fatal(err)
		}
	}
	scan(central.Persons, func(r central.Row) error { hasAddress[r.(*central.Person).Player] = true; return nil })
	scan(central.Credits, func(r central.Row) error {
		cr := r.(*central.Credit)
		owed[fmt.Sprint(cr.Draw, central.PlayID(cr.Play), cr.Component)] = cr
		return nil
	})
	gains = len(owed)
	scan(central.Messages, func(r central.Row) error {
		m := r.(*central.Message)
		if hasAddress[m.Player] {
			want[m.LetterID()] = true
		}
		if m.Kind != central.MessageGain && m.Kind != central.MessageCodeGain {
			return nil
		}
		var f central.Facts
		if err := json.Unmarshal([]byte(m.Facts), &f); err != nil {
			return err
		}
		key := fmt.Sprint(f.Draw, f.Play, f.Source)
		if cr := owed[key]; cr == nil || cr.Player != m.Player || cr.Cents != m.Cents {
			c.Errorf("seed %d: message %v of %v tells of no credit, or again: %+v", c.job.Seed, m.ID, m.Cents, cr)
		}
		delete(owed, key)
		return nil
	})
	if len(owed) > 0 {
		c.Errorf("seed %d: %d credits were told to nobody", c.job.Seed, len(owed))
	}
	found := c.files()
	for name := range want {
		if found[name] == "" {
			c.Errorf("seed %d: letter %s was not written", c.job.Seed, name)
		}
	}
	if len(found) != len(want) {
		c.Errorf("seed %d: %d letters, want %d", c.job.Seed, len(found), len(want))
	}
	if half, _ := filepath.Glob(filepath.Join(c.job.Letters, "*.part")); len(half) > 0 { // the pattern is well formed
		c.Errorf("seed %d: %q are left behind", c.job.Seed, half)
	}
	return gains, len(found)
}
