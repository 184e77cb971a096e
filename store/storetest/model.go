package storetest

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"tirage/central"
	"tirage/internal/covers"
	"tirage/rules/combin"
	"tirage/rules/money"
	"tirage/rules/prize"
	"tirage/store/mem"
)

const (
	// modelSteps is the length of one random story.
	modelSteps = 400
	// checkEvery is how often within it the books are checked and every row is compared.
	checkEvery = 50
	// soakStories is how many stories `make soak` tells an engine.
	soakStories = 20
)

// testModel tells the same random story to the model and to the engine: same entropy, same clock, same faults. Every answer must be the
// same, every row of every table too, the bodies of the leaves among them.
func testModel(t *testing.T, open func(t *testing.T) central.Store) {
	stories := 1
	if os.Getenv(covers.SoakVariable) != "" {
		stories = soakStories
	}
	for seed := range uint64(stories) {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			newStory(t, seed, &mem.Store{}, open(t)).run()
		})
	}
}

// story is a random run of commands on two worlds.
type story struct {
	*testing.T
	rand    *rand.Rand
	worlds  [2]*World // the model, the engine
	fault   Fault     // of the next transaction of each world
	past    []central.Request
	slips   []central.Slip // quotes that were given
	players []int64
	draws   []string
	tried   map[string]int // answers by kind and code

	// What standingOrder has made last, nil before the first.
	group                 *central.GroupState
	abo                   *central.SubscriptionState
	organiser, subscriber int64

	design string // printed id of the pack type that was proposed last
}

func newStory(t *testing.T, seed uint64, stores ...central.Store) *story {
	s := &story{T: t, rand: rand.New(rand.NewPCG(seed, 0)), tried: map[string]int{}}
	for i, store := range stores {
		met := false
		faulty := &Faulty{Store: store, Next: func() Fault {
			if met {
				return NoFault
			}
			met = true
			return s.fault
		}}
		s.worlds[i] = NewWorld(t, faulty)
		s.worlds[i].arm = func() { met = false }
	}
	return s
}

func (s *story) run() {
	s.begin()
	for step := range modelSteps {
		s.step()
		if step%checkEvery == checkEvery-1 {
			s.check()
		}
	}
	s.end()
	s.check()
	s.Logf("%v", s.tried)
}

// begin opens draws of one series of codes and of two, and the first accounts.
func (s *story) begin() {
	now := s.worlds[0].Clock.Now()
	for _, c := range []central.OpenDraw{
		{Game: "loto", Day: "2020-06-22", OpensAt: now.Add(time.Hour), ClosesAt: now.AddDate(0, 0, 2), Reconstructed: true, Packs: []central.PackOffer{
			{Type: "small", Multiples: []string{"6x1*1"}, Shares: 6, MaxPacks: 4}, {Type: "large", Multiples: []string{"6x10*10"}, Shares: 200, MaxPacks: 2}}},
		{Game: "euromillions", Day: "2020-06-23", OpensAt: now.Add(-time.Hour), ClosesAt: now.AddDate(0, 0, 3), Exceptional: true, Packs: []central.PackOffer{
			{Type: "stars", Multiples: []string{"7x3*1"}, Shares: 10, MaxPacks: 5}}},
		{Game: "loto", Day: "2020-06-24", OpensAt: now, ClosesAt: now.AddDate(0, 0, 4)},
	} {
		for _, w := range s.worlds {
			w.Open(c)
		}
		s.draws = append(s.draws, central.DrawID(c.Game, c.Day))
	}
	for range 3 {
		s.newPlayer()
	}
	s.both(func(w *World) string { w.Clock.Set(now.Add(2 * time.Hour)); return "" })
}

// both does something in each world and compares what comes of it.
func (s *story) both(f func(w *World) string) string {
	s.Helper()
	var out [2]string
	for i, w := range s.worlds {
		w.arm()
		out[i] = f(w)
	}
	if out[0] != out[1] {
		s.Fatalf("the model says\n%.3000s\nthe engine says\n%.3000s", out[0], out[1])
	}
	return out[1]
}

func (s *story) step() {
	s.fault = NoFault
	if s.rand.IntN(10) == 0 {
		s.fault = Fault(s.rand.IntN(int(faults)))
	}
	switch n := s.rand.IntN(100); {
	case n < 5:
		s.newPlayer()
	case n < 20:
		s.do(s.player(), central.Deposit{Player: s.player(), Cents: []money.Cents{500, 100_000, 33, 200_000, 0, -5, money.Limit + 1}[s.rand.IntN(7)]})
	case n < 45:
		c := s.play()
		s.do(s.buyer(c.Player), c)
	case n < 60:
		c := s.shares()
		s.do(s.buyer(c.Player), c)
	case n < 68:
		s.quote()
	case n < 75 && len(s.slips) > 0:
		s.answer()
	case n < 79:
		s.standingOrder()
	case n < 82 && len(s.past) > 0:
		s.request(s.past[s.rand.IntN(len(s.past))]) // again: the first answer
	case n < 87 && len(s.past) > 0:
		other := s.past[s.rand.IntN(len(s.past))] // the same key for something else: a conflict
		other.Command = central.Deposit{Player: s.player(), Cents: 1}
		s.request(other)
	case n < 90:
		s.steer()
	case n < 95:
		s.pass(time.Duration(s.rand.IntN(4000)-1000) * time.Second) // clocks are put back, too
	default:
		s.abort()
	}
}

func (s *story) pass(d time.Duration) {
	s.both(func(w *World) string { w.Clock.Set(w.Clock.Now().Add(d)); return "" })
}

func (s *story) newPlayer() {
	created := s.do(0, central.CreatePlayer{Name: fmt.Sprintf("player %d", len(s.players))})
	var id, node, index int64
	if _, err := fmt.Sscanf(created, "%d/%d", &node, &index); err == nil {
		id = node<<48 | (index + 1)
		s.players = append(s.players, id)
		s.do(id, central.Deposit{Player: id, Cents: 10_000})
	}
}

// player picks an account, now and then one that does not exist.
func (s *story) player() int64 {
	if s.rand.IntN(40) == 0 {
		return 999
	}
	return s.players[s.rand.IntN(len(s.players))]
}

// buyer is who buys for a player: the player, now and then somebody else.
func (s *story) buyer(player int64) int64 {
	if s.rand.IntN(20) == 0 {
		return s.player()
	}
	return player
}

func (s *story) draw() string {
	if s.rand.IntN(40) == 0 {
		return "loto-1999-01-01"
	}
	return s.draws[s.rand.IntN(len(s.draws))]
}

// play picks a play: quick picks and chosen grids, simple and multiple, now and then of a format of the other game; with added games and for
// several draws, which are not always those that go with it.
func (s *story) play() central.BuyPlay {
	c := central.BuyPlay{Player: s.player(), Draw: s.draw(), Channel: s.channel()}
	if s.rand.IntN(4) == 0 {
		c.AddOns = []central.AddOn{{Game: "jokerplus", Stake: money.Cents(100 * s.rand.IntN(4)), Number: []string{"", "5697395", "0000395", "12"}[s.rand.IntN(4)]}}
		if strings.HasPrefix(c.Draw, "euro") {
			c.AddOns = []central.AddOn{{Game: "etoileplus"}}
		}
	}
	if s.rand.IntN(4) == 0 {
		c.Further = []string{s.draw()}
	}
	for range 1 + s.rand.IntN(3) {
		f := combin.Format{Main: 5 + s.rand.IntN(10)/8, Extra: 1}
		if strings.HasPrefix(c.Draw, "euro") == (s.rand.IntN(10) > 0) {
			f.Extra++
		}
		l := central.Line{Quick: f}
		if s.rand.IntN(2) == 0 {
			l = central.Line{Grid: s.grid(f)}
		}
		c.Lines = append(c.Lines, l)
	}
	return c
}

func (s *story) channel() central.Channel {
	return append(central.Channels, "", "fax")[s.rand.IntN(len(central.Channels)+2)]
}

func (s *story) grid(f combin.Format) combin.Combination {
	pick := func(n, of int) []int {
		p := s.rand.Perm(of)[:n]
		for i := range p {
			p[i]++
		}
		return p
	}
	c, err := combin.Of(pick(f.Main, 50), pick(f.Extra, 11))
	if err != nil {
		s.Fatal(err)
	}
	return c
}

func (s *story) shares() central.BuyShares {
	c := central.BuyShares{Player: s.player(), Draw: s.draw(), Type: "small", Shares: int64(s.rand.IntN(8)), Channel: s.channel()}
	switch n := s.rand.IntN(10); {
	case n == 0:
		c.Type = "none"
	case strings.HasPrefix(c.Draw, "euro"):
		c.Type = "stars"
	case n < 4:
		c.Type = "large"
	}
	return c
}

// quote asks for a quote of a play or of shares.
func (s *story) quote() {
	var sale central.Sale = s.play()
	if s.rand.IntN(2) == 0 {
		sale = s.shares()
	}
	var given string
	s.both(func(w *World) string {
		given = ""
		q, err := w.Register.Quote(context.Background(), sale)
		if err != nil {
			return err.Error()
		}
		given = q.Text
		b, err := json.Marshal(q)
		return fmt.Sprintf("%s %v", b, err)
	})
	if slip, err := central.ParseQuote(given); err == nil {
		s.slips = append(s.slips, *slip)
	}
}

// answer confirms or drops one of the latest quotes, now and then changed, or as another player.
func (s *story) answer() {
	slip := s.slips[len(s.slips)-1-s.rand.IntN(min(3, len(s.slips)))]
	if s.rand.IntN(10) == 0 {
		slip.Cents--
	}
	by := s.buyer(slip.Order.Buyer())
	if s.rand.IntN(4) == 0 {
		s.do(by, central.DropQuote{Quote: slip})
	} else {
		s.do(by, central.Confirm{Quote: slip})
	}
}

// do asks for a command under a fresh key.
func (s *story) do(player int64, c central.Command) string {
	req := central.Request{Principal: fmt.Sprintf("player/%d", player), Key: fmt.Sprintf("story-%d", len(s.past)), Command: c}
	s.past = append(s.past, req)
	return s.request(req)
}

func (s *story) request(req central.Request) string {
	s.Helper()
	return s.both(func(w *World) string {
		r, err := w.Register.Do(context.Background(), req)
		s.tried[req.Command.Kind()+" "+string(central.CodeOf(err))]++
		if err != nil {
			return err.Error()
		}
		return fmt.Sprintf("%d/%d at %v replayed %v: %s", r.Node, r.Index, r.At, r.Replayed, r.Result)
	})
}

// abort writes anything and drops it.
func (s *story) abort() {
	k := central.Key{Table: central.Players, N: s.player()}
	c := &central.Changes{
		New: []central.Row{&central.Profile{ID: -s.rand.Int64(), Name: "nobody"}},
		Add: []central.Row{&central.AccountRow{Name: "bank", Balance: 1}},
	}
	s.both(func(w *World) string {
		ctx := context.Background()
		tx, err := w.Store.(*Faulty).Store.Begin(ctx)
		if err != nil {
			return err.Error()
		}
		defer tx.Rollback()
		rows, err := tx.Load(ctx, []central.Key{k}, nil)
		if err != nil {
			return err.Error()
		}
		if len(rows) == 1 {
			c.Put = []central.Row{&central.Player{ID: k.N, Balance: 1_000_000}}
		}
		return fmt.Sprint(tx.Apply(ctx, c))
	})
}

// end takes a draw of each game through its evening.
func (s *story) end() {
	s.fault = NoFault
	closing := time.Date(2020, 6, 22, 18, 15, 0, 0, time.UTC)
	s.both(func(w *World) string {
		w.Clock.Set(closing)
		count, notice := w.Evening(s.draws[0], prize.Terms{
			Cycle: prize.Cycle{Jackpot: 200_000_000}, Official: []money.Cents{200_000_000, 10_000_000, 100_000, 50_000, 5_000, 2_000, 1_000, 500, 220},
		}, central.Result{Main: []int{1, 2, 3, 4, 5}, Extra: []int{1}, Joker: "5697395"}, central.Outside{})
		w.Clock.Set(time.Date(2020, 6, 23, 10, 0, 0, 0, time.UTC))
		stars, starsNotice := w.Evening(s.draws[1], prize.Terms{Cycle: prize.Cycle{Position: 2, Carry: 3_000_000_000}, Fund: 3_000_000_000},
			central.Result{Main: []int{1, 2, 3, 4, 5}, Extra: []int{1, 2}}, central.Outside{})
		return fmt.Sprintf("%+v %+v %+v %+v", *count, *notice, *stars, *starsNotice)
	})
}

// check checks the books of the engine and compares all rows.
func (s *story) check() {
	s.Helper()
	s.worlds[1].CheckBooks()
	s.both(func(w *World) string { return dump(s, w.Store) })
}

// Dump writes all rows of the store, so that two moments can be compared.
func (w *World) Dump() string {
	w.Helper()
	return dump(w, w.Store)
}

// dump writes all rows of a store.
func dump(t testing.TB, store central.Reader) string {
	t.Helper()
	snap := look(t, store)
	defer snap.Close()
	var b strings.Builder
	for i := range central.Schema {
		b.WriteString(scan(t, snap, central.Range{From: central.Key{Table: central.TableID(i)}}))
	}
	return b.String()
}
