package tower_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// frames collects the times between frames from the press on; the collapse is what its last 1.4 s show.
const frames = `window.ticks = []; window.work = []; (() => { const ask = requestAnimationFrame; window.requestAnimationFrame = f => ask(now => { const t = performance.now(); f(now); work.push(performance.now() - t); }); const q = document.querySelector("#q").textContent, tick = now => { ticks.push(now); if (document.querySelector("#q").textContent === q) requestAnimationFrame(tick); }; requestAnimationFrame(tick); })(); true`

// The frames of a collapse, counted in the browser with the GPU off. The figure is printed; a test does not fail for the load of a machine.
func TestFrameRate(t *testing.T) {
	ctx := browser(t)
	for _, c := range []struct {
		name   string
		look   look
		levels int
	}{{"1280 × 860", look{wide: 1280, high: 860}, 4}, {"390 × 844 at 2×", look{wide: 390, high: 844}, 4}, {"1280 × 860", look{wide: 1280, high: 860}, 8}} {
		f := fresh(t)
		p := f.join("marie", 1_000)
		x := f.tab(ctx, p, look{wide: c.look.wide, high: c.look.high, still: true}, "/donuts")
		x.climb(p, c.levels)
		y := f.tab(ctx, p, c.look, "/donuts")
		y.heading(fmt.Sprintf("Palier %d franchi", c.levels))
		y.do(chromedp.Sleep(500 * time.Millisecond))
		y.part(f.fate(p.id, false))
		eval[bool](y, frames)
		y.press("go")
		y.heading("La tour est tombée")
		all := eval[[]float64](y, "ticks")
		end := all[len(all)-1]
		var deltas []float64
		for i := 1; i < len(all); i++ {
			if all[i] >= end-1400 {
				deltas = append(deltas, all[i]-all[i-1])
			}
		}
		slices.Sort(deltas)
		work := eval[[]float64](y, "work.filter(x => x > 0.05)")
		slices.Sort(work)
		t.Logf("a frame takes %.1f ms of script (median), %.1f (best tenth), %.1f (95th percentile)", work[len(work)/2], work[len(work)/10], work[len(work)*95/100])
		t.Logf("%s, %d levels: collapse median %.1f fps, 95th percentile %.1f ms, %d frames", c.name, c.levels, 1000/deltas[len(deltas)/2], deltas[len(deltas)*95/100], len(deltas))
	}
}

// weightMax bounds what a first visit loads, in bytes.
const weightMax = 200 << 10

// The weight of the game at a first visit, compressed; when something is first seen; how far the layout moves.
func TestWeight(t *testing.T) {
	ctx := browser(t)
	for _, l := range []look{{wide: 390, high: 844}, {wide: 1280, high: 860}} {
		f := fresh(t)
		p := f.join("marie", 1_000)
		x := f.tab(ctx, p, l, "/donuts")
		x.do(chromedp.Sleep(time.Second))
		weight := eval[int](x, `[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")].reduce((n, e) => n + e.encodedBodySize, 0)`)
		others := eval[int](x, `performance.getEntriesByType("resource").filter(e => new URL(e.name).origin !== location.origin).length`)
		paint := eval[float64](x, `performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? -1`)
		shift := eval[float64](x, `new Promise(done => { let n = 0; new PerformanceObserver(l => { for (const e of l.getEntries()) n += e.value; }).observe({ type: "layout-shift", buffered: true }); setTimeout(() => done(n), 200); })`)
		t.Logf("%d px: %d bytes compressed, first contentful paint %.0f ms, layout shift %.4f", l.wide, weight, paint, shift)
		if weight > weightMax || weight < 50<<10 {
			t.Errorf("%d px: %d bytes, accepted at most %d", l.wide, weight, weightMax)
		}
		if others != 0 {
			t.Errorf("%d files come from elsewhere", others)
		}
		if shift > 0.05 {
			t.Errorf("%d px: layout shift %.3f, accepted at most 0.05", l.wide, shift)
		}
	}
}
