package api_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"tirage/central"
	"tirage/web/api"
)

// shares quotes shares and returns the text to confirm.
func (o *office) shares(token, draw string, n int) *api.Quote {
	o.Helper()
	return must[api.Quote](o, "POST", "/quotes/shares", token, "", map[string]any{"draw": draw, "type": "ten", "shares": n})
}

// A player's life through the API alone.
func TestLife(t *testing.T) {
	o := open(t)
	draw := o.sale()
	_, token := o.join("zoe", 10_000)
	me := must[api.Account](o, "GET", "/me", token, "", nil)
	if me.Balance != 10_000 || me.Identity != "confirmed" || len(me.Limits) != 2 || me.Check.Open {
		t.Errorf("%+v", me)
	}
	offers := must[central.Catalogue](o, "GET", "/catalogue", "", "", nil)
	if len(offers.Games) == 0 || len(offers.Rounds) == 0 {
		t.Errorf("%+v", offers)
	}
	q := o.shares(token, draw, 1)
	if q.Cents == 0 || q.Recap["fr"].Confirm != "Je valide" || q.Recap["en"].Confirm != "Confirm" {
		t.Errorf("%+v", q)
	}
	bought := must[central.Bought](o, "POST", "/plays", token, "buy", map[string]string{"quote": q.Text})
	if len(bought.Grids) == 0 || len(bought.Codes) == 0 {
		t.Errorf("contents are shown once paid: %+v", bought)
	}
	page := must[api.PlaysPage](o, "GET", "/plays?limit=10", token, "", nil)
	if len(page.Plays) != 1 || page.Plays[0].Play != bought.Play {
		t.Errorf("%+v", page)
	}
	must[central.PlayRecord](o, "GET", "/plays/"+draw+"/"+bought.Play, token, "", nil)
	dropped := must[api.Dropped](o, "POST", "/quotes/drop", token, "", map[string]string{"quote": o.shares(token, draw, 2).Text})
	if order, ok := dropped.Order.Sale.(central.BuyShares); !ok || order.Shares != 2 {
		t.Errorf("%+v", dropped)
	}
	s := must[api.Statement](o, "GET", "/statement?limit=1", token, "", nil)
	if s.Next == "" || s.Closing != 10_000-q.Cents || s.Totals.Stakes != q.Cents || len(s.Movements) != 1 {
		t.Errorf("%+v", s)
	}
	s = must[api.Statement](o, "GET", "/statement?after="+s.Next, token, "", nil)
	if len(s.Movements) != 1 || s.Movements[0].After != 10_000-q.Cents || s.Movements[0].Before != 10_000 {
		t.Errorf("%+v", s)
	}
	must[central.PaymentState](o, "POST", "/withdrawals", token, "out", map[string]int{"cents": 100})
	if l := must[api.List[api.PaymentView]](o, "GET", "/payments", token, "", nil); len(l.Items) != 2 || l.Items[0].Kind != "withdrawal" {
		t.Errorf("%+v", l)
	}
	// The ladder: a round for money, its history, and the same without money.
	round := must[central.RoundAnswer](o, "POST", "/rounds/donuts", token, "round", nil)
	id := round.Round.Round.String()
	series := must[central.RoundAnswer](o, "POST", "/rounds/donuts/"+id+"/series", token, "go", map[string]any{"step": 0, "contribution": strings.Repeat("ab", 16)})
	if series.Series == nil || series.Round.Step != 1 {
		t.Errorf("%+v", series)
	}
	if old := o.ask("POST", "/rounds/donuts/"+id+"/series", token, "again", map[string]any{"step": 0, "contribution": strings.Repeat("ab", 16)}); old.status != 409 || old.problem(t).Reason != "round.step" || old.problem(t).Current == nil {
		t.Errorf("%d %s", old.status, old.body)
	}
	if r := must[api.RoundsPage](o, "GET", "/rounds/donuts", token, "", nil); len(r.Rounds) != 1 || len(r.Rounds[0].Series) != 1 || !r.Rounds[0].Replay {
		t.Errorf("%+v", r)
	}
	must[map[string]any](o, "GET", "/rounds/donuts/"+id+"/file", token, "", nil)
	balance := must[api.Account](o, "GET", "/me", token, "", nil).Balance
	practice := must[api.PracticeRound](o, "POST", "/practice/donuts", "", "", nil)
	for practice.State == "open" && practice.Step < 3 {
		practice = must[api.PracticeRound](o, "POST", "/practice/donuts/"+practice.Round+"/series", "", "", map[string]any{"step": practice.Step, "contribution": strings.Repeat("cd", 16)})
		if practice.Series == nil || !practice.Practice {
			t.Errorf("%+v", practice)
		}
	}
	if now := must[api.Account](o, "GET", "/me", token, "", nil).Balance; now != balance {
		t.Errorf("practice moved %v to %v", balance, now)
	}
	must[central.Excluded](o, "POST", "/me/exclusion", token, "", map[string]int{"hours": 24})
	if a := o.ask("POST", "/deposits", token, "late", map[string]int{"cents": 100}); a.status != 403 || a.problem(t).Reason != "player.excluded" {
		t.Errorf("%d %s", a.status, a.body)
	}
	must[map[string]any](o, "DELETE", "/sessions/current", token, "", nil)
	if a := o.ask("GET", "/me", token, "", nil); a.status != 401 {
		t.Errorf("after the logout: %d %s", a.status, a.body)
	}
	o.CheckBooks()
}

// A quote pays what it shows: the amounts of the API are the cents of the ledger.
func TestCase03AmountsAreTheLedgers(t *testing.T) {
	o := open(t)
	draw := o.sale()
	_, token := o.join("zoe", 10_000)
	q := o.shares(token, draw, 5)
	if !strings.Contains(q.Recap["fr"].Lines[len(q.Recap["fr"].Lines)-1].Value, "100,00") {
		t.Errorf("the balance of the recap is %+v", q.Recap["fr"].Lines)
	}
	bought := must[central.Bought](o, "POST", "/plays", token, "buy", map[string]string{"quote": q.Text})
	s := must[api.Statement](o, "GET", "/statement", token, "", nil)
	if last := s.Movements[len(s.Movements)-1]; last.Cents != -q.Cents || bought.Cents != q.Cents || must[api.Account](o, "GET", "/me", token, "", nil).Balance != last.After {
		t.Errorf("quoted %v, bought %v, moved %v", q.Cents, bought.Cents, last.Cents)
	}
}

// Twenty equal requests under one key: one debit, twenty equal answers; without a key none.
func TestCase23DoubleClickOverHTTP(t *testing.T) {
	o := open(t)
	draw := o.sale()
	_, token := o.join("zoe", 10_000)
	q := o.shares(token, draw, 2)
	body := map[string]string{"quote": q.Text}
	if a := o.ask("POST", "/plays", token, "", body); a.status != 400 || a.problem(t).Reason != "key.missing" || a.problem(t).Field != "Idempotency-Key" {
		t.Errorf("without a key: %d %s", a.status, a.body)
	}
	answers := make([]answer, 20)
	var wg sync.WaitGroup
	for i := range answers {
		wg.Go(func() { answers[i] = o.ask("POST", "/plays", token, "click", body) })
	}
	wg.Wait()
	for i, a := range answers {
		if a.status != 201 || string(a.body) != string(answers[0].body) {
			t.Errorf("answer %d: %d %s", i, a.status, a.body)
		}
	}
	if b := must[api.Account](o, "GET", "/me", token, "", nil).Balance; b != 10_000-q.Cents {
		t.Errorf("balance %v, want one debit of %v", b, q.Cents)
	}
	o.CheckBooks()
}

// The same key with another body is a conflict, and nothing is debited.
func TestCase24SameKeyOtherBodyOverHTTP(t *testing.T) {
	o := open(t)
	_, token := o.join("zoe", 10_000)
	must[central.PaymentState](o, "POST", "/withdrawals", token, "k", map[string]int{"cents": 100})
	for _, path := range []string{"/withdrawals", "/deposits"} {
		if a := o.ask("POST", path, token, "k", map[string]int{"cents": 200}); a.status != 409 || a.problem(t).Reason != "key.reused" {
			t.Errorf("%s: %d %s", path, a.status, a.body)
		}
	}
	if b := must[api.Account](o, "GET", "/me", token, "", nil).Balance; b != 9_900 {
		t.Errorf("balance %v", b)
	}
}

// Money is whole cents up to the limit of 64 bits; ids are texts, whatever their size.
func TestCase29NumbersOverHTTP(t *testing.T) {
	o := open(t)
	player, token := o.join("zoe", 0)
	a := o.ask("GET", "/me", token, "", nil)
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(a.body, &raw); err != nil || string(raw["player"]) != `"`+player+`"` || string(raw["balance"]) != "0" {
		t.Errorf("%s", a.body)
	}
	must[central.Limit](o, "PUT", "/me/limits/deposits", token, "", map[string]int64{"cents": 0})
	const big = 5_000_000_000 // above 2^31
	if a := o.ask("POST", "/withdrawals", token, "big", map[string]int64{"cents": big}); a.status != 409 || a.problem(t).Reason != "balance.insufficient" || !strings.Contains(a.problem(t).Said, "50000000.00") {
		t.Errorf("%d %s", a.status, a.body)
	}
}

// Amounts that are no whole number of cents are refused where they come in, with what is accepted, in both languages.
func TestCase30AmountsOverHTTP(t *testing.T) {
	o := open(t)
	_, token := o.join("zoe", 1000)
	for _, amount := range []string{`"1,5"`, `1.5`, `1e18`, `1e2`, `1e-12`, `-1`, `0`, `NaN`, `"100"`, `null`, `true`, `[]`, `{}`, `99999999999999999999`, `1000000000000001`, `01`, `+1`} {
		a := o.ask("POST", "/withdrawals", token, "k", `{"cents":`+amount+`}`)
		if a.status != 422 && a.status != 400 {
			t.Errorf("%s: %d %s", amount, a.status, a.body)
			continue
		}
		p := a.problem(t)
		if p.Code != "invalid" || p.Texts.French == "" || p.Texts.English == "" || p.Texts.French == p.Texts.English || a.status == 422 && (p.Field != "cents" || p.Accepted == "" && p.Said == "") && p.Field != "body" {
			t.Errorf("%s: %s", amount, a.body)
		}
	}
	for _, body := range []string{``, `{`, `[]`, `{"cents":100,"more":1}`, `{"Cents":100}`, `null`} {
		if a := o.ask("POST", "/withdrawals", token, "k", body); a.status != 422 && a.status != 400 {
			t.Errorf("%q: %d %s", body, a.status, a.body)
		}
	}
	if b := must[api.Account](o, "GET", "/me", token, "", nil).Balance; b != 1000 {
		t.Errorf("balance %v", b)
	}
}

// The server's clock decides; what a client says of the time is not asked for.
func TestCase41TheServersClockDecides(t *testing.T) {
	o := open(t)
	draw := o.sale()
	_, token := o.join("zoe", 10_000)
	me := must[api.Account](o, "GET", "/me", token, "", nil)
	if !me.Now.Equal(o.Clock.Now()) {
		t.Errorf("now %v, the clock is %v", me.Now, o.Clock.Now())
	}
	q := o.shares(token, draw, 1)
	o.Clock.Set(o.Clock.Now().Add(10 * time.Minute)) // the close
	if a := o.ask("POST", "/plays", token, "late", map[string]string{"quote": q.Text}); a.status != 409 {
		t.Errorf("%d %s", a.status, a.body)
	}
	if got := must[api.Account](o, "GET", "/me", token, "", nil); got.Balance != 10_000 {
		t.Errorf("%+v", got)
	}
}

// No error repeats a secret, wherever it stands in a request.
func TestCase45ErrorsNeverEchoSecrets(t *testing.T) {
	o := open(t)
	o.sale()
	_, token := o.join("zoe", 0)
	const secret = "hunter2hunter2SECRET"
	for _, c := range []struct{ method, path, body string }{
		{"POST", "/players", `{"given":"A","family":"B","birth":"x","email":"no","password":"` + secret + `"}`},
		{"POST", "/players", `{"given":1,"family":"B","birth":"x","email":"no","password":{"a":"` + secret + `"}}`},
		{"POST", "/players", `{"given":"A","family":"B","password":["` + secret + `"]`},
		{"POST", "/players", `{"` + secret + `":1}`},
		{"POST", "/players", `{"given":"A","family":"B","birth":"1980-02-29","email":"a@example.org","password":"` + strings.Repeat(secret, 20) + `"}`},
		{"POST", "/sessions", `{"email":"` + secret + `","password":"` + secret + `"}`},
		{"POST", "/sessions", `{"email":"zoe@example.org","password":"` + secret + `"}`},
		{"POST", "/sessions", `{"email":"zoe@example.org","password":"` + secret},
		{"POST", "/staff/sessions", `{"name":"x","password":"` + secret + `"}`},
		{"POST", "/me/password", `{"old":"` + secret + `","password":"` + secret + `x"}`},
		{"POST", "/me/password", `{"old":7,"password":"` + secret + `x"}`},
		{"POST", "/me/passkeys", `{"ceremony":"x","name":"n","response":{"id":"` + secret + `"}}`},
		{"POST", "/sessions/passkey", `{"ceremony":"` + secret + `","response":"` + secret + `"}`},
		{"GET", "/me?password=" + secret, ""},
		{"GET", "/plays/" + secret + "/" + secret, ""},
		{"POST", "/plays", `{"quote":"` + secret + `"}`},
	} {
		var body any
		if c.body != "" {
			body = c.body
		}
		a := o.ask(c.method, c.path, token, "k", body)
		if a.status < 400 || strings.Contains(string(a.body), "hunter2") || strings.Contains(fmt.Sprint(a.header), "hunter2") {
			t.Errorf("%s %s: %d %s", c.method, c.path, a.status, a.body)
		}
		if strings.Contains(string(a.body), token) {
			t.Errorf("%s %s repeats the token", c.method, c.path)
		}
	}
	if a := o.ask("GET", "/me", secret, "", nil); a.status != 401 || strings.Contains(string(a.body), "hunter2") {
		t.Errorf("%d %s", a.status, a.body)
	}
}

// A body above the limit is refused before it is read; one that hides its length is cut.
func TestLargeBodies(t *testing.T) {
	o := open(t)
	for _, sized := range []bool{true, false} {
		body := io.Reader(&endless{left: 1 << 30})
		req, err := http.NewRequestWithContext(t.Context(), "POST", o.server.URL+api.Prefix+"/sessions", body)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		if sized {
			req.ContentLength = 1 << 30
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			continue // the server has closed the connection while we were still sending
		}
		text, _ := io.ReadAll(res.Body)
		res.Body.Close()
		if res.StatusCode != 413 || !strings.Contains(string(text), "body.large") {
			t.Errorf("%d %s", res.StatusCode, text)
		}
	}
}

type endless struct{ left int }

func (e *endless) Read(p []byte) (int, error) {
	if e.left == 0 {
		return 0, io.EOF
	}
	n := min(len(p), e.left)
	for i := range p[:n] {
		p[i] = ' '
	}
	e.left -= n
	return n, nil
}

// Every refusal speaks the language of the request, French when it does not say.
func TestLanguages(t *testing.T) {
	o := open(t)
	for accept, want := range map[string]string{"": "fr", "en": "en", "en-GB,fr;q=0.5": "en", "fr,en;q=0.9": "fr", "de": "fr", "en;q=x": "fr", "*": "fr"} {
		req, _ := http.NewRequestWithContext(t.Context(), "GET", o.server.URL+api.Prefix+"/me", nil)
		req.Header.Set("Accept-Language", accept)
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		p := api.Problem{}
		if err := json.NewDecoder(res.Body).Decode(&p); err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if got := map[string]string{p.Texts.French: "fr", p.Texts.English: "en"}[p.Detail]; got != want || p.Status != 401 {
			t.Errorf("%q: %+v", accept, p)
		}
	}
	for path, want := range map[string]int{"/nothing": 404, "/me/nothing": 404} {
		if a := o.ask("GET", path, "", "", nil); a.status != want || a.problem(t).Reason != "route.unknown" {
			t.Errorf("%s: %d %s", path, a.status, a.body)
		}
	}
	if a := o.ask("DELETE", "/catalogue", "", "", nil); a.status != 405 || a.header.Get("Allow") != "GET" || a.problem(t).Reason != "method.unknown" {
		t.Errorf("%d %v %s", a.status, a.header, a.body)
	}
}

// A browser is logged in by a cookie that no script reads; what comes from a page of another site changes nothing.
func TestCookiesAndOtherSites(t *testing.T) {
	o := open(t)
	o.join("zoe", 0)
	a := o.ask("POST", "/sessions", "", "", map[string]string{"email": "zoe@example.org", "password": password})
	cookie := a.header.Get("Set-Cookie")
	for _, want := range []string{"tirage_session=", "HttpOnly", "SameSite=Lax", "Path=/"} {
		if !strings.Contains(cookie, want) {
			t.Errorf("cookie %q has no %s", cookie, want)
		}
	}
	send := func(site string) int {
		req, _ := http.NewRequestWithContext(t.Context(), "PUT", o.server.URL+api.Prefix+"/me/check", strings.NewReader(`{"minutes":30}`))
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Cookie", strings.Split(cookie, ";")[0])
		req.Header.Set("Sec-Fetch-Site", site)
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		return res.StatusCode
	}
	if same, cross := send("same-origin"), send("cross-site"); same != 200 || cross != 403 {
		t.Errorf("same site %d, other site %d", same, cross)
	}
}

func TestRates(t *testing.T) {
	o := open(t, func(c *api.Config) { c.Rates = api.Rates{Requests: 1, Burst: 3, LoginsMin: 2} })
	var last answer
	for range 4 {
		last = o.ask("GET", "/catalogue", "", "", nil)
	}
	if last.status != 429 || last.problem(t).Reason != "rate.limit" || last.header.Get("Retry-After") == "" {
		t.Errorf("%d %s", last.status, last.body)
	}
	o.Clock.Set(o.Clock.Now().Add(2 * time.Second))
	if a := o.ask("GET", "/catalogue", "", "", nil); a.status != 200 {
		t.Errorf("after a pause: %d %s", a.status, a.body)
	}
	for range 3 {
		o.Clock.Set(o.Clock.Now().Add(time.Second))
		last = o.ask("POST", "/sessions", "", "", map[string]string{"email": "a@example.org", "password": "x"})
	}
	if last.status != 429 {
		t.Errorf("third login: %d %s", last.status, last.body)
	}
}

// Events come live, and go on after the last one that arrived; nobody hears of another player's.
func TestEvents(t *testing.T) {
	o := open(t)
	draw := o.sale()
	_, token := o.join("zoe", 10_000)
	listen := func(token, last string) (*bufio.Scanner, func()) {
		req, _ := http.NewRequestWithContext(t.Context(), "GET", o.server.URL+api.Prefix+"/events", nil)
		if token != "" {
			req.Header.Set("Authorization", "Bearer "+token)
		}
		if last != "" {
			req.Header.Set("Last-Event-ID", last)
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		return bufio.NewScanner(res.Body), func() { res.Body.Close() }
	}
	var told []string // names of the events that were read
	// next returns the next event of a name, with its id.
	next := func(s *bufio.Scanner, name string) (id, data string) {
		t.Helper()
		event := ""
		for s.Scan() {
			switch field, value, _ := strings.Cut(s.Text(), ": "); field {
			case "id":
				id = value
			case "event":
				event = value
				told = append(told, event)
			case "data":
				if event == name {
					return id, value
				}
			}
		}
		t.Fatalf("the stream ended before %s", name)
		return "", ""
	}
	mine, end := listen(token, "")
	last, _ := next(mine, "hello")
	public, endPublic := listen("", "")
	next(public, "hello")
	buy := func(key string) {
		must[central.Bought](o, "POST", "/plays", token, key, map[string]string{"quote": o.shares(token, draw, 1).Text})
	}
	buy("one")
	must[central.RoundAnswer](o, "POST", "/rounds/donuts", token, "round", nil)
	must[central.Limit](o, "PUT", "/me/limits/stakes", token, "", map[string]int{"cents": 5_000})
	for _, want := range [][2]string{
		{"play", `"pack":"ten/0","shares":1`}, {"balance", `"account":"stakes/` + draw}, {"done", `"kind":"confirm"`}, {"round", `"state":"open","step":0`},
		{"balance", `"account":"stakes/donuts"`}, {"message", `"kind":"limit"`}, {"done", `"kind":"set_limit"`},
	} {
		if _, data := next(mine, want[0]); !strings.Contains(data, want[1]) {
			t.Errorf("%s %s, want %s", want[0], data, want[1])
		}
	}
	told = nil
	if _, data := next(public, "pack"); !strings.Contains(data, `"sold":1`) || len(told) != 1 {
		t.Errorf("%s after %q", data, told)
	}
	end()
	buy("two") // while nobody listens
	again, end := listen(token, last)
	next(again, "hello")
	for _, sold := range []string{`"sold":1`, `"sold":2`} {
		if _, data := next(again, "pack"); !strings.Contains(data, sold) {
			t.Errorf("%s, want %s", data, sold)
		}
	}
	end()
	endPublic()
	if a := o.ask("GET", "/events?after=x", "", "", nil); a.status != 422 {
		t.Errorf("%d %s", a.status, a.body)
	}
}

// Nothing that a player asks for shows another's.
func TestNobodySeesAnothers(t *testing.T) {
	o := open(t)
	draw := o.sale()
	_, token := o.join("zoe", 10_000)
	q := o.shares(token, draw, 1)
	bought := must[central.Bought](o, "POST", "/plays", token, "buy", map[string]string{"quote": q.Text})
	other := second(o, "max")
	if a := o.ask("GET", "/plays/"+draw+"/"+bought.Play, other, "", nil); a.status != 404 {
		t.Errorf("%d %s", a.status, a.body)
	}
	if a := o.ask("POST", "/plays", other, "steal", map[string]string{"quote": o.shares(token, draw, 1).Text}); a.status != 403 || a.problem(t).Reason != "quote.other" {
		t.Errorf("%d %s", a.status, a.body)
	}
	if p := must[api.PlaysPage](o, "GET", "/plays", other, "", nil); len(p.Plays) != 0 {
		t.Errorf("%+v", p)
	}
}

// second registers one more player through the API, confirmed by the system.
func second(o *office, name string) string {
	o.Helper()
	created := must[central.PlayerCreated](o, "POST", "/players", "", "join-"+name, map[string]string{
		"given": "Player", "family": name, "birth": "1980-02-29", "email": name + "@example.org", "password": password,
	})
	o.Confirm(created.Player)
	return must[api.LoggedIn](o, "POST", "/sessions", "", "", map[string]string{"email": name + "@example.org", "password": password}).Token
}
