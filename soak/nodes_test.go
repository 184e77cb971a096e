//go:build linux

package soak_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"testing"

	"tirage/central"
	"tirage/internal/pgtest"
	"tirage/rules/combin"
	"tirage/store/sql"
	"tirage/vault"
)

// nodeVariable holds the job of a child process that is one of two nodes.
const nodeVariable = "TIRAGE_SOAK_NODE"

const (
	nodeClients = 64
	nodeBlock   = 17_000 // codes reserved ahead: a little more than the largest play takes
)

// nodeJob is what a node is to do: its clients buy so many things each, then it ends.
type nodeJob struct {
	shop
	DB, Keys string
	Node     int64
	Each     int
}

// nodeResult is what the clients of a node were told.
type nodeResult struct {
	Shares, Plays, SoldOut int64
	Refused                []string // what was neither accepted nor sold out
}

// request asks for shares of the last packs and for plays with codes of the sequential zone, in turns.
func (j *nodeJob) request(client, i int) central.Request {
	player := j.Players[client%len(j.Players)]
	req := central.Request{Principal: central.PlayerPrincipal(player), Key: fmt.Sprintf("%d-%02d-%06d", j.Node, client, i)}
	if i%2 == 0 {
		req.Command = central.BuyShares{Player: player, Draw: shared, Channel: central.ChannelApp, Type: lastPacks, Shares: [...]int64{1, 2, 5}[(client+i/2)%3]}
	} else {
		req.Command = central.BuyPlay{Player: player, Draw: shared, Channel: central.ChannelWeb, Lines: []central.Line{{Quick: combin.Format{Main: 6, Extra: 3}}}}
	}
	return req
}

// runNode is the child: it prints a [nodeResult].
func runNode(ctx context.Context, text string) error {
	var j nodeJob
	if err := json.Unmarshal([]byte(text), &j); err != nil {
		return err
	}
	store, err := sql.Open(ctx, j.DB)
	if err != nil {
		return err
	}
	defer store.Close()
	keys, err := vault.Open(j.Keys, vault.SystemEntropy{})
	if err != nil {
		return err
	}
	w, err := newWorld(store, keys, opens.AddDate(0, 0, 1), func(c *central.Config) { c.Node, c.CodeBlock = j.Node, nodeBlock })
	if err != nil {
		return err
	}
	defer w.register.Close()
	var mu sync.Mutex
	var told nodeResult
	var wg sync.WaitGroup
	for c := range nodeClients {
		wg.Go(func() {
			for i := range j.Each {
				req := j.request(c, i)
				_, err := w.register.Do(ctx, req)
				mu.Lock()
				switch order, shares := req.Command.(central.BuyShares); {
				case err == nil && shares:
					told.Shares += order.Shares
				case err == nil:
					told.Plays++
				case shares && central.CodeOf(err) == central.SoldOut:
					told.SoldOut++
				default:
					told.Refused = append(told.Refused, err.Error())
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return json.NewEncoder(os.Stdout).Encode(told)
}

const (
	lastPacks = "last"
	runCodes  = 18 // of a 6x3
)

// shared is a draw of Euro Millions, whose combinations are not capped: several nodes sell it at a time.
var shared = central.DrawID("euromillions", "2018-11-06")

// Two processes sell on one PostgreSQL, 64 clients each: the last shares of a few packs and codes of one range. No share is sold twice and none is left, each
// play has codes of its own in a row, and the books balance.
func TestTwoProcessesOnePostgres(t *testing.T) {
	const packs, shares = 3, 200
	both := nodeJob{DB: pgtest.DSN(t), Keys: filepath.Join(t.TempDir(), "keys"), Each: rounds(12, 200)}
	c := &campaign{T: t, job: job{DB: both.DB, Keys: both.Keys, Now: opens}}
	c.with(func(w *world) {
		w.clock.set(opens)
		players, err := w.open(t.Context())
		if err == nil {
			err = w.openDraw(t.Context(), central.OpenDraw{
				Game: "euromillions", Day: "2018-11-06", OpensAt: opens, ClosesAt: closes.AddDate(0, 0, 3),
				Packs: []central.PackOffer{{Type: lastPacks, Multiples: []string{"6x5*10"}, Shares: shares, MaxPacks: packs}},
			})
		}
		if err != nil {
			t.Fatal(err)
		}
		both.Players = players
	})
	var told [2]nodeResult
	var wg sync.WaitGroup
	for n := range told {
		wg.Go(func() {
			j := both
			j.Node = int64(n)
			if err := node(j, &told[n]); err != nil {
				t.Errorf("node %d: %v", n, err)
			}
		})
	}
	wg.Wait()
	for n, r := range told {
		t.Logf("node %d: %d shares and %d plays sold, %d orders too late", n, r.Shares, r.Plays, r.SoldOut)
		if len(r.Refused) > 0 {
			t.Errorf("node %d: %d times refused otherwise: %s", n, len(r.Refused), r.Refused[0])
		}
	}
	if sold := told[0].Shares + told[1].Shares; sold != packs*shares {
		t.Errorf("%d shares are sold of %d", sold, packs*shares)
	}
	c.with(func(w *world) {
		if err := central.CheckBooks(t.Context(), w.store); err != nil {
			t.Error(err)
		}
		checkRuns(t, w.store, told[0].Plays+told[1].Plays)
	})
}

// node runs one process and reads what its clients were told.
func node(j nodeJob, told *nodeResult) error {
	text, err := json.Marshal(j)
	if err != nil {
		return err
	}
	var stdout, stderr bytes.Buffer
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), nodeVariable+"="+string(text))
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%w: %s", err, &stderr)
	}
	return json.Unmarshal(stdout.Bytes(), told)
}

// checkRuns looks at the codes of the plays: so many each in the sequential zone, one run a play, no code twice.
func checkRuns(t *testing.T, store central.Reader, want int64) {
	t.Helper()
	snap, err := store.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	var starts []int64
	err = snap.Scan(t.Context(), central.Range{From: central.Key{Table: central.Plays, S: shared}, Prefix: 1}, func(r central.Row) error {
		if p := r.(*central.Play); p.Kind == central.KindMultiple {
			starts = append(starts, p.CodeAt)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if int64(len(starts)) != want {
		t.Errorf("%d plays are stored, %d were acknowledged", len(starts), want)
	}
	slices.Sort(starts)
	for i := 1; i < len(starts); i++ {
		if starts[i]-starts[i-1] < runCodes {
			t.Fatalf("the codes from %d and from %d on overlap: each play has %d", starts[i-1], starts[i], runCodes)
		}
	}
}
