package kit

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/andybalholm/brotli"
	"tirage/rules/money"
)

func TestFormats(t *testing.T) {
	at := time.Date(2020, 6, 24, 18, 15, 13, 0, time.UTC)
	for _, c := range []struct{ got, want string }{
		{French.Money(132_000), "1\u202f320,00\u00a0€"}, {English.Money(132_000), "€1,320.00"},
		{French.Signed(800), "+8,00\u00a0€"}, {French.Signed(-1320), "−13,20\u00a0€"}, {English.Signed(-1320), "−€13.20"}, {French.Signed(0), "0,00\u00a0€"},
		{French.Bare(-1320), "−13,20"}, {English.Bare(-132_000), "−1,320.00"}, {French.BareSigned(840), "+8,40"},
		{French.Whole(200_000_000), "2\u202f000\u202f000\u00a0€"}, {English.Whole(200_000_000), "€2,000,000"}, {French.Whole(2_000_050), "20\u202f000,50\u00a0€"},
		{French.Short(5_100_000_000), "51\u00a0M€"}, {English.Short(5_100_000_000), "€51m"}, {French.Short(1_750_000_000), "17,5\u00a0M€"}, {French.Short(660), "6,60\u00a0€"},
		{French.Odds(big.NewRat(1, 19_068_840), 2), "1 chance sur\u00a019\u202f068\u202f840"}, {English.Odds(big.NewRat(1, 19_068_840), 2), "1 in 19,068,840"},
		{French.Percent(big.NewRat(624, 1000), 2), "62,40\u202f%"}, {English.Percent(big.NewRat(624, 1000), 2), "62.40%"},
		{French.Places(big.NewRat(1_291_450, 20_000), 3, 6), "64,5725"}, {French.Places(big.NewRat(8, 200), 3, 6), "0,040"},
		{French.Date(at), "mercredi 24 juin 2020"}, {English.Date(at), "Wednesday 24 June 2020"}, {French.Day("2020-09-01"), "mardi 1er septembre 2020"},
		{French.ShortDay("2020-06-24"), "mer.\u00a024 juin"}, {English.ShortDay("2020-06-24"), "Wed\u00a024 June"}, {French.Day("soon"), "soon"},
		{French.DateTime(at), "mer.\u00a024 juin, 20\u00a0h\u00a015"}, {English.DateTime(at), "Wed\u00a024 June, 8:15\u00a0pm"},
		{French.Time(at.Add(11 * time.Hour)), "7\u00a0h\u00a015"}, {French.Clock(at), "20:15:13"}, {French.Stamp(at), "24 juin 2020, 20:15:13"},
		{French.Left(8027 * time.Second), "2\u00a0h 13\u00a0min 47\u00a0s"}, {French.Left(249 * time.Second), "4\u00a0min 09\u00a0s"},
		{French.Left(-time.Second), "0\u00a0s"}, {French.Left(50 * time.Hour), "2 jours 2 h"}, {English.Left(50 * time.Hour), "2 days 2 h"},
		{French.LeftWords(8027 * time.Second), "2 heures 13 minutes"}, {English.LeftWords(61 * time.Second), "1 minute"}, {French.LeftWords(0), "0 minute"},
		{French.Minutes(65 * time.Minute), "1\u00a0h\u00a005"}, {French.Minutes(18 * time.Minute), "18\u00a0min"},
		{French.T("Combien de parts ? L'arrondi : « oui »", ""), "Combien de parts\u202f? L’arrondi\u00a0: «\u202foui\u202f»"},
		{French.N(0, "%s part", "%s parts", "%s share", "%s shares"), "0 part"}, {English.N(0, "%s part", "%s parts", "%s share", "%s shares"), "0 shares"},
		{French.F("%d jours à %s", "", 3, "x"), "3 jours à x"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
	if got := French.Short(money.Cents(99_999_999)); !strings.Contains(got, "999") {
		t.Errorf("a jackpot below a million is written whole: %q", got)
	}
}

func TestLocal(t *testing.T) {
	for to, want := range map[string]string{
		"/packs?x=1": "/packs?x=1", "": "/", "//evil.example": "/", "https://evil.example": "/", "/\\evil.example": "/", "javascript:alert(1)": "/", "/a\nb": "/",
	} {
		if got := Local(to); got != want {
			t.Errorf("Local(%q) = %q, want %q", to, got, want)
		}
	}
}

func TestLangOf(t *testing.T) {
	for _, c := range []struct {
		cookie, header string
		want           Lang
	}{{"", "", French}, {"", "en-GB,fr;q=0.5", English}, {"", "fr,en", French}, {"", "de", French}, {"fr", "en", French}, {"en", "fr", English}, {"xx", "en", English}} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Header.Set("Accept-Language", c.header)
		if c.cookie != "" {
			r.AddCookie(&http.Cookie{Name: langCookie, Value: c.cookie})
		}
		if got := langOf(r); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

// Every cell of a sheet is drawn once, whatever the state of its share.
func TestPlancheDrawsEachCellOnce(t *testing.T) {
	for _, total := range []int64{1, 10, 25, 50, 200, 299, 300, 330, 420} {
		for _, p := range []Planche{{Total: total}, {Total: total, Sold: total}, {Total: total, Sold: total / 3, Mine: total / 4, Want: total / 5}, {Total: total, Sold: total - 1, Want: 1}} {
			cells := 0
			for _, path := range []string{p.cells(0, p.Sold), p.cells(p.Sold, p.Sold+p.Mine), p.cells(p.Sold+p.Mine, p.Sold+p.Mine+p.Want), p.cells(p.Sold+p.Mine+p.Want, p.Total)} {
				cells += area(t, path)
			}
			if int64(cells) != total {
				t.Errorf("%+v: %d cells", p, cells)
			}
		}
	}
}

// area counts the cells of the rectangles of a path.
func area(t *testing.T, path string) (n int) {
	t.Helper()
	for _, rect := range strings.Split(path, "M")[1:] {
		var x, y, w, h, back int
		if _, err := fmt.Sscanf(rect, "%d %dh%dv%dh-%dz", &x, &y, &w, &h, &back); err != nil || w != back {
			t.Fatalf("%q: %v", rect, err)
		}
		n += w * h / 100
	}
	return n
}

func TestAssets(t *testing.T) {
	tree := fstest.MapFS{
		"a/look.css": {Data: []byte("b{background:url(tick.svg)}" + strings.Repeat("i{color:red}", 200))}, "a/tick.svg": {Data: []byte("<svg/>")},
		"a/main.js": {Data: []byte(`import { x } from "./part.js"; import "./kit.js";`)}, "a/part.js": {Data: []byte("export const x = 1;")},
	}
	a := NewAssets("/x/", tree, Files)
	get := func(path, accept string) *httptest.ResponseRecorder {
		r := httptest.NewRequest("GET", path, nil)
		r.Header.Set("Accept-Encoding", accept)
		w := httptest.NewRecorder()
		a.ServeHTTP(w, r)
		return w
	}
	plain := get(a.Path("look.css"), "").Body.Bytes()
	if !bytes.Contains(plain, []byte("url("+a.Path("tick.svg")+")")) {
		t.Errorf("%.80s", plain)
	}
	if js := get(a.Path("main.js"), "").Body.String(); !strings.Contains(js, a.Path("part.js")) || !strings.Contains(js, Files.Path("kit.js")) {
		t.Error(js)
	}
	for accept, unpack := range map[string]func(io.Reader) (io.Reader, error){
		"gzip, br": func(r io.Reader) (io.Reader, error) { return brotli.NewReader(r), nil },
		"gzip":     func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
		"br;q=0":   func(r io.Reader) (io.Reader, error) { return r, nil },
	} {
		w := get(a.Path("look.css"), accept)
		r, err := unpack(w.Body)
		if err != nil {
			t.Fatal(err)
		}
		if body, err := io.ReadAll(r); err != nil || !bytes.Equal(body, plain) || !strings.Contains(w.Header().Get("Cache-Control"), "immutable") {
			t.Errorf("%s: %v %v", accept, err, w.Header())
		}
	}
	if w := get("/x/look.css", ""); w.Code != 404 {
		t.Errorf("without its hash a file is %d", w.Code)
	}
	defer func() {
		if recover() == nil {
			t.Error("a file that names a missing one is accepted")
		}
	}()
	NewAssets("/x/", fstest.MapFS{"a.css": {Data: []byte("i{background:url(gone.svg)}")}})
}
