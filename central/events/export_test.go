package events

import "context"

// Look has a feed look once.
func Look(f *Feed, ctx context.Context) error { return f.look(ctx) }

// Bound changes what a feed keeps.
func Bound(f *Feed, steps, events int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.mostSteps, f.mostEvents = steps, events
}

// Behind changes how far behind one may be who reads the log.
func Behind(f *Feed, leaves int64) { f.mostBehind = leaves }

// Kept returns what a feed keeps.
func Kept(f *Feed) (steps, events int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.steps), f.events
}
