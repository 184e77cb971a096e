package storetest_test

import (
	"testing"
	"time"

	"tirage/central"
	"tirage/rules/combin"
	"tirage/store/storetest"
)

// A player's life is the same on every engine: registered, confirmed, limited, paid in, staking, checked, excluded, paid out, with the history behind it.
func TestPlayersLife(t *testing.T) {
	engines(t, func(t *testing.T, w *storetest.World) {
		begin := w.Clock.Now()
		draw := w.Open(central.OpenDraw{Game: "loto", Day: "2020-06-22", OpensAt: begin, ClosesAt: begin.Add(50 * time.Hour)})
		history := central.NewHistorian(w.Store)
		id := w.Registered("one", 1000, 2000)
		me := central.PlayerPrincipal(id)
		buy := central.BuyPlay{Player: id, Draw: draw, Channel: central.ChannelWeb, Lines: []central.Line{{Quick: combin.Format{Main: 5, Extra: 1}}}}
		for range 4 {
			w.Do(me, buy)
		}
		w.Why("limit.stake", me, buy)
		w.Do(me, central.SetLimit{Player: id, Of: central.LimitStakes, Cents: 5000})
		check(t, history.CatchUp(t.Context()))
		w.Clock.Set(begin.Add(48 * time.Hour))
		w.Why("check.open", me, buy)
		w.Do(me, central.AckCheck{Player: id, Clearance: w.Clear(id, false)})
		w.Do(me, buy)
		var asked central.PaymentState
		storetest.Result(w, w.Do(me, central.RequestWithdrawal{Player: id, Cents: 500}), &asked)
		w.Do("provider/test", storetest.Settled(w, asked, true))
		w.Do(me, central.ExcludePlayer{Player: id, Months: 1})
		w.Why("player.excluded", me, buy)
		w.Why("account.email_taken", "visitor", central.RegisterPlayer{Given: "A", Family: "B", Birth: "1980-01-01", Email: "ONE@example.org", Password: "$argon2id$test"})
		check(t, history.CatchUp(t.Context()))
		w.CheckBooks()
		snap, err := w.Store.Snapshot(t.Context())
		check(t, err)
		defer snap.Close()
		s, err := central.ReadStatement(t.Context(), snap, central.StatementQuery{Player: id})
		check(t, err)
		want := central.Totals{Stakes: 1100, Net: -1100, Deposits: 2000, Withdrawals: 500}
		if s.Totals != want || s.Closing != 400 || len(s.Movements) != 7 || w.Balance(id) != 400 {
			t.Errorf("%+v, closing %v, %d movements", s.Totals, s.Closing, len(s.Movements))
		}
	})
}
