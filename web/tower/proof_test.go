package tower_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// The page of a past round computes its series again in the browser, and finds what was changed.
func TestCheckInTheBrowser(t *testing.T) {
	f := fresh(t)
	p := f.join("marie", 5_000)
	x := f.tab(browser(t), p, look{still: true}, "/donuts")
	x.climb(p, 3)
	x.part(f.fate(p.id, false))
	x.press("go")
	x.heading("La tour est tombée")
	name := f.round(p.id).ID.String()
	x.do(chromedp.Navigate(f.server.URL+"/donuts/rounds/"+name), chromedp.WaitReady(chromedp.CSS("#check")))
	x.until("!document.querySelector('#check').hidden")
	x.do(chromedp.Click(chromedp.CSS("#check")))
	x.until("document.querySelector('#verdict').textContent !== ''")
	if got := x.text("#verdict"); got != "4 / 4. Recalculé ici : identique." {
		t.Errorf("verdict %q", got)
	}
	if got := x.text("[data-series='3'] .verdict"); !strings.Contains(got, "celui que cet appareil a vu avant la décision") || strings.Contains(got, "n’est pas") {
		t.Errorf("the device's memory says %q", got)
	}

	// Each field of each series matters.
	script := regexp.MustCompile(`/donuts/assets/verify\.[^"]+\.js`).FindString(f.ask(p, eval[string](x, "new URL(document.querySelector('script[src*=past]').src).pathname"), nil).body)
	for _, change := range []string{
		"s.secret = s.secret.replace(/^./, c => c === '0' ? '1' : '0')", "s.contribution = s.contribution.replace(/.$/, c => c === '0' ? '1' : '0')",
		"s.commitment = s.commitment.replace(/^./, c => c === '0' ? '1' : '0')", "s.n++", "s.items[2].value++", "s.items[1].stable = !s.items[1].stable", "s.items[0].star = !s.items[0].star",
		"s.items.pop()", "s.items.push(s.items[0])", "s.items[4].kind = 'other'",
	} {
		js := fmt.Sprintf(`import(%q).then(async m => { const p = JSON.parse(document.querySelector("#scene").dataset.proof); let found = 0;
			for (const [k, s] of p.series.entries()) { %s; if (await m.check(p.round, s, p.slots[k])) found++; } return found; })`, script, change)
		if found := eval[int](x, js); found < 4 {
			t.Errorf("%s: found in %d of 4 series", change, found)
		}
	}

	// The same file passes the offline check.
	if file := f.ask(p, "/donuts/rounds/"+name+"/file", nil); !json.Valid([]byte(file.body)) || !strings.Contains(file.body, `"tirage/round/1"`) {
		t.Errorf("the file is %.100s", file.body)
	}
}
