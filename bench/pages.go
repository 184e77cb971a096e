package bench

import (
	"context"
	"errors"
	"fmt"
	"html"
	"io"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// PagesReport is what [Pages] measured.
type PagesReport struct {
	Players int        `json:"players"`
	Seconds float64    `json:"seconds"`
	Pages   []PageTime `json:"pages"`
	All     PageTime   `json:"all"`
	Bought  int        `json:"bought"`
	Errors  []string   `json:"errors"` // the first ones
	Failed  int        `json:"failed"`
	Books   string     `json:"books"` // "" when they are right
}

// PageTime is how long a page took, in milliseconds, from the request to the last byte.
type PageTime struct {
	Page     string  `json:"page"`
	Requests int     `json:"requests"`
	P50      float64 `json:"p50_ms"`
	P99      float64 `json:"p99_ms"`
	Longest  float64 `json:"longest_ms"`
}

// PagesOptions says who walks through the pages of a server, and how long.
type PagesOptions struct {
	Base     string   // address of the server
	Names    []string // addresses of players, each of whom has money
	Password string   // of all
	Length   time.Duration
	Think    time.Duration // on average between two pages, exponentially distributed
}

// Pages logs the players in and lets each walk through the pages with the cookie of their session, on connections that are kept, all at the same time.
func Pages(ctx context.Context, o PagesOptions) (*PagesReport, error) {
	transport := &http.Transport{MaxIdleConnsPerHost: len(o.Names), MaxIdleConns: len(o.Names), IdleConnTimeout: time.Minute}
	defer transport.CloseIdleConnections()
	visitors := make([]*visitor, len(o.Names))
	for i := range visitors {
		jar, err := cookiejar.New(nil)
		if err != nil {
			return nil, err
		}
		w := &visitor{base: o.Base, Client: http.Client{Transport: transport, Jar: jar, Timeout: 30 * time.Second}, rng: rand.New(rand.NewPCG(1, uint64(i))), took: map[string][]float64{}}
		if err := w.logIn(ctx, o.Names[i], o.Password); err != nil {
			return nil, err
		}
		visitors[i] = w
	}
	until, cancel := context.WithTimeout(ctx, o.Length)
	defer cancel()
	var walking sync.WaitGroup
	for _, w := range visitors {
		walking.Go(func() { w.walk(until, o.Think) })
	}
	walking.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return pagesOf(&o, visitors), nil
}

// visitor is one player at a browser.
type visitor struct {
	http.Client
	base   string
	rng    *rand.Rand
	took   map[string][]float64 // by page, milliseconds
	pack   string               // path of a pack on sale
	bought int
	errors []string
}

var (
	packLink  = regexp.MustCompile(`href="(/packs/[a-z]+-[0-9-]+/[^"/?]+)"`)
	formField = regexp.MustCompile(`<input type="hidden" name="([a-z]+)" value="([^"]*)"`)
)

// visited are the pages that a player walks through.
var visited = []string{"/", "/packs", "pack", "/play/loto", "/play/euromillions", "/results", "/odds", "/donuts", "/account", "/plays", "/account/inbox", "buy"}

func (w *visitor) logIn(ctx context.Context, name, password string) error {
	text, err := w.ask(ctx, "login", "/login", url.Values{"email": {name}, "password": {password}})
	if err == nil && strings.Contains(text, `type="password"`) {
		err = errors.New("the password was refused")
	}
	delete(w.took, "login")
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// walk goes from page to page until the time is over. A request that is under way then is not counted.
func (w *visitor) walk(ctx context.Context, think time.Duration) {
	for {
		pause := time.Duration(w.rng.ExpFloat64() * float64(think))
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
		if err := w.visit(ctx, visited[w.rng.IntN(len(visited))]); err != nil && ctx.Err() == nil {
			w.errors = append(w.errors, err.Error())
		}
	}
}

func (w *visitor) visit(ctx context.Context, page string) error {
	if w.pack == "" || page == "/packs" {
		text, err := w.ask(ctx, "/packs", "/packs", nil)
		if err != nil {
			return err
		}
		links := packLink.FindAllStringSubmatch(text, -1)
		if len(links) == 0 {
			return errors.New("/packs: no pack is on sale")
		}
		w.pack = links[w.rng.IntN(len(links))][1]
		return nil
	}
	switch page {
	case "pack":
		_, err := w.ask(ctx, "/packs/{draw}/{type}", w.pack, nil)
		return err
	case "buy":
		return w.buy(ctx)
	}
	_, err := w.ask(ctx, page, page, nil)
	return err
}

// buy reads the recap of a share and confirms it. What is refused by then, such as a pack that was sold meanwhile, is told on a page and is no error.
func (w *visitor) buy(ctx context.Context) error {
	text, err := w.ask(ctx, "/packs/{draw}/{type}/recap", w.pack+"/recap?shares=1", nil)
	if err != nil {
		return err
	}
	_, text, offered := strings.Cut(text, `action="/confirm"`)
	if !offered {
		w.pack = ""
		return nil
	}
	text, _, _ = strings.Cut(text, "</form>")
	form := url.Values{}
	for _, m := range formField.FindAllStringSubmatch(text, -1) {
		form.Set(m[1], html.UnescapeString(m[2]))
	}
	if _, err := w.ask(ctx, "/confirm", "/confirm", form); err != nil {
		return err
	}
	w.bought++
	return nil
}

// ask asks for a page, or sends a form, and measures the time to its last byte, the pages that it leads to included.
func (w *visitor) ask(ctx context.Context, page, path string, form url.Values) (string, error) {
	method, body := http.MethodGet, io.Reader(nil)
	if form != nil {
		method, body = http.MethodPost, strings.NewReader(form.Encode())
	}
	req, err := http.NewRequestWithContext(ctx, method, w.base+path, body)
	if err != nil {
		return "", err
	}
	if form != nil {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	begin := time.Now()
	res, err := w.Do(req)
	if err != nil {
		return "", fmt.Errorf("%s: %w", page, err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		return "", fmt.Errorf("%s: %w", page, err)
	}
	if res.StatusCode != http.StatusOK {
		return "", fmt.Errorf("%s: %s", page, res.Status)
	}
	w.took[page] = append(w.took[page], time.Since(begin).Seconds()*1000)
	return string(text), nil
}

// errorsShown bounds the errors of a report.
const errorsShown = 5

func pagesOf(o *PagesOptions, visitors []*visitor) *PagesReport {
	r := &PagesReport{Players: len(o.Names), Seconds: o.Length.Seconds(), Errors: []string{}}
	took, all := map[string][]float64{}, []float64(nil)
	for _, w := range visitors {
		for page, list := range w.took {
			took[page] = append(took[page], list...)
			all = append(all, list...)
		}
		r.Bought += w.bought
		r.Failed += len(w.errors)
		r.Errors = append(r.Errors, w.errors[:min(len(w.errors), errorsShown-min(len(r.Errors), errorsShown))]...)
	}
	for page, list := range took {
		r.Pages = append(r.Pages, timed(page, list))
	}
	slices.SortFunc(r.Pages, func(a, b PageTime) int { return strings.Compare(a.Page, b.Page) })
	r.All = timed("all", all)
	return r
}

func timed(page string, list []float64) PageTime {
	slices.Sort(list)
	at := func(part float64) float64 {
		if len(list) == 0 {
			return 0
		}
		return math.Round(list[min(len(list)-1, int(part*float64(len(list))))]*10) / 10
	}
	return PageTime{page, len(list), at(.5), at(.99), at(1)}
}
