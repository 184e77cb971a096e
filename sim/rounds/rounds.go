// Package rounds plays a ladder by the million with the production step function and holds what came out against the exact
// analysis: pass rates, average gains, the whole distribution of the gain at each level.
//
// Invariant: the same table, number of rounds, seed and source give the same counts on any number of cores. Rounds are dealt in
// blocks, and each block has a generator of its own, seeded with its number.
//
//	played, err := rounds.Play(table, rounds.Config{Rounds: 20_000_000, Seed: 1})
//	worst := rounds.MaxSigma(played.Compare(analysis)) // ≤ 4, or something is wrong
//
// The generator is ChaCha8 of math/rand/v2; with Config.HMAC its output is used as secrets and contributions, and the numbers are
// those of fairness.LadderDraw, as in production.
package rounds

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"tirage/fairness"
	"tirage/rules/ladder"
	"tirage/rules/money"
)

// MaxRounds bounds one run: an hour or so of one core.
const MaxRounds = 20_000_000_000

// blockRounds is how many rounds share a generator: enough that its seeding costs nothing, few enough that cores end together.
const blockRounds = 1 << 16

// maxPiles bounds sums × stars of one level, which are counted in an array.
const maxPiles = 1 << 22

// Config says what to play. Every round goes on until it ends: a rule that stops at level n is seen on the way.
type Config struct {
	Rounds  int64
	Seed    uint64
	HMAC    bool // draw by the production derivation
	Workers int  // 0: one for each core
}

// Played is what came out.
type Played struct {
	Rounds  int64
	Reached []int64                 // Reached[n]: rounds that passed level n; Reached[0] = Rounds
	Gains   []map[money.Cents]int64 // Gains[n]: rounds by the gain of stopping at level n, losses included; n from 1
	Workers int
	Elapsed time.Duration
	Busy    time.Duration // processor time of all workers together
}

// PerCore returns the rounds that one core plays in a second.
func (p *Played) PerCore() float64 { return float64(p.Rounds) / p.Busy.Seconds() }

// Play plays the rounds.
func Play(t *ladder.Table, c Config) (*Played, error) {
	if c.Rounds < 1 || c.Rounds > MaxRounds {
		return nil, fmt.Errorf("%d rounds: accepted 1 to %d", c.Rounds, int64(MaxRounds))
	}
	if c.Workers == 0 {
		c.Workers = runtime.GOMAXPROCS(0)
	}
	tallies := make([]*tally, c.Workers)
	for i := range tallies {
		var err error
		if tallies[i], err = newTally(t); err != nil {
			return nil, err
		}
	}
	var next atomic.Int64
	var workers sync.WaitGroup
	start, busy := time.Now(), processorTime()
	for _, y := range tallies {
		workers.Go(func() {
			for {
				block := next.Add(1) - 1
				rounds := min(blockRounds, c.Rounds-block*blockRounds)
				if rounds <= 0 {
					return
				}
				y.block(newSource(c.Seed, uint64(block)), rounds, c.HMAC)
			}
		})
	}
	workers.Wait()
	p := gather(t, tallies)
	p.Rounds, p.Reached[0], p.Workers = c.Rounds, c.Rounds, c.Workers
	p.Elapsed, p.Busy = time.Since(start), processorTime()-busy
	if p.Busy <= 0 {
		p.Busy = p.Elapsed * time.Duration(c.Workers)
	}
	for n := 1; n < len(p.Gains); n++ {
		p.Gains[n][0] += p.Rounds - p.Reached[n]
	}
	return p, nil
}

// tally counts the piles that one worker saw.
type tally struct {
	table *ladder.Table
	width int
	piles [][]int64 // piles[n][sum·width + stars] after level n; n from 1
}

func newTally(t *ladder.Table) (*tally, error) {
	y := &tally{table: t, piles: make([][]int64, t.Levels()+1)}
	_, stars := t.Highest(t.Levels())
	y.width = stars + 1
	for n := 1; n <= t.Levels(); n++ {
		sum, _ := t.Highest(n)
		if int64(sum) >= maxPiles/int64(y.width) {
			return nil, fmt.Errorf("level %d has sums up to %s € and %d stars: accepted up to %d piles", n, sum, stars, maxPiles)
		}
		y.piles[n] = make([]int64, (int(sum)+1)*y.width)
	}
	return y, nil
}

// block plays rounds from one generator.
func (y *tally) block(s *source, rounds int64, hmac bool) {
	if hmac {
		y.provable(s, rounds)
		return
	}
	var d ladder.Draw = s
	for range rounds {
		state := ladder.State{}
		for !y.table.Ended(state) {
			state, _ = ladder.Step(y.table, state, d)
			y.count(state)
		}
	}
}

// provable plays as production does: for each series a fresh secret and contribution.
func (y *tally) provable(s *source, rounds int64) {
	var stream fairness.LadderDraw
	var secret fairness.Secret
	var contribution fairness.Contribution
	var series fairness.LadderSeries
	for range rounds {
		s.fill(series.Round[:])
		series.N = 0
		state := ladder.State{}
		for !y.table.Ended(state) {
			series.N++
			s.fill(secret[:])
			s.fill(contribution[:])
			stream.Start(secret, series, contribution)
			state, _ = ladder.Step(y.table, state, &stream)
			y.count(state)
		}
	}
}

func (y *tally) count(s ladder.State) {
	if !s.Collapsed {
		y.piles[s.Level][int(s.Sum)*y.width+s.Stars]++
	}
}

// gather turns the piles of all workers into gains.
func gather(t *ladder.Table, tallies []*tally) *Played {
	p := &Played{Reached: make([]int64, t.Levels()+1), Gains: make([]map[money.Cents]int64, t.Levels()+1)}
	for n := 1; n <= t.Levels(); n++ {
		p.Gains[n] = map[money.Cents]int64{}
		for _, y := range tallies {
			for at, count := range y.piles[n] {
				if count > 0 {
					p.Reached[n] += count
					p.Gains[n][t.Gain(ladder.State{Level: n, Sum: money.Cents(at / y.width), Stars: at % y.width})] += count
				}
			}
		}
	}
	return p
}

// source is a ChaCha8 generator as a ladder reads it: 32 bits a number, those dropped that would favour small ones.
type source struct {
	chacha *rand.ChaCha8
	spare  uint64 // the other half of the last word, above a bit that says there is one
}

func newSource(seed, block uint64) *source {
	key := [32]byte{16: 'r', 'o', 'u', 'n', 'd', 's'}
	binary.BigEndian.PutUint64(key[:], seed)
	binary.BigEndian.PutUint64(key[8:], block)
	return &source{chacha: rand.NewChaCha8(key)}
}

// Uniform returns a number of 0 … n−1, n ≤ 2^32: the high half of a 32-bit word times n, the word dropped when the low half is
// below 2^32 mod n.
func (s *source) Uniform(n uint64) uint64 {
	m := s.uint32() * n
	if low := m & (1<<32 - 1); low < n {
		for reject := (1 << 32) % n; low < reject; low = m & (1<<32 - 1) {
			m = s.uint32() * n
		}
	}
	return m >> 32
}

func (s *source) uint32() uint64 {
	if half := s.spare; half != 0 {
		s.spare = 0
		return half >> 1
	}
	word := s.chacha.Uint64()
	s.spare = word>>32<<1 | 1
	return word & (1<<32 - 1)
}

// fill writes fresh bytes, a multiple of 8.
func (s *source) fill(b []byte) {
	for len(b) > 0 {
		binary.LittleEndian.PutUint64(b, s.chacha.Uint64())
		b = b[8:]
	}
}
