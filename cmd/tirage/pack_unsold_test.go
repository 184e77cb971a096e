package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"tirage/central"
	"tirage/store/sql"
	"tirage/store/storetest"
)

// Orders of five leave a share too few in a pack of six: the report says what is unsold and that nobody could have done better; orders of two fill it.
func TestPackUnsold(t *testing.T) {
	db := filepath.Join(t.TempDir(), "tirage.db")
	store, err := sql.OpenSQLite(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	w := storetest.NewWorld(t, store)
	draw := w.Open(central.OpenDraw{
		Game: "loto", Day: "2020-06-22", OpensAt: w.Clock.Now(), ClosesAt: w.Clock.Now().AddDate(0, 0, 1),
		Packs: []central.PackOffer{{Type: "six", Multiples: []string{"6x10*1"}, Shares: 6, MaxPacks: 10}, {Type: "unseen", Simples: 1, Shares: 1, MaxPacks: 1}},
	})
	player := w.Player("one", 1000)
	for _, n := range []int64{5, 5, 2, 2} {
		w.Do(central.SystemPrincipal, central.BuyShares{Player: player, Draw: draw, Type: "six", Shares: n})
	}
	run := func(args ...string) (int, string, string) {
		var out, errs strings.Builder
		code := (&program{in: strings.NewReader(""), out: &out, err: &errs}).run(append([]string{"pack", "unsold", "--db", db}, args...))
		return code, out.String(), errs.String()
	}
	want := `Shares of packs of loto-2020-06-22. Best: the fewest packs that hold the same orders, none of them split.

  pack type  packs  sold  unsold  ÷ sold  best packs  unsold  ÷ sold  orders
  six            3    14       4  28.57%           3       4  28.57%  2 × 2, 2 × 5
  unseen         0     0       0       –           0       0       –
`
	if code, out, errs := run(draw); code != 0 || out != want {
		t.Errorf("exit %d, %s:\n%s", code, errs, out)
	}
	var r unsoldReport
	if code, out, errs := run(draw, "--json"); code != 0 || json.Unmarshal([]byte(out), &r) != nil || len(r.Types) != 2 || r.Types[0].Best.Unsold != 4 {
		t.Errorf("exit %d, %s: %s", code, errs, out)
	}
	if code, _, errs := run("loto-1999-01-01"); code != exitBadInput || !strings.Contains(errs, `there is no draw "loto-1999-01-01"`) {
		t.Errorf("exit %d, %s", code, errs)
	}
}
