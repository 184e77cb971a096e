package events

import (
	"context"
	"errors"
)

// Viewer is who is told.
type Viewer struct {
	Player int64  // whose own events are told too, 0: nobody's
	Draw   string // of draws and packs, those of this draw alone; "": all
}

// concerns says whether a public event is told.
func (v *Viewer) concerns(e Event) bool {
	switch e := e.(type) {
	case Draw:
		return v.Draw == "" || v.Draw == e.Draw
	case Pack:
		return v.Draw == "" || v.Draw == e.Draw
	}
	return true
}

// Told is an event with the place to go on from after it.
type Told struct {
	Place Place
	Event Event
}

// Follower goes through the events for one viewer. It is used by one goroutine at a time.
type Follower struct {
	feed   *Feed
	viewer Viewer
	at     Place  // what is before was told
	next   int64  // number of the next step in the feed
	past   []Told // read from the log at the start
}

// Follow starts after a place, or with what happens from now on when it is nil. With [ErrAway] the follower is there too, at the present. Who
// follows must Close.
func (f *Feed) Follow(ctx context.Context, v Viewer, after *Place) (*Follower, error) {
	f.mu.Lock()
	idle := f.followers == 0
	f.mu.Unlock()
	if idle { // what it knows of the present is old
		if err := f.look(ctx); err != nil {
			return nil, err
		}
	}
	w := f.join(v)
	if after == nil {
		return w, nil
	}
	err := w.from(ctx, *after)
	if err != nil && !errors.Is(err, ErrAway) {
		w.Close()
		return nil, err
	}
	return w, err
}

// join notes that one more follows, from the present on.
func (f *Feed) join(v Viewer) *Follower {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.followers++
	return &Follower{feed: f, viewer: v, at: f.next, next: f.first + int64(len(f.steps))}
}

// from goes back to a place: over what the feed keeps, or else over the log.
func (w *Follower) from(ctx context.Context, place Place) error {
	f := w.feed
	f.mu.Lock()
	to, kept, behind := f.next, true, int64(0)
	w.at, w.next = to, f.first+int64(len(f.steps)) // it may have moved since the join
	for node, n := range place {
		behind += max(0, to[node]-n)
		kept = kept && n >= f.low[node]
	}
	if kept {
		w.at, w.next = place, f.first // Take passes over what is before the place
	}
	f.mu.Unlock()
	switch {
	case kept:
		return nil
	case behind > f.mostBehind:
		return ErrAway
	}
	select {
	case f.reading <- struct{}{}:
		defer func() { <-f.reading }()
	case <-ctx.Done():
		return ctx.Err()
	}
	snap, err := f.store.Snapshot(ctx)
	if err != nil {
		return err
	}
	defer snap.Close()
	w.at = place
	return read(ctx, snap, place, to, func(s *step) { w.past = w.tell(w.past, s) })
}

// tell appends what a step tells the viewer, unless it was told before.
func (w *Follower) tell(list []Told, s *step) []Told {
	if s.index < w.at[s.node] {
		return list
	}
	w.at[s.node] = s.index + 1
	for _, e := range s.public {
		if w.viewer.concerns(e) {
			list = append(list, Told{w.at, e})
		}
	}
	if w.viewer.Player != 0 {
		for _, e := range s.own[w.viewer.Player] {
			list = append(list, Told{w.at, e})
		}
	}
	return list
}

// Take returns the events since the last Take, and a channel that is closed when there are more. With [ErrAway] some were missed.
func (w *Follower) Take() (list []Told, changed <-chan struct{}, err error) {
	f := w.feed
	f.mu.Lock()
	changed = f.changed
	if w.next < f.first {
		w.at, w.next, w.past = f.next, f.first+int64(len(f.steps)), nil
		f.mu.Unlock()
		return nil, changed, ErrAway
	}
	steps, present := f.steps[w.next-f.first:], f.next // what is kept is not written again
	w.next = f.first + int64(len(f.steps))
	f.mu.Unlock()
	list, w.past = w.past, nil
	for _, s := range steps {
		list = w.tell(list, s)
	}
	for node, n := range present {
		w.at[node] = max(w.at[node], n)
	}
	return list, changed, nil
}

// Place is where the follower stands after all that it was told: also after leaves that told it nothing. A client that learns it now and then is not
// away after a quiet hour.
func (w *Follower) Place() Place { return w.at }

// Close ends following.
func (w *Follower) Close() {
	w.feed.mu.Lock()
	defer w.feed.mu.Unlock()
	w.feed.followers--
}
