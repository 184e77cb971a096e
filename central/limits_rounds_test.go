package central_test

import (
	"testing"
	"time"

	"tirage/central"
	"tirage/store/mem"
)

// Rounds of a ladder go through the same limits, exclusions and checks as plays; an open round may be ended, nothing new starts.
func TestRoundsAreProtected(t *testing.T) {
	h := openHall(t, &mem.Store{}, 77)
	start := func(player int64) central.StartRound { return central.StartRound{Player: player, Game: donuts} }
	lost := func(player int64) { h.play(player, h.start(player), false) }

	limited := h.Registered("limited", 120, 1000) // 1.20 €: two rounds of 0.50 €
	lost(limited)
	lost(limited)
	h.wait(5 * time.Second)
	h.Why("limit.stake", self(limited), start(limited))

	checked := h.Registered("checked", 1000, 1000)
	open := h.climb(checked, 1)
	h.wait(time.Hour)
	open = h.play(checked, open, true)
	h.must(checked, stop(checked, open))
	h.wait(5 * time.Second)
	h.Why("check.open", self(checked), start(checked))
	h.Do(self(checked), central.AckCheck{Player: checked, Clearance: h.Clear(checked, false)})
	lost(checked)

	excluded := h.Registered("excluded", 1000, 1000)
	open = h.climb(excluded, 2)
	h.Do(self(excluded), central.ExcludePlayer{Player: excluded, Hours: 24})
	before := h.Balance(excluded)
	h.must(excluded, stop(excluded, open))
	if h.Balance(excluded) <= before {
		t.Error("the gain of the open round is not paid")
	}
	h.wait(5 * time.Second)
	h.Why("player.excluded", self(excluded), start(excluded))
	applicant := h.Applicant("applicant")
	h.Why("player.unconfirmed", self(applicant), start(applicant))
	h.CheckBooks()
}
