package central_test

import (
	"pgregory.net/rapid"
	"tirage/central"
	"tirage/store/storetest"
)

// groupNight is a group play of a random evening: its grids, and how many receipts each member takes.
type groupNight struct {
	lines    []central.Line
	receipts int64
	members  []int64
}

// drawGroup draws a group play; its receipts are all taken, or some are left to the organiser.
func (n *night) drawGroup(t *rapid.T) {
	g := groupNight{lines: []central.Line{{Grid: n.near(t)}, {Grid: n.near(t)}}, receipts: rapid.Int64Range(2, int64(n.book.Sale.GroupMax)).Draw(t, "receipts")}
	for left := g.receipts - 1; left > 0 && len(g.members) < n.players-1; {
		m := rapid.Int64Range(1, left).Draw(t, "taken")
		g.members = append(g.members, m)
		left -= m
	}
	n.groups = append(n.groups, g)
}

// play proposes, joins and registers the group play; the first player organises it.
func (g *groupNight) play(t *rapid.T, w *storetest.World, draw string, players []int64) []central.Bought {
	state := proposed(w, players[0], draw, g.receipts, g.lines...)
	for i, m := range g.members {
		joined(w, state, players[i+1], m)
	}
	r, err := w.Try(central.PlayerPrincipal(players[0]), registering(w, state, players[0]))
	if code := central.CodeOf(err); code == central.Conflict || code == central.Insufficient {
		return nil // somebody has no money left
	}
	if err != nil {
		t.Fatal(err)
	}
	var out central.GroupBought
	storetest.Result(w, r, &out)
	return []central.Bought{out.Bought}
}
