package practice_test

import (
	"bytes"
	"errors"
	"sync"
	"testing"
	"time"

	"tirage/fairness/replay"
	"tirage/games"
	"tirage/store/storetest"
	"tirage/web/practice"
)

func room() (*practice.Room, *storetest.Clock) {
	clock := &storetest.Clock{}
	clock.Set(time.Date(2020, 6, 20, 10, 0, 0, 0, time.UTC))
	return practice.New(clock), clock
}

// A practice round proves itself as one that is paid for does.
func TestSeriesProveThemselves(t *testing.T) {
	p, _ := room()
	for range 50 {
		r, err := p.Start("donuts")
		if err != nil {
			t.Fatal(err)
		}
		for n := byte(0); !r.Over; n++ {
			promised := r.Commitment
			if r, err = p.Series("donuts", r.Name, r.Step, bytes.Repeat([]byte{n}, 16)); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(r.Series[r.Step-1].Commitment, promised[:]) {
				t.Fatal("the commitment is not the one that was shown")
			}
		}
		id := r.ID()
		file := replay.Round{Format: replay.Format, Game: "donuts", Rules: r.Book.Header.Version(), Digest: r.Book.Digest[:], Round: id[:], State: replay.Open, Stake: 50, Series: r.Series}
		state, findings := file.Play(r.Book.Ladder)
		for _, f := range findings {
			if f.Err != nil {
				t.Error(f)
			}
		}
		if state != r.State {
			t.Errorf("%+v, the series give %+v", r.State, state)
		}
	}
}

// Of many actions at once on one step, one is done.
func TestOneActionAStep(t *testing.T) {
	p, _ := room()
	r, err := p.Start("donuts")
	if err != nil {
		t.Fatal(err)
	}
	var done, late int
	var mu sync.Mutex
	var all sync.WaitGroup
	for range 100 {
		all.Go(func() {
			_, err := p.Series("donuts", r.Name, 0, make([]byte, 16))
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err == nil:
				done++
			case errors.Is(err, practice.ErrStep):
				late++
			}
		})
	}
	all.Wait()
	if done != 1 || late != 99 {
		t.Errorf("%d done and %d refused, want 1 and 99", done, late)
	}
}

func TestRefusals(t *testing.T) {
	p, clock := room()
	if _, err := p.Start("loto"); !errors.Is(err, practice.ErrGame) {
		t.Error(err)
	}
	r, err := p.Start("donuts")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Stop("donuts", r.Name, 0); !errors.Is(err, practice.ErrStep) {
		t.Errorf("stop before the first level: %v", err)
	}
	if _, err := p.Series("donuts", r.Name, 0, []byte("short")); !errors.Is(err, practice.ErrContribution) {
		t.Error(err)
	}
	clock.Set(clock.Now().Add(practice.Life))
	if _, err := p.Read("donuts", r.Name); !errors.Is(err, practice.ErrRound) {
		t.Errorf("after half an hour: %v", err)
	}
	if _, err := games.Version(r.Book.Header.Version()); err != nil {
		t.Error(err)
	}
}
