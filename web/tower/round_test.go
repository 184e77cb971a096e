package tower_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"tirage/central"
	"tirage/internal/covers"
	"tirage/store/mem"
	"tirage/store/sql"
)

// The whole game by the keyboard alone, with reduced motion: a round that is stopped and paid, one that falls. What a person who sees nothing hears is
// the same, and is said before anything moves.
func TestWholeGameByKeyboard(t *testing.T) {
	covers.Covers(t, "D7", "D9", "D10", "D19")
	f := fresh(t)
	p := f.join("marie", 5_000)
	x := f.tab(browser(t), p, look{still: true}, "/donuts")

	if got := x.text("form[data-act=start] button"); got != "Jouez 0,50 € nouvelle partie" {
		t.Errorf("the button of the stake says %q", got)
	}
	x.press("start")
	x.heading("La partie est ouverte")
	if got := x.text("[data-balance]"); got != "49,50 €" {
		t.Errorf("balance %s after the stake", got)
	}
	if rungs := x.text(".ladder"); strings.Count(rungs, "à venir")+strings.Count(rungs, "prochain palier") != 10 {
		t.Errorf("the ladder has no ten levels to come: %s", rungs)
	}
	for n := 1; n <= 2; n++ {
		x.part(f.fate(p.id, true))
		x.press("go")
		x.heading(fmt.Sprintf("Palier %d franchi", n))
		if got := x.text("[data-fallen]"); got != fmt.Sprint(5*n) {
			t.Errorf("level %d: the ladder shows %s donuts fallen", n, got)
		}
		if got := x.text(".ladder .next .n"); got != fmt.Sprint(5*n+5) {
			t.Errorf("level %d: the next level is %s", n, got)
		}
		if got := eval[string](x, "document.activeElement.id"); got != "q" {
			t.Errorf("level %d: the focus is on %q, not on what is to be read", n, got)
		}
	}
	if gauge := x.text(".gauge"); !strings.Contains(gauge, "×") {
		t.Errorf("the gauge shows no multiplier: %s", gauge)
	}
	x.ladderOnTheLeft()
	if a, b := x.box("form[data-act=stop] button"), x.box("form[data-act=go] button"); a.w != b.w || a.h != b.h || a.x >= b.x {
		t.Errorf("« J'arrête » %+v and « Je continue » %+v are not equal, the first at the left", a, b)
	}
	r := f.round(p.id)
	x.press("stop")
	x.heading("Arrêt au palier 2")
	paid := f.round(p.id)
	if paid.EndedBy != central.EndedByPlayer || paid.Gain != r.Sum<<r.Stars {
		t.Errorf("paid %v by %s, want %v", paid.Gain, paid.EndedBy, r.Sum<<r.Stars)
	}
	if heard := x.text("#said"); !strings.Contains(heard, "crédités pour une mise de 0,50 €") {
		t.Errorf("heard %q", heard)
	}

	f.wait(5 * time.Second)
	x.do(chromedp.Navigate(f.server.URL+"/donuts"), chromedp.WaitReady(chromedp.CSS("#q")))
	x.press("start")
	x.heading("La partie est ouverte")
	x.part(f.fate(p.id, false))
	x.press("go")
	x.until("document.querySelector('#said').textContent.includes('La tour est tombée')")
	x.heading("La tour est tombée")
	if rungs := x.text(".ladder"); strings.Contains(rungs, "€") {
		t.Errorf("after a fall the ladder shows what might have been: %s", rungs)
	}
	if label := eval[string](x, "document.querySelector('#scene').getAttribute('aria-label')"); !strings.Contains(label, "écroulée") {
		t.Errorf("the picture is %q", label)
	}
	f.CheckBooks()
}

type box struct{ x, y, w, h float64 }

func (x *tab) box(selector string) box {
	x.Helper()
	r := eval[[]float64](x, fmt.Sprintf("(r => [r.x, r.y, r.width, r.height])(document.querySelector(%q).getBoundingClientRect())", selector))
	return box{r[0], r[1], r[2], r[3]}
}

// ladderOnTheLeft checks that the ladder stands left of the tower, on a phone too (art. 3.1.1).
func (x *tab) ladderOnTheLeft() {
	x.Helper()
	ladder, stage := x.box(".ladderbox"), x.box(".stage")
	if ladder.x < stage.x || ladder.x+ladder.w > stage.x+stage.w/2 {
		x.Errorf("the ladder %+v is not at the left of the scene %+v", ladder, stage)
	}
}

// A round is found again as it stands: after a reload, on another device, after a restart of the server on the same store.
func TestRoundIsFoundAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tirage.db")
	openStore := func() *sql.Store {
		s, err := sql.OpenSQLite(context.Background(), path)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	store := openStore()
	f := open(t, store, 0)
	p := f.join("marie", 5_000)
	ctx := browser(t)
	x := f.tab(ctx, p, look{still: true}, "/donuts")
	x.climb(p, 3)
	want := x.text("#panel") + x.text(".ladder")
	same := func(where string, x *tab) {
		t.Helper()
		x.heading("Palier 3 franchi")
		if got := x.text("#panel") + x.text(".ladder"); got != want {
			t.Errorf("%s: %q, want %q", where, got, want)
		}
	}
	x.do(chromedp.Reload())
	same("after a reload", x)
	same("on another device", f.tab(ctx, f.login("marie"), look{still: true}, "/donuts"))

	f.server.Close()
	f.Register.Close()
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	store = openStore()
	t.Cleanup(func() { _ = store.Close() })
	again := open(t, store, 1)
	x = again.tab(ctx, p, look{still: true}, "/donuts")
	same("after a restart", x)
	x.part(again.fate(p.id, true))
	x.press("go")
	x.heading("Palier 4 franchi")
	again.CheckBooks()
}

// Of two tabs one wins; the other is told, and shown what stands.
func TestTwoTabs(t *testing.T) {
	f := fresh(t)
	p := f.join("marie", 5_000)
	ctx := browser(t)
	one := f.tab(ctx, p, look{still: true}, "/donuts")
	one.climb(p, 2)
	two := f.tab(ctx, p, look{still: true}, "/donuts")
	two.heading("Palier 2 franchi")

	one.part(f.fate(p.id, true))
	one.press("go")
	one.heading("Palier 3 franchi")
	two.press("stop")
	two.heading("Palier 3 franchi")
	if note := two.text("#note"); note != "La partie a avancé depuis : en voici l’état." {
		t.Errorf("the second tab is told %q", note)
	}
	if r := f.round(p.id); r.Step != 3 || r.State != "open" {
		t.Errorf("the round is %s at step %d", r.State, r.Step)
	}
	two.press("stop")
	two.heading("Arrêt au palier 3")
	one.press("go")
	one.heading("Arrêt au palier 3")
	f.CheckBooks()
}

// A lost answer is asked for again under the same key, with the same part of the device: one series is drawn.
func TestAnswerIsLost(t *testing.T) {
	f := fresh(t)
	p := f.join("marie", 5_000)
	x := f.tab(browser(t), p, look{still: true}, "/donuts")
	x.climb(p, 1)
	x.part(f.fate(p.id, true))
	eval[bool](x, `(() => { const send = fetch; let lost = 0; window.fetch = async (...a) => { const r = await send(...a); if (!lost++) throw new TypeError("lost"); return r; }; return true; })()`)
	x.press("go")
	x.heading("Palier 2 franchi")
	if r := f.round(p.id); r.Step != 2 {
		t.Errorf("%d series are drawn, want 2", r.Step)
	}
	f.CheckBooks()
}

// Practice plays the same game without an account and without money.
func TestPractice(t *testing.T) {
	f := open(t, &mem.Store{}, 3)
	x := f.tab(browser(t), person{}, look{still: true, wide: 390, high: 844}, "/donuts/practice")
	x.ladderOnTheLeft()
	x.press("start")
	x.heading("Entraînement\u00a0: la partie est ouverte")
	x.press("go")
	x.until("!document.querySelector('[aria-busy]') && document.querySelector('[data-fallen]').textContent !== '0'")
	if tag := x.text("#panel .tag"); tag != "Entraînement, sans argent" {
		t.Errorf("the tag says %q", tag)
	}
	if x.text("#q") == "Palier 1 franchi" {
		x.do(chromedp.Reload())
		x.heading("Palier 1 franchi")
		x.press("stop")
		x.heading("Arrêt au palier 1")
		if under := x.text("#panel"); !strings.Contains(under, "Rien n’est crédité") {
			t.Errorf("the panel says %q", under)
		}
	}
	f.CheckBooks()
}
