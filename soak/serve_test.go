//go:build linux

package soak_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"tirage/banlist"
	"tirage/central"
	"tirage/games"
	"tirage/identity"
	"tirage/internal/pgtest"
	"tirage/vault"
)

// The program itself serves over HTTP and is killed at random moments: while players buy through the API, and while a draw goes from its close to its
// notice; see the package comment.
func TestKillServe(t *testing.T) {
	control, err := filepath.Abs("../bin/control")
	if err == nil {
		_, err = os.Stat(control)
	}
	if err != nil {
		t.Skipf("no draw goes past its seal without the independent control: make control builds it (%v)", err)
	}
	t.Setenv("TIRAGE_CONTROL", control)
	program := filepath.Join(t.TempDir(), "tirage")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "tirage/cmd/tirage").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	t.Run("sqlite", func(t *testing.T) { killServe(t, program, filepath.Join(t.TempDir(), "tirage.db")) })
	t.Run("postgres", func(t *testing.T) { killServe(t, program, pgtest.DSN(t)) })
}

func killServe(t *testing.T, program, db string) {
	seed := seedOf(t)
	s := &served{
		campaign: &campaign{T: t, rng: rand.New(rand.NewPCG(seed, 2)), seen: map[string][]byte{}}, program: program, dir: t.TempDir(), day: time.Now(),
		acked: map[string]*asked{}, open: map[string]*asked{},
	}
	s.job = job{shop: shop{Seed: seed}, DB: db, Keys: filepath.Join(s.dir, "keys"), Letters: filepath.Join(s.dir, "letters")}
	s.prepare()
	n := rounds(3, 50)
	for round := range n {
		s.job.Round = round
		settles := round >= n-n*2/3
		s.start()
		s.again()
		s.finish()
		when := s.sellAndKill(settles)
		s.look(when)
	}
	s.job.Round = n
	s.start()
	s.again()
	s.finish()
	s.drain()
	s.stop()
	s.look("stopped")
	s.with(func(w *world) {
		gains, letters := s.toldOnce(w)
		if gains == 0 && n > 3 {
			t.Error("nobody has won anything")
		}
		t.Logf("seed %d: killed %d times: %d requests acknowledged and there once, %d on their way when killed: %d stored whole, %d not at all; %d draws settled, "+
			"%d credits told once in an inbox, %d letters written once; books hold", seed, n, len(s.acked), s.stored+s.lost, s.stored, s.lost, s.draws, gains, letters)
	})
}

// served is a database that `tirage serve` is started on again and again, and what it promised.
type served struct {
	*campaign
	program, dir string
	day          time.Time // of the latest draw that was settled
	draws        int
	buyers       []buyer
	tokens       map[string]string // of members of the staff
	sale         string            // draw that is sold all the time
	settling     string            // draw that is on its way to its notice, "" for none

	mu    sync.Mutex
	acked map[string]*asked // by key
	open  map[string]*asked // asked for and not answered

	process *exec.Cmd
	base    string
	stderr  bytes.Buffer
}

// asked is a request that moves money, with its answer once there was one.
type asked struct {
	buyer     buyer
	key, path string
	body      []byte
	answer    []byte
}

type buyer struct {
	player int64
	token  string
}

const buyers = 8

// prepare makes players with money and members of the staff, each logged in: sessions outlive the process.
func (s *served) prepare() {
	s.Helper()
	ctx := s.Context()
	list := filepath.Join(s.dir, "banlist.txt")
	if err := os.WriteFile(list, []byte("tirage-banlist 1\nend 0\n"), 0o600); err != nil {
		s.Fatal(err)
	}
	s.job.Now = time.Now()
	s.with(func(w *world) {
		w.clock.set(time.Now())
		desk := &identity.Desk{
			Register: w.register, Store: w.store, Entropy: vault.SystemEntropy{}, BanList: banlist.New(list, w.keys.BanList, w.clock),
			Passwords: identity.NewPasswords(identity.Params{Time: 1, Memory: 64, Threads: 1}), Sessions: identity.NewSessions(w.store, w.clock),
		}
		const password = "correct horse battery"
		for i := range buyers {
			email := fmt.Sprintf("player%d@example.org", i)
			r, err := desk.SignUp(ctx, email, identity.Form{Given: "Player", Family: "Served", Birth: "1980-02-29", Email: email, Password: password})
			if err != nil {
				s.Fatal(err)
			}
			var created central.PlayerCreated
			if err := errors.Join(json.Unmarshal(r.Result, &created), w.admit(ctx, created.Player)); err != nil {
				s.Fatal(err)
			}
			in, err := desk.Login(ctx, email, password)
			if err != nil {
				s.Fatal(err)
			}
			s.buyers = append(s.buyers, buyer{created.Player, in.Token})
		}
		s.tokens = map[string]string{}
		for _, name := range []string{"operator", "officer", "enterer", "enterer2"} {
			if _, err := desk.Hire(ctx, central.SystemPrincipal, "hire/"+name, name, strings.TrimSuffix(name, "2"), password); err != nil {
				s.Fatal(err)
			}
			in, err := desk.LoginStaff(ctx, name, password)
			if err != nil {
				s.Fatal(err)
			}
			s.tokens[name] = in.Token
		}
	})
}

// start starts the program and waits until it is ready.
func (s *served) start() {
	s.Helper()
	s.stderr.Reset()
	s.process = exec.Command(s.program, "serve", "--db", s.job.DB, "--keys", s.job.Keys, "--listen", "127.0.0.1:0", "--ban-list", filepath.Join(s.dir, "banlist.txt"),
		"--mail", s.job.Letters, "--games", "euromillions", "--pack", "euromillions 66 5x12*1 33 1000", "--pack", "superloto 60 6x10*1 60 1000", "--rate", "0")
	s.process.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	s.process.Stderr = &s.stderr
	out, err := s.process.StdoutPipe()
	if err != nil {
		s.Fatal(err)
	}
	if err := s.process.Start(); err != nil {
		s.Fatal(err)
	}
	line, _ := bufio.NewReader(out).ReadString('\n')
	if _, err := fmt.Sscanf(line, "open %s", &s.base); err != nil {
		s.Fatalf("seed %d, round %d: the program says %q and %s", s.job.Seed, s.job.Round, line, s.stderr.String())
	}
	s.base = strings.TrimSuffix(s.base, "/")
	s.wait("ready", func() bool { return s.get("/readyz", "", nil) == http.StatusOK })
	if s.sale == "" { // the last of those on sale: it stays so
		s.wait("draws on sale", func() bool {
			var list struct{ Items []central.DrawView }
			s.get("/api/v1/staff/draws?game=euromillions", s.tokens["operator"], &list)
			for _, d := range list.Items {
				if d.State == "open" {
					s.sale = d.Draw
				}
			}
			return s.sale != ""
		})
	}
}

// wait waits for something that must come.
func (s *served) wait(what string, come func() bool) {
	s.Helper()
	for end := time.Now().Add(backLimit); !come(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) || s.Failed() {
			s.Fatalf("seed %d, round %d: not %s: %s", s.job.Seed, s.job.Round, what, s.stderr.String())
		}
	}
}

// stop ends the program in order.
func (s *served) stop() {
	s.Helper()
	if err := s.process.Process.Signal(syscall.SIGTERM); err != nil {
		s.Fatal(err)
	}
	if err := s.process.Wait(); err != nil {
		s.Fatalf("seed %d: stopped with %v: %s", s.job.Seed, err, s.stderr.String())
	}
}

// sellAndKill has players buy, and in the later rounds a draw close, be drawn, counted and paid meanwhile, until the program is killed.
func (s *served) sellAndKill(settles bool) (when string) {
	s.Helper()
	var running sync.WaitGroup
	draws := []string{s.sale}
	moved := make(chan string, 64)
	pause := time.Duration(s.rng.Int64N(int64(400 * time.Millisecond)))
	if settles {
		s.settling = s.plan()
		draws = append(draws, s.settling)
		running.Go(func() { s.settle(s.settling, moved) })
	}
	var one sync.WaitGroup // until each buyer was answered once
	for i, b := range s.buyers {
		one.Add(1)
		running.Go(func() { s.buy(i, b, draws, one.Done) })
	}
	one.Wait()
	when = fmt.Sprintf("killed %v after the first purchases", pause.Round(time.Millisecond))
	if settles {
		for steps, n := 0, 1+s.rng.IntN(6); steps < n; steps++ {
			state := <-moved
			when = fmt.Sprintf("killed %v after the draw was %s", (pause / 8).Round(time.Millisecond), state)
			if state == "published" {
				break
			}
		}
		pause /= 8
	}
	time.Sleep(pause)
	kill(s.T, s.process.Process)
	running.Wait()
	_ = s.process.Wait() // killed
	return when
}

// plan puts a draw on sale that closes in a moment: the next of one sequence.
func (s *served) plan() string {
	s.Helper()
	s.day = s.day.AddDate(0, 0, 1)
	closes := time.Now().Add(closesIn)
	var planned central.Planned
	body := map[string]any{"game": "superloto", "day": games.Day(s.day), "opens_at": time.Now().Add(-time.Minute), "closes_at": closes, "draws_at": closes.Add(100 * time.Millisecond)}
	if status := s.post("/api/v1/staff/draws", s.tokens["operator"], "", body, &planned); status != http.StatusCreated {
		s.Fatalf("seed %d: plan: %d", s.job.Seed, status)
	}
	s.wait("on sale", func() bool { return s.state(planned.Draw) == "open" })
	s.draws++
	return planned.Draw
}

// closesIn is how long the draws that are settled are on sale.
const closesIn = 1500 * time.Millisecond

func (s *served) state(draw string) string {
	var d central.DrawView
	s.get("/api/v1/staff/draws/"+draw, s.tokens["operator"], &d)
	return d.State
}

// settle does what people do for a draw until it is published, and tells each state that it comes to. It ends when nobody answers.
func (s *served) settle(draw string, moved chan<- string) {
	last := "open"
	for {
		var d central.DrawView
		if s.get("/api/v1/staff/draws/"+draw, s.tokens["operator"], &d) != http.StatusOK {
			return
		}
		if d.State != last {
			last = d.State
			moved <- last
		}
		path := "/api/v1/staff/draws/" + draw
		switch d.State {
		case "balanced":
			s.room(path + "/room")
		case "counted":
			s.post(path+"/approve", s.tokens["officer"], "", map[string]any{"version": d.Version}, nil)
		case "settled":
			s.post(path+"/notice/publish", s.tokens["officer"], "", nil, nil)
		case "published":
			return
		}
		time.Sleep(2 * time.Millisecond)
	}
}

// room does the next act in the draw room: what was done before a death stands.
func (s *served) room(path string) {
	var r struct {
		central.RoomView
		Running struct {
			Program string `json:"program"`
			Rules   string `json:"rules"`
		}
	}
	if s.get(path, s.tokens["operator"], &r) != http.StatusOK {
		return
	}
	entry := map[string]any{"version": r.Version, "round": r.Round, "entry": central.EntryBody{Main: []int{1, 2, 3, 4, 5}, Extra: []int{1}}}
	switch {
	case r.Checker == "":
		s.post(path+"/check", s.tokens["operator"], "", map[string]any{"program": r.Running.Program, "rules": r.Running.Rules, "checked": central.RoomChecks}, nil)
	case r.Officer == "":
		s.post(path+"/attend", s.tokens["officer"], "", nil, nil)
	case len(r.Sealed) < 2:
		s.post(path+"/entries", s.tokens[[]string{"enterer", "enterer2"}[len(r.Sealed)]], "", entry, nil)
	case r.Signer == "":
		s.post(path+"/sign", s.tokens["officer"], "", map[string]any{"version": r.Version, "round": r.Round, "statements": r.States}, nil)
	}
}

// finish takes the draw of the round before to its notice.
func (s *served) finish() {
	s.Helper()
	if s.settling == "" {
		return
	}
	s.settle(s.settling, make(chan string, 64))
	if state := s.state(s.settling); state != "published" {
		s.Fatalf("seed %d, round %d: draw %s is %q: %s", s.job.Seed, s.job.Round, s.settling, state, s.stderr.String())
	}
	s.settling = ""
}

// drain waits until everything was told that is to be told: raises of limits wait for two days.
func (s *served) drain() {
	s.Helper()
	s.wait("told", func() bool {
		res, err := http.Get(s.base + "/metrics")
		if err != nil {
			s.Fatal(err)
		}
		defer res.Body.Close()
		lines, behind := bufio.NewScanner(res.Body), 0
		for lines.Scan() {
			if name, n, _ := strings.Cut(lines.Text(), "} "); strings.HasPrefix(name, "tirage_follower_leaves_behind{") && !strings.Contains(name, "raises") && n != "0" {
				behind++
			}
		}
		return behind == 0
	})
}
