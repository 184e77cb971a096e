package tower_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// seen is how much of the scene is in view, below the bar that stays at the top, in hundredths.
const seen = `(() => { const s = document.querySelector(".stage").getBoundingClientRect(), bar = document.querySelector(".topbar"),
	top = getComputedStyle(bar).position === "sticky" ? bar.getBoundingClientRect().bottom : 0;
	return Math.round(100 * (Math.min(s.bottom, innerHeight) - Math.max(s.top, top)) / s.height); })()`

// On a phone the scene is in view while the donuts of « Je continue » come down and when the next choice is there, wherever the page had been scrolled to.
func TestSceneStaysInViewOnAPhone(t *testing.T) {
	ctx := browser(t)
	for high, still := range map[int64]bool{844: false, 667: true} {
		t.Run(fmt.Sprintf("%d, less motion %v", high, still), func(t *testing.T) {
			f := fresh(t)
			p := f.join("marie", 5_000)
			x := f.tab(ctx, p, look{wide: 390, high: high, still: still}, "/donuts")
			x.climb(p, 1)
			for n, from := range []string{"scrollTo(0, document.body.scrollHeight)", "document.querySelector('[data-act=go]').scrollIntoView({block: 'end'})", "scrollTo(0, 90)", "scrollTo(0, 0)"} {
				x.until("document.querySelector('[data-act=go] button')?.getAttribute('aria-disabled') === null")
				x.part(f.fate(p.id, true))
				eval[bool](x, from+`, document.querySelector("[data-act=go] button").focus({preventScroll: true}), document.querySelector("[data-act=go] button").click(), true`)
				x.until("document.querySelector('#game').getAttribute('aria-busy') === 'true'")
				x.do(chromedp.Sleep(700 * time.Millisecond))
				if at := eval[int](x, seen); at < 95 && !still {
					t.Errorf("%s: %d hundredths of the scene are in view while the donuts come down", from, at)
				}
				x.heading(fmt.Sprintf("Palier %d franchi", n+2))
				if at := eval[int](x, seen); at < 95 {
					t.Errorf("%s: %d hundredths of the scene are in view at the next choice", from, at)
				}
			}
		})
	}
}
