package central_test

import (
	"context"
	"errors"
	"sync"

	"tirage/central"
	"tirage/store/storetest"
)

// banList is a list of banned players that tests set.
type banList struct {
	w      *storetest.World
	banned int64 // the player whom it names
	silent bool  // it does not answer
}

func (l banList) Ask(_ context.Context, p *central.Person) (string, error) {
	if l.silent {
		return "", errors.New("the list does not answer")
	}
	return l.w.Clear(p.Player, p.Player == l.banned), nil
}

// oneByOne asks a list one question at a time: the signer of a world is not for two.
type oneByOne struct {
	mu   sync.Mutex
	list central.BanList
}

func (l *oneByOne) Ask(ctx context.Context, p *central.Person) (string, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.list.Ask(ctx, p)
}
