package central_test

import (
	"testing"

	"tirage/central"
	"tirage/store/storetest"
)

// Whatever is changed in the accounts of players, the books say so.
func TestBooksFindEveryChangeOfAccounts(t *testing.T) {
	w, draw := shop(t)
	id := w.Registered("one", 5000, 5000)
	me := central.PlayerPrincipal(id)
	w.Do("system", central.TryLogin{Name: central.LoginName("nobody@example.org")})
	w.Do("system", central.AddPasskey{Player: id, Name: "phone", Record: []byte("{}")})
	var asked central.PaymentState
	storetest.Result(w, w.Do(me, central.RequestWithdrawal{Player: id, Cents: 100}), &asked)
	two := w.Registered("two", 5000, 1000)
	w.Do(central.PlayerPrincipal(two), central.ExcludePlayer{Player: two, Hours: 24})
	w.Do(me, play(id, draw, 1))
	catchUp(t, central.NewHistorian(w.Store), central.NewInbox(w.Store))
	w.Do("provider/test", storetest.Settled(w, asked, false)) // the first leaf that history and inbox have not reached
	w.Do(me, central.RequestWithdrawal{Player: id, Cents: 100})
	w.Do(me, central.ReadMessages{Player: id, Messages: []central.MessageID{inbox(t, w.Store, id, 1)[0].ID}})
	w.CheckBooks()
	for _, table := range []central.TableID{
		central.Players, central.Guards, central.Persons, central.Logins, central.Credentials, central.Passkeys, central.Sessions, central.PaymentRows, central.References,
		central.Movements, central.ProgressRows, central.Messages, central.MessageReads,
	} {
		all := rows(t, w.Store, table)
		if len(all) == 0 {
			t.Errorf("no row of %s was changed", central.Schema[table].Name)
		}
		for _, r := range all {
			findEveryChange(t, w.Store, &central.Schema[table], r)
		}
	}
}
