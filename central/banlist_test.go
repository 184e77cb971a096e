package central_test

import (
	"context"
	"errors"

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
