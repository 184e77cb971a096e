package tower_test

import (
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// Pictures of each state, for people to look at: TIRAGE_SHOTS names the folder.
func TestPictures(t *testing.T) {
	if shots == "" {
		t.Skip("skipped: TIRAGE_SHOTS names no folder")
	}
	ctx := browser(t)
	for _, l := range []struct {
		name string
		look look
	}{
		{"1280", look{wide: 1280, high: 860}}, {"1280-dark", look{wide: 1280, high: 860, theme: "dark"}}, {"390", look{wide: 390, high: 844}}, {"390-dark", look{wide: 390, high: 844, theme: "dark"}},
	} {
		f := fresh(t)
		p := f.join("marie", 5_000)
		x := f.tab(ctx, p, l.look, "/donuts")
		x.do(chromedp.Sleep(500 * time.Millisecond))
		x.shot("ready-" + l.name)
		x.climb(p, 4)
		x.do(chromedp.Sleep(600 * time.Millisecond))
		x.shot("choice-" + l.name)
		x.part(f.fate(p.id, false))
		x.press("go")
		x.do(chromedp.Sleep(900 * time.Millisecond))
		x.shot("drop-" + l.name)
		for k := range 4 {
			x.do(chromedp.Sleep(150 * time.Millisecond))
			x.shot("fall-" + l.name + string(rune('a'+k)))
		}
		x.heading("La tour est tombée")
		x.do(chromedp.Sleep(300 * time.Millisecond))
		x.shot("lost-" + l.name)
	}
}
