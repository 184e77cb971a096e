package server_test

import (
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cloudflare/circl/sign/bls"
	"tirage/central"
	"tirage/drand"
	"tirage/fairness/beacon"
	"tirage/server"
	"tirage/web/webtest"
)

// ownBeacon serves a beacon of our own as those of the public one are served: a round every 3 seconds since 2020.
func ownBeacon(t *testing.T) (*beacon.Chain, *drand.Source) {
	t.Helper()
	private, err := bls.KeyGen[bls.KeyG2SigG1]([]byte("thirty-two bytes of a test's key"), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	key, err := private.PublicKey().MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	chain := &beacon.Chain{Hash: strings.Repeat("ab", 32), PublicKey: hex.EncodeToString(key), Genesis: time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC).Unix(), Period: 3}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		round, err := strconv.ParseInt(strings.TrimPrefix(r.URL.Path, "/"+chain.Hash+"/public/"), 10, 64)
		if err != nil {
			http.NotFound(w, r)
			return
		}
		fmt.Fprintf(w, `{"round":%d,"signature":"%x"}`, round, bls.Sign(private, beacon.Message(round)))
	}))
	t.Cleanup(s.Close)
	source, err := drand.New([]string{s.URL})
	if err != nil {
		t.Fatal(err)
	}
	return chain, source
}

// An evening whose numbers come from the generator, from the pages alone: proposed by one person, confirmed by another before the sales, drawn by the server when
// the beacon tells its round, copied by two people, signed.
func TestGeneratedEveningByHand(t *testing.T) {
	const draw = "superloto-2020-06-26"
	const drawPage = "/office/draws/" + draw
	const roomPage = drawPage + "/room"
	clock := &hand{}
	clock.set(t, "2020-06-22 20:05:00")
	chain, source := ownBeacon(t)
	r := start(t, t.TempDir(), func(c *server.Config) {
		c.Clock, c.Games, c.Chain, c.Beacon = clock, nil, chain, source
	})
	defer r.end()
	for _, m := range [][2]string{{"anne", "operator"}, {"paul", "enterer"}, {"rose", "enterer"}, {"hugo", "officer"}} {
		if _, err := r.Desk.Hire(t.Context(), central.SystemPrincipal, "hire "+m[0], m[0], m[1], password); err != nil {
			t.Fatal(err)
		}
	}
	plan := central.PlanDraw{Game: "superloto", Day: "2020-06-26", OpensAt: time.Date(2020, 6, 24, 12, 0, 0, 0, time.UTC), Jackpot: 1_300_000_000}
	if _, err := r.Register.Do(t.Context(), central.Request{Principal: "staff/anne", Key: "plan", Command: plan}); err != nil {
		t.Fatal(err)
	}
	send := func(p *person, page, verb string, fields url.Values) (int, string) {
		t.Helper()
		_, text := p.get(page)
		return p.submits(text, drawPage+"/"+verb, fields)
	}
	operator, officer := r.enters("anne"), r.enters("hugo")
	send(operator, drawPage, "generator", url.Values{"why": {"la sphère est en réparation"}})
	operator.sees(drawPage, "à confirmer par un officier")
	send(officer, drawPage, "generator-confirm", nil)
	officer.sees(drawPage, "supposé")
	clock.set(t, "2020-06-26 20:14:00")
	operator, officer = r.enters("anne"), r.enters("hugo") // their sessions have ended
	operator.sees(drawPage, "En vente jusqu")
	anybody := &person{r, http.Client{}, "anybody"}
	anybody.sees("/play/superloto", "numéros tirés par générateur")
	clock.set(t, "2020-06-26 20:25:00")
	operator.sees(drawPage, "recompté")
	send(operator, roomPage, "check", url.Values{"checked": {"program", "rules", "equipment"}})
	send(officer, roomPage, "attend", nil)
	first, second := r.enters("paul"), r.enters("rose")
	first.sees(roomPage, "Le tirage est annoncé pour")
	clock.set(t, "2020-06-26 20:46:00")
	first.sees(roomPage, "Numéros tirés, à recopier")
	var g *central.GeneratorView
	snap, err := r.store.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	if g, err = central.ReadGenerator(t.Context(), snap, draw); err != nil || g.Numbers == nil || g.Signature == "" {
		t.Fatalf("%+v, %v", g, err)
	}
	t.Run("in a browser", func(t *testing.T) {
		b := webtest.Open(t, r.Base)
		b.Phone()
		b.Go("/office/login")
		b.Fill("name", "anne")
		b.Fill("password", password)
		b.Press("Enter")
		b.Arrives("/office/dashboard")
		for _, lang := range []string{"en", "fr"} {
			b.Go("/office/choose?lang=" + lang + "&back=/office/draws")
			for i, path := range []string{drawPage, roomPage} {
				b.Go(path)
				b.Accessible(lang + " " + path)
				b.Shoot(fmt.Sprintf("generator-%d-%s-390", i, lang))
			}
		}
		b.Wide()
		b.Go(roomPage)
		b.Shoot("generator-room-fr-1280")
	})
	drawn := func(extra int) url.Values { // the page has filled in codes and Joker+ itself
		fields := balls(extra, g.Numbers.Main...)
		fields.Set("joker", g.Numbers.Joker)
		for series, list := range g.Numbers.Codes {
			fields.Set("codes."+series, strings.Join(list, "\n"))
		}
		return fields
	}
	wrong := drawn(g.Numbers.Extra[0]%10 + 1)
	if status, text := send(first, roomPage, "enter", wrong); status != http.StatusConflict || !strings.Contains(text, "a tiré d’autres numéros") {
		t.Errorf("other numbers: %d", status)
	}
	for _, p := range []*person{first, second} {
		send(p, roomPage, "enter", drawn(g.Numbers.Extra[0]))
	}
	officer.sees(roomPage, "identiques")
	send(officer, roomPage, "sign", url.Values{"statement": {"seen", "no_incident", "typed_nothing"}})
	officer.sees(drawPage, "Approuver le paiement")
}
