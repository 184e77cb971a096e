// Package tower is « Pile Up Donuts! » as a player meets it: the tower, the ladder on its left, the choice at each level, practice without money, the
// history with each series to be shown and proved again, and the chances.
//
//	pages, err := tower.New(host)
//	mux.Handle("/donuts/", pages)
//
// # One place for the words
//
// The server writes every sentence and every figure, from the rulebook and the rows: the page, what a script swaps in, what a screen reader hears. A script
// sends the same forms as the page would, asks for the parts that change, and draws. What the canvas shows stands in words beside it.
//
// # Fairness
//
// A series is drawn by the server from a secret that it was committed to before and from 16 bytes that the device makes with each « Go » and « Je continue ».
// Without scripts a device can't make them, so the page says so and takes no stake (Art. donuts@2019-06-25:3.2.2). The device remembers each commitment that
// it was shown; the page of a past round computes its series again in the browser and compares.
//
// # Two tabs, two presses, a lost answer
//
// Each form carries the step that its player saw and the key of its request. A form that is sent twice does it once; of two tabs one wins and the other is shown
// what stands. A round belongs to the player, not to the device: any page of it shows the same, after a reload or a restart of the server.
package tower

import (
	"embed"
	"net/http"

	"tirage/web"
	"tirage/web/kit"
	"tirage/web/practice"
)

// Game is the ladder game of these pages.
const Game = "donuts"

// Path is where the pages stand.
const Path = "/donuts"

//go:embed assets
var files embed.FS

var assets = kit.NewAssets(Path+"/assets/", files, kit.Files)

// tower is what the pages are made of.
type tower struct {
	ui   *kit.UI
	room *practice.Room
}

// New returns the pages below [Path].
func New(h *web.Host) (http.Handler, error) {
	t := &tower{ui: kit.New(h, kit.Options{}), room: practice.New(h.Clock)}
	first, err := rulesUnder(firstVersion)
	if err != nil {
		return nil, err
	}
	go first.analysis() // a fraction of a second, before the first player asks
	mux := http.NewServeMux()
	mux.HandleFunc("GET /donuts", t.ui.Anyone(t.page))
	mux.HandleFunc("POST /donuts/start", t.ui.Player(t.start))
	mux.HandleFunc("POST /donuts/series", t.ui.Player(t.series))
	mux.HandleFunc("POST /donuts/stop", t.ui.Player(t.stop))
	mux.HandleFunc("GET /donuts/practice", t.ui.Anyone(t.practicePage))
	mux.HandleFunc("POST /donuts/practice/start", t.ui.Anyone(t.practiceStart))
	mux.HandleFunc("POST /donuts/practice/series", t.ui.Anyone(t.practiceSeries))
	mux.HandleFunc("POST /donuts/practice/stop", t.ui.Anyone(t.practiceStop))
	mux.HandleFunc("GET /donuts/rounds", t.ui.Player(t.history))
	mux.HandleFunc("GET /donuts/rounds/{round}", t.ui.Player(t.past))
	mux.HandleFunc("GET /donuts/rounds/{round}/file", t.file)
	mux.HandleFunc("GET /donuts/chances", t.ui.Anyone(t.chances))
	mux.Handle("GET /donuts/assets/", assets)
	mux.HandleFunc("/donuts/", t.ui.Anyone(func(v *kit.Visit) error { return v.NotFound() }))
	return mux, nil
}
