// Package webtest drives a browser over the pages in tests: Debian's chromium without a window, one at a time.
//
//	b := webtest.Open(t, server.URL)          // skips, in words, where no chromium is installed
//	b.Phone()
//	b.Go("/packs")
//	b.Click("text of a button or link")
//	b.Accessible("packs")                     // axe-core: no violation, light and dark
//	b.Shoot("packs-fr-390")                   // a picture for review, where TIRAGE_SHOTS names a folder
//
// Every page that a test opens is looked at for what the policy forbids: a message of the browser about it fails the test.
package webtest

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// axe is axe-core 4.14.1, under the licence beside it.
//
//go:embed testdata/axe.min.js
var axe string

// patience bounds what a page may take: a machine under load is slow, a page that hangs is not waited for.
const patience = 60 * time.Second

// Browser is one tab.
type Browser struct {
	testing.TB
	Base string // address of the server
	ctx  context.Context

	stop func()

	mu       sync.Mutex
	messages []string // of the browser: errors of scripts and of the policy
}

// Program returns the path of a chromium, "" where there is none.
func Program() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// Open starts a browser for a test. Without a chromium the test is skipped and says so.
func Open(t testing.TB, base string) *Browser {
	t.Helper()
	program := Program()
	if program == "" {
		t.Skip("no chromium is installed (Debian: apt-get install chromium): the pages are not seen by a browser")
	}
	b := &Browser{TB: t, Base: strings.TrimSuffix(base, "/")}
	alloc, stop := chromedp.NewExecAllocator(context.Background(), chromedp.ExecPath(program), chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun,
		chromedp.Flag("lang", "fr-FR"), chromedp.Flag("disable-dev-shm-usage", true), chromedp.Flag("hide-scrollbars", true), chromedp.Flag("accept-lang", "fr-FR"))
	ctx, cancel := chromedp.NewContext(alloc, chromedp.WithBrowserOption(chromedp.WithConsolef(b.note)))
	b.ctx = ctx
	b.stop = func() { cancel(); stop() }
	t.Cleanup(b.stop)
	if err := chromedp.Do(ctx); err != nil { // the browser lives as long as the context that started it
		t.Fatal(err)
	}
	b.Wide()
	return b
}

// Close ends the browser before the test ends.
func (b *Browser) Close() { b.stop() }

// note keeps what the browser complains about.
func (b *Browser) note(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	for _, sign := range []string{"Content Security Policy", "Content-Security-Policy", "Uncaught", "exception", "Refused to"} {
		if strings.Contains(text, sign) {
			b.mu.Lock()
			b.messages = append(b.messages, text)
			b.mu.Unlock()
			return
		}
	}
}

// quiet fails the test for what the browser has complained about.
func (b *Browser) quiet(where string) {
	b.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, m := range b.messages {
		b.Errorf("%s: the browser says: %s", where, m)
	}
	b.messages = nil
}

// run does steps within a bounded time.
func (b *Browser) run(what string, steps ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.Fatalf("%s: %v\n%s", what, err, b.tail())
	}
}

// tail is the text of the page, for failures.
func (b *Browser) tail() string {
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	text, _ := chromedp.Run(ctx, chromedp.Evaluate[string]("location.href + '\\n' + (document.querySelector('main') ?? document.body).innerText"))
	if len(text) > 1500 {
		text = text[:1500]
	}
	return text
}

// Eval returns the value of an expression.
func Eval[T any](b *Browser, expression string) T {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.Fatalf("%.80s: %v", expression, err)
	}
	return v
}

// Phone makes the window that of a phone, 390 pixels wide; Wide that of a desk, 1280.
func (b *Browser) Phone() {
	b.Helper()
	b.run("phone", chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile, chromedp.EmulateScale(2)))
}

// Narrow makes the window 320 pixels wide, at which a page must still flow (WCAG 1.4.10).
func (b *Browser) Narrow() {
	b.Helper()
	b.run("narrow", chromedp.EmulateViewport(320, 640, chromedp.EmulateMobile, chromedp.EmulateScale(1)))
}

// Wider is by how many pixels the page is wider than its window: it would move sideways.
func (b *Browser) Wider() int {
	b.Helper()
	return Eval[int](b, "Math.max(document.documentElement.scrollWidth, document.body.scrollWidth) - screen.width")
}

// Wide makes the window 1280 pixels wide.
func (b *Browser) Wide() {
	b.Helper()
	b.run("desk", chromedp.EmulateViewport(1280, 900))
}

// Media sets what the person prefers: "dark" or "light", and less motion.
func (b *Browser) Media(scheme string, still bool) {
	b.Helper()
	motion := "no-preference"
	if still {
		motion = "reduce"
	}
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: motion},
	}})
	if err != nil {
		b.Fatalf("media: %v", err)
	}
}

// Offline takes the network away from the page, or gives it back.
func (b *Browser) Offline(away bool) {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	_, err := chromedp.Call(ctx, network.OverrideNetworkState, network.OverrideNetworkStateParams{Offline: away, DownloadThroughput: -1, UploadThroughput: -1})
	if err != nil {
		b.Fatalf("offline: %v", err)
	}
}

// Go opens a page of the server and waits for it.
func (b *Browser) Go(path string) {
	b.Helper()
	b.settle() // what was pressed before goes its way first
	b.run("open "+path, chromedp.Navigate(b.Base+path), chromedp.WaitReady("body"))
	b.quiet(path)
}

// Path is the path and query of the page that is open.
func (b *Browser) Path() string {
	b.Helper()
	return Eval[string](b, "location.pathname + location.search")
}

// Arrives waits until the page of a path is open.
func (b *Browser) Arrives(path string) {
	b.Helper()
	for range 200 {
		b.settle()
		if b.Path() == path {
			b.quiet(path)
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	b.Fatalf("%s is open, want %s\n%s", b.Path(), path, b.tail())
}

// Click presses the first visible button, link or label that says a text, or the element of a selector that begins with . # or [.
func (b *Browser) Click(what string) {
	b.Helper()
	if !Eval[bool](b, fmt.Sprintf(find, what)+`.then(el => { if (!el) return false; el.scrollIntoView({block: "center"}); el.focus(); el.click(); return true; })`) {
		b.Fatalf("nothing to press says %q on\n%s", what, b.tail())
	}
	b.settle()
	b.quiet("after " + what)
}

// find looks for an element until it is there.
const find = `(async what => {
	const plain = s => (s ?? "").replace(/[\u00a0\u202f\s]+/g, " ").trim();
	for (let i = 0; i < 100; i++) {
		const list = /^[.#[]/.test(what) ? [...document.querySelectorAll(what)]
			: [...document.querySelectorAll("dialog[open] button, dialog[open] a, button, a, summary, label")].filter(e => plain(e.textContent).includes(plain(what)));
		const el = list.find(e => e.getClientRects().length > 0) ?? (/^[.#[]/.test(what) ? list[0] : undefined);
		if (el) return el;
		await new Promise(r => setTimeout(r, 50));
	}
	return null;
})(%q)`

// settle waits until the page that is open is loaded.
func (b *Browser) settle() {
	b.Helper()
	time.Sleep(50 * time.Millisecond) // the press is under way
	for range 200 {
		ctx, cancel := context.WithTimeout(b.ctx, patience)
		state, err := chromedp.Run(ctx, chromedp.Evaluate[string]("document.readyState"))
		cancel()
		if err == nil && state == "complete" {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// Fill types into the field of a name.
func (b *Browser) Fill(name, value string) {
	b.Helper()
	ok := Eval[bool](b, fmt.Sprintf(`(() => { const el = document.querySelector('[name="%s"]:not([type=hidden])'); if (!el) return false;
		el.focus(); el.value = %q; el.dispatchEvent(new Event("input", {bubbles: true})); el.dispatchEvent(new Event("change", {bubbles: true})); return true; })()`, name, value))
	if !ok {
		b.Fatalf("no field %q on\n%s", name, b.tail())
	}
}

// Drop drops a file onto the element of a selector, as somebody does who drags it there.
func (b *Browser) Drop(selector, name, content string) {
	b.Helper()
	ok := Eval[bool](b, fmt.Sprintf(`(() => { const el = document.querySelector(%q); if (!el) return false;
		const data = new DataTransfer(); data.items.add(new File([%q], %q));
		for (const type of ["dragenter", "dragover", "drop"]) el.dispatchEvent(new DragEvent(type, {bubbles: true, cancelable: true, dataTransfer: data}));
		return true; })()`, selector, content, name))
	if !ok {
		b.Fatalf("nothing at %q to drop %s onto", selector, name)
	}
}

// File is the text of a file of the server, as the session of the browser gets it.
func (b *Browser) File(path string) string {
	b.Helper()
	return Eval[string](b, fmt.Sprintf(`fetch(%q).then(r => r.ok ? r.text() : Promise.reject(r.status))`, path))
}

var keys = map[string]string{
	"Tab": kb.Tab, "Enter": kb.Enter, "Escape": kb.Escape, "Space": " ", "ArrowUp": kb.ArrowUp, "ArrowDown": kb.ArrowDown, "ArrowLeft": kb.ArrowLeft, "ArrowRight": kb.ArrowRight,
}

// Press presses keys by their names ("Tab", "Enter", "Space"), as a person without a mouse does; anything else is typed.
func (b *Browser) Press(names ...string) {
	b.Helper()
	for _, name := range names {
		k, ok := keys[name]
		if !ok {
			k = name
		}
		b.run("key "+name, chromedp.KeyEvent(k))
	}
}

// Text is what the element of a selector says, with plain spaces.
func (b *Browser) Text(selector string) string {
	b.Helper()
	return plain(Eval[string](b, fmt.Sprintf(`document.querySelector(%q)?.innerText ?? ""`, selector)))
}

func plain(s string) string {
	return strings.Join(strings.Fields(strings.NewReplacer("\u00a0", " ", "\u202f", " ").Replace(s)), " ")
}

// Sees fails the test unless the page says each text.
func (b *Browser) Sees(texts ...string) {
	b.Helper()
	page := b.Text("body")
	for _, text := range texts {
		if !strings.Contains(page, plain(text)) {
			b.Errorf("%s does not say %q:\n%.1500s", b.Path(), text, page)
		}
	}
}

// Waits waits until the page says a text.
func (b *Browser) Waits(text string) {
	b.Helper()
	for range 200 {
		b.settle()
		if strings.Contains(b.Text("body"), plain(text)) {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	b.Fatalf("%s does not come to say %q\n%s", b.Path(), text, b.tail())
}

// Accessible runs axe-core over the page that is open, light and dark: every violation fails the test.
func (b *Browser) Accessible(name string) {
	b.Helper()
	Eval[bool](b, axe+";true")
	for scheme, run := range map[string]string{
		"light": `["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]`,
		"dark":  `{type: "rule", values: ["color-contrast", "link-in-text-block"]}`, // the rest of the page is the same
	} {
		b.Media(scheme, true)
		found := Eval[[]string](b, `axe.run(document, {runOnly: `+run+`}).then(r =>
			r.violations.flatMap(v => v.nodes.map(n => v.id + ": " + v.help + " at " + n.target.join(" ") + " " + (n.any[0]?.message ?? n.all[0]?.message ?? ""))))`)
		for _, v := range found {
			b.Errorf("%s, %s: %s", name, scheme, v)
		}
	}
	b.Media("light", true)
}

// Shots names the folder that pictures are written to; none are where it is empty.
const Shots = "TIRAGE_SHOTS"

// Shoot writes a picture of the whole page for review.
func (b *Browser) Shoot(name string) {
	b.Helper()
	b.picture(name, chromedp.FullScreenshot(100))
}

// Snap writes a picture of what is in view.
func (b *Browser) Snap(name string) {
	b.Helper()
	b.picture(name, chromedp.CaptureScreenshot())
}

func (b *Browser) picture(name string, take chromedp.Action[[]byte]) {
	b.Helper()
	dir := os.Getenv(Shots)
	if dir == "" {
		return
	}
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if _, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("document.fonts.ready.then(() => true)", chromedp.EvalAwaitPromise)); err != nil {
		b.Fatalf("%s: %v", name, err)
	}
	picture, err := chromedp.Run(ctx, take)
	if err != nil {
		b.Fatalf("%s: %v", name, err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), picture, 0o644); err != nil {
		b.Fatal(err)
	}
}

// Weight opens a page without a cache and returns what came over the network for it, in bytes, and from how many other hosts.
func (b *Browser) Weight(path string) (bytes int, elsewhere []string) {
	b.Helper()
	b.Go(path)
	type entry struct {
		Name string `json:"name"`
		Size int    `json:"size"`
	}
	list := Eval[[]entry](b, `[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")].map(e => ({name: e.name, size: e.transferSize}))`)
	for _, e := range list {
		bytes += e.Size
		if !strings.HasPrefix(e.Name, b.Base) {
			elsewhere = append(elsewhere, e.Name)
		}
	}
	return bytes, elsewhere
}

// Paint is how a page appeared.
type Paint struct {
	First float64 `json:"first"` // milliseconds until something was painted (first contentful paint)
	Shift float64 `json:"shift"` // how much of what was there moved by itself (cumulative layout shift)
}

// Paints opens a page and watches how it appears, for a while after it is loaded.
func (b *Browser) Paints(path string) Paint {
	b.Helper()
	b.Go(path)
	return Eval[Paint](b, `new Promise(done => {
		let shift = 0;
		new PerformanceObserver(list => { for (const e of list.getEntries()) if (!e.hadRecentInput) shift += e.value; }).observe({type: "layout-shift", buffered: true});
		setTimeout(() => done({shift, first: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? -1}), 1500);
	})`)
}
