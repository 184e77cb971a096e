package tower_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

func readAll(f *fair, res *http.Response) string {
	f.Helper()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		f.Fatal(err)
	}
	return string(b)
}

// shared is the one browser of all tests.
var shared struct {
	sync.Mutex
	ctx  context.Context
	stop []context.CancelFunc
}

func TestMain(m *testing.M) {
	code := m.Run()
	for _, stop := range slices.Backward(shared.stop) {
		stop()
	}
	os.Exit(code)
}

// browser starts a headless browser without a GPU, once; the test is skipped, saying so, where there is none.
func browser(t *testing.T) context.Context {
	t.Helper()
	if testing.Short() {
		t.Skip("skipped: no browser with -short")
	}
	path, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("skipped: chromium is not installed")
	}
	shared.Lock()
	defer shared.Unlock()
	if shared.ctx != nil {
		return shared.ctx
	}
	opts := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.DisableGPU, chromedp.NoSandbox, chromedp.WindowSize(1280, 860))
	ctx, stop := chromedp.NewExecAllocator(context.Background(), opts...)
	ctx, end := chromedp.NewContext(ctx)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatal(err)
	}
	shared.ctx, shared.stop = ctx, []context.CancelFunc{stop, end}
	return ctx
}

// tab is a page in the browser.
type tab struct {
	*fair
	ctx context.Context
}

// look is how a tab shows pages.
type look struct {
	wide, high  int64
	lang, theme string
	still       bool // the system asks for less motion
}

// tab opens a page as a player, in a profile of its own.
func (f *fair) tab(ctx context.Context, p person, l look, path string) *tab {
	f.Helper()
	ctx, cancel := chromedp.NewContext(ctx, chromedp.WithNewBrowserContext())
	f.Cleanup(cancel)
	ctx, cancel = context.WithTimeout(ctx, 2*time.Minute)
	f.Cleanup(cancel)
	if l.wide == 0 {
		l.wide, l.high = 1280, 860
	}
	if l.lang == "" {
		l.lang = "fr"
	}
	motion := "no-preference"
	if l.still {
		motion = "reduce"
	}
	var options []chromedp.EmulateViewportOption
	if l.wide < 600 {
		options = append(options, chromedp.EmulateMobile, chromedp.EmulateScale(2))
	}
	x := &tab{f, ctx}
	x.do(chromedp.EmulateViewport(l.wide, l.high, options...), chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: motion}}})
		return err
	}))
	q := url.Values{"token": {p.token}, "tirage_lang": {l.lang}, "tirage_theme": {l.theme}, "to": {path}}
	x.do(chromedp.Navigate(f.server.URL+"/enter?"+q.Encode()), chromedp.WaitReady(chromedp.CSS("#contenu")))
	return x
}

func (x *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	x.Helper()
	if err := chromedp.Do(x.ctx, steps...); err != nil {
		x.Fatal(err)
	}
}

func eval[T any](x *tab, js string) T {
	x.Helper()
	v, err := chromedp.Run(x.ctx, chromedp.Evaluate[T](js, chromedp.EvalAwaitPromise))
	if err != nil {
		x.Fatalf("%s: %v", js, err)
	}
	return v
}

// until waits until an expression is true.
func (x *tab) until(js string) {
	x.Helper()
	for range 600 {
		if eval[bool](x, "!!("+js+")") {
			return
		}
		x.do(chromedp.Sleep(20 * time.Millisecond))
	}
	x.Fatalf("never true: %s; the page says %q", js, eval[string](x, "document.body.innerText"))
}

// heading waits for a heading.
func (x *tab) heading(text string) {
	x.Helper()
	x.until(fmt.Sprintf("document.querySelector('#q')?.textContent === %q && !document.querySelector('[aria-busy]')", text))
}

// part sets what the device adds to the next draw.
func (x *tab) part(hex string) {
	x.Helper()
	eval[bool](x, fmt.Sprintf("crypto.getRandomValues = a => { a.set(%q.match(/../g).map(h => parseInt(h, 16))); return a; }, true", hex))
}

// press puts the focus on the button of an action by the keyboard and presses Enter.
func (x *tab) press(action string) {
	x.Helper()
	for range 60 {
		if eval[bool](x, fmt.Sprintf("document.activeElement?.closest('form[data-act=%q]') !== null && document.activeElement?.tagName === 'BUTTON'", action)) {
			x.do(chromedp.KeyEvent("\r"))
			return
		}
		x.do(chromedp.KeyEvent("\t"))
	}
	x.Fatalf("the keyboard does not reach %s", action)
}

func (x *tab) text(selector string) string {
	x.Helper()
	return strings.Join(strings.Fields(eval[string](x, fmt.Sprintf("document.querySelector(%q)?.textContent ?? ''", selector))), " ")
}

func (x *tab) shot(name string) {
	x.Helper()
	if shots == "" {
		return
	}
	png, err := chromedp.Run(x.ctx, chromedp.CaptureScreenshot())
	if err != nil {
		x.Fatal(err)
	}
	shot(x, name, png)
}

// climb plays levels by the keyboard.
func (x *tab) climb(p person, levels int) {
	x.Helper()
	x.press("start")
	x.heading("La partie est ouverte")
	for n := range levels {
		x.part(x.fate(p.id, true))
		x.press("go")
		x.heading(fmt.Sprintf("Palier %d franchi", n+1))
	}
}
