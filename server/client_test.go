package server_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"

	"tirage/central"
	"tirage/server"
)

// A program in another language, with its standard library alone, opens an account, deposits, buys shares of a pack, follows the draw live and reads its gains
// through the API, while the staff runs the evening. What it was told is what the operator's books hold.
func TestClientInPython(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed (Debian: apt-get install python3)")
	}
	clock := &hand{}
	clock.set(t, "2020-06-22 20:05:00")
	r := start(t, t.TempDir(), func(c *server.Config) {
		c.Clock, c.Games = clock, []string{"loto"}
		c.Packs = func(*central.DrawDate) []central.PackOffer {
			return []central.PackOffer{{Type: "120", Multiples: []string{"6x10*2"}, Shares: 20, MaxPacks: 2, Formulas: []int64{1, 2, 5, 10}}}
		}
	})
	defer r.end()
	staff := map[string]*person{}
	for _, role := range []string{"operator", "enterer", "officer"} {
		if _, err := r.Desk.Hire(t.Context(), central.SystemPrincipal, "hire "+role, role, role, password); err != nil {
			t.Fatal(err)
		}
		staff[role] = r.enters(role)
	}
	if _, err := r.Desk.Hire(t.Context(), central.SystemPrincipal, "hire second", "second", "enterer", password); err != nil {
		t.Fatal(err)
	}
	second := r.enters("second")
	staff["operator"].sees(drawPage, "En vente jusqu")

	c := r.playsIn(python)
	var created central.PlayerCreated
	if err := json.Unmarshal(fmt.Appendf(nil, `{"player":%q}`, c.until("account ")), &created); err != nil {
		t.Fatal(err)
	}
	verify := central.Request{Principal: central.SystemPrincipal, Key: "verify", Command: central.VerifyIdentity{Player: created.Player, Evidence: "passport"}}
	if _, err := r.Register.Do(t.Context(), verify); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Desk.Confirm(t.Context(), central.SystemPrincipal, "confirm", created.Player); err != nil {
		t.Fatal(err)
	}
	c.until("following " + evening)

	clock.set(t, "2020-06-22 20:25:00")
	staff["operator"].sees(drawPage, "Le scellement attend les mises et le fonds des autres")
	staff["operator"].sends(drawPage, "report", url.Values{"stakes": {"0"}, "fund": {"1000000"}})
	for _, p := range []*person{staff["operator"], staff["enterer"], second, staff["officer"]} {
		p.sees(drawPage, "recompté") // and no session is idle for too long
	}
	clock.set(t, "2020-06-22 20:45:00")
	staff["operator"].sends(roomPage, "check", url.Values{"checked": {"program", "rules", "equipment"}})
	staff["officer"].sends(roomPage, "attend", nil)
	for _, p := range []*person{staff["enterer"], second} {
		p.sends(roomPage, "enter", balls(5, 9, 36, 5, 21, 39))
	}
	staff["officer"].sees(roomPage, "identiques")
	staff["officer"].sends(roomPage, "sign", url.Values{"statement": {"seen", "no_incident", "typed_nothing"}})
	staff["officer"].sees(drawPage, "Approuver le paiement")
	staff["officer"].sends(drawPage, "approve", nil)
	staff["operator"].sees(drawPage, "Publier cet avis")
	staff["operator"].sends(drawPage, "publish", nil)

	c.until("  draw published")
	gain := c.until("gain ")
	balance := c.until("balance ")
	c.ends()
	var session struct{ Token string }
	r.do("POST", "/api/v1/sessions", "", "", map[string]string{"email": pythonEmail, "password": password}, &session)
	page, err := r.Register.ReadPlays(t.Context(), central.PlaysQuery{Player: created.Player, Limit: 10})
	if err != nil || len(page.Plays) != 1 {
		t.Fatalf("%+v, %v", page, err)
	}
	play := page.Plays[0]
	if play.Gain == nil {
		t.Fatal("a settled play without its gain")
	}
	won := int64(*play.Gain)
	if want := fmt.Sprintf("%d.%02d € of %d grids", won/100, won%100, len(play.Grids)); gain != want {
		t.Errorf("the program read a gain of %q, the books hold %q", gain, want)
	}
	var me struct{ Balance int64 }
	r.do("GET", "/api/v1/me", session.Token, "", nil, &me)
	if want := fmt.Sprintf("%d.%02d €", me.Balance/100, me.Balance%100); balance != want || me.Balance != 5000-int64(play.Cents)+won {
		t.Errorf("the program read a balance of %q, the books hold %q", balance, want)
	}
}

const pythonEmail = "zoe@example.org"

// program is examples/client.py at work.
type program struct {
	*testing.T
	cmd    *exec.Cmd
	lines  *bufio.Scanner
	said   []string
	stderr bytes.Buffer
}

// playsIn starts the client.
func (r *running) playsIn(python string) *program {
	r.Helper()
	p := &program{T: r.T, cmd: exec.CommandContext(r.Context(), python, "../examples/client.py", "--server", r.Base, "--email", pythonEmail, "--shares", "2")}
	p.cmd.Env = append(os.Environ(), "TIRAGE_PASSWORD="+password, "PYTHONIOENCODING=utf-8")
	p.cmd.Stderr = &p.stderr
	out, err := p.cmd.StdoutPipe()
	if err == nil {
		err = p.cmd.Start()
	}
	if err != nil {
		r.Fatal(err)
	}
	p.lines = bufio.NewScanner(out)
	return p
}

// until reads what the client says up to a line with this head; it returns the rest of the line.
func (p *program) until(head string) string {
	p.Helper()
	for p.lines.Scan() {
		p.said = append(p.said, p.lines.Text())
		if rest, ok := strings.CutPrefix(p.lines.Text(), head); ok {
			return rest
		}
	}
	_ = p.cmd.Wait() // how it ended stands below
	p.Fatalf("the client ended before it said %q:\n%s\n%s", head, strings.Join(p.said, "\n"), p.stderr.String())
	return ""
}

func (p *program) ends() {
	p.Helper()
	for p.lines.Scan() {
		p.said = append(p.said, p.lines.Text())
	}
	if err := p.cmd.Wait(); err != nil {
		p.Errorf("%v: %s", err, p.stderr.String())
	}
	p.Logf("the client said:\n%s", strings.Join(p.said, "\n"))
}
