package central

import (
	"bytes"
	"testing"
	"time"

	"pgregory.net/rapid"
	"tirage/rules/money"
)

// Against a list of every amount: what an allowance counts is never less than what the last seven days hold, never more than what the
// last seven days and an hour hold, exactly the former for up to 48 amounts, and its size is bounded.
func TestAllowanceAgainstEveryAmount(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		start := time.Date(2020, 3, 20, 10, 0, 0, 0, time.UTC)
		now := start
		a := &allowance{limit: 1000, raise: noLimit}
		type entry struct {
			at    time.Time
			cents money.Cents
		}
		var all []entry
		sum := func(since time.Duration) (n int, s money.Cents) {
			for _, e := range all {
				if now.Before(e.at.Add(since)) {
					s += e.cents
					n++
				}
			}
			return n, s
		}
		steps := rapid.IntRange(1, 400).Draw(t, "steps")
		longest := rapid.SampledFrom([]int{10, 600, 3600, 86400}).Draw(t, "longest pause")
		for range steps {
			now = now.Add(time.Duration(rapid.IntRange(0, longest).Draw(t, "pause")) * time.Second)
			a.settle(now)
			n, least := sum(week)
			_, most := sum(week + time.Hour)
			if used := a.used(); used < least || used > most || n <= exactEntries/2 && len(all) <= exactEntries && used != least {
				t.Fatalf("%v used, %v in seven days, %v in an hour more", used, least, most)
			}
			cents := money.Cents(rapid.IntRange(1, 500).Draw(t, "cents"))
			a.spend(now, cents)
			all = append(all, entry{now, cents})
			b := a.encode()
			again, err := readAllowance(b)
			if err != nil || !bytes.Equal(again.encode(), b) {
				t.Fatalf("%x is read as %+v, %v", b, again, err)
			}
			if len(a.spent) > exactEntries+170 {
				t.Fatalf("%d entries", len(a.spent))
			}
			a = again
		}
	})
}

func TestAllowanceRelease(t *testing.T) {
	now := time.Date(2020, 3, 20, 10, 0, 0, 0, time.UTC)
	a := &allowance{limit: 1000, raise: noLimit}
	a.spend(now, 300)
	a.spend(now.Add(time.Second), 200)
	a.release(now.UnixMicro(), 300)
	if a.used() != 200 {
		t.Errorf("%v used, want 2.00", a.used())
	}
	// Entries that were put together with later ones are found there.
	a = &allowance{limit: 1000, raise: noLimit}
	for i := range exactEntries + 1 {
		a.spend(now.Add(time.Duration(i)*time.Second), 10)
	}
	a.release(now.UnixMicro(), 10)
	if len(a.spent) != 1 || a.used() != exactEntries*10 {
		t.Errorf("%d entries of %v, want one of 4.80", len(a.spent), a.used())
	}
	// What no longer counts has nothing to be taken back from.
	a.settle(now.Add(8 * 24 * time.Hour))
	a.release(now.UnixMicro(), 10)
	if a.used() != 0 {
		t.Errorf("%v used, want 0", a.used())
	}
}

func FuzzReadAllowance(f *testing.F) {
	f.Add(newAllowance())
	a := &allowance{limit: 5000, raise: 6000, raiseAt: 1 << 50}
	a.spend(time.Unix(1_600_000_000, 0), 220)
	f.Add(a.encode())
	f.Add([]byte{0xff, 0xff, 0xff})
	f.Fuzz(func(t *testing.T, b []byte) {
		a, err := readAllowance(b)
		if err != nil {
			return
		}
		again, err := readAllowance(a.encode())
		if err != nil || !bytes.Equal(again.encode(), a.encode()) {
			t.Errorf("%x is read as %+v, %v", b, again, err)
		}
	})
}

func BenchmarkCountStake(b *testing.B) {
	now := time.Date(2020, 3, 20, 10, 0, 0, 0, time.UTC)
	a := &allowance{limit: money.Limit, raise: noLimit}
	for i := range 20 {
		a.spend(now.Add(time.Duration(i)*time.Hour), 220)
	}
	pl := &Player{PlayUntil: never, Stakes: a.encode()}
	p := &Plan{Now: now.Add(24 * time.Hour)}
	stored := pl.Stakes
	b.ReportAllocs()
	for b.Loop() {
		pl.Stakes = stored
		if err := p.countStake(pl, 220); err != nil {
			b.Fatal(err)
		}
	}
}
