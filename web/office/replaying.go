package office

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"tirage/audit"
	"tirage/central"
	"tirage/web/kit"
)

// replaying is the replay of the whole log ([audit.Replay]) that is under way or was done last, one at a time: it goes on when nobody looks, and ends with the server.
type replaying struct {
	mu      sync.Mutex
	leaves  atomic.Int64 // read so far
	all     int64
	by      string // who asked for it; "": none was
	began   time.Time
	running bool
	took    time.Duration
	report  *audit.Report
	err     error
}

// start begins a replay, unless one is under way.
func (r *replaying) start(o *office, by string, all int64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.running {
		return false
	}
	r.running, r.by, r.all, r.began, r.report, r.err = true, by, all, o.host.Clock.Now(), nil, nil
	r.leaves.Store(0)
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		select {
		case <-o.host.Stopping:
			cancel()
		case <-ctx.Done():
		}
	}()
	go func() {
		defer cancel()
		report, err := audit.Replay(ctx, audit.Options{Store: o.host.Store, Progress: r.leaves.Store})
		r.mu.Lock()
		defer r.mu.Unlock()
		r.running, r.report, r.err, r.took = false, report, err, o.host.Clock.Now().Sub(r.began)
	}()
	return true
}

// replayPage is what the page shows of it.
type replayPage struct {
	By          string
	Began       time.Time
	Running     bool
	Leaves, All int64
	Took        time.Duration
	Report      *audit.Report
	Wrong       string
}

func (o *office) readReplay() *replayPage {
	r := &o.replay
	r.mu.Lock()
	defer r.mu.Unlock()
	p := &replayPage{By: r.by, Began: r.began, Running: r.running, Leaves: r.leaves.Load(), All: r.all, Took: r.took, Report: r.report}
	if r.err != nil {
		p.Wrong = r.err.Error()
	}
	return p
}

// showReplay shows the replay; the page asks again while it is under way.
func (o *office) showReplay(v *kit.Visit) error {
	return v.Show(page(v.T("Rejouer le journal", "Replay the log"), "log"), replayView(v, o.readReplay()))
}

// startReplay rebuilds every table from the log alone and compares, in the background.
func (o *office) startReplay(v *kit.Visit) error {
	var all int64
	err := v.View(func(snap central.Snapshot) error {
		return snap.Scan(v.Context(), central.Range{From: central.Key{Table: central.Writers}}, func(r central.Row) error {
			all += r.(*central.Writer).Size
			return nil
		})
	})
	if err != nil {
		return err
	}
	if !o.replay.start(o, v.Caller.Name, all) {
		return v.Status(http.StatusConflict).Show(page(v.T("Rejouer le journal", "Replay the log"), "log"), replayView(v, o.readReplay()))
	}
	return v.Go(Path + "log/replay")
}
