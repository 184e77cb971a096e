package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"tirage/central"
	"tirage/games"
	"tirage/identity"
)

// quick are costs of passwords that a preparation can bear: nobody attacks the players of a measurement.
var quick = identity.Params{Time: 1, Memory: 64, Threads: 1}

// password is that of every player with an account.
const password = "the players of a bench"

// members is a ban list that names nobody.
type members struct{ w *world }

// Ask signs that a person is not banned.
func (m members) Ask(_ context.Context, p *central.Person) (string, error) {
	return central.SignPaper(central.Clearance{Person: p.Digest(), List: "bench", At: m.w.clock.Now().UnixMicro()}, m.w.keys.BanList)
}

// newMembersWorld plans draws on sale and players as a site has them — registered, confirmed, with limits, money and an open session — and
// pours them into the databases. It returns the tokens of the sessions by player.
func newMembersWorld(ctx context.Context, o *Options, stores ...named) (*world, map[int64]string, error) {
	w, day, err := emptyWorld(o, firstDay)
	if err != nil {
		return nil, nil, err
	}
	w.closes = day.Add(20*time.Hour + 15*time.Minute)
	if w.book, err = games.At(game, w.clock.Now()); err != nil {
		w.close()
		return nil, nil, err
	}
	tokens := map[int64]string{}
	err = w.prepare(ctx, stores, func() error {
		err := w.openDraws(ctx, 1, day)
		if err == nil {
			err = w.openMembers(ctx, o, tokens)
		}
		if err == nil {
			err = w.firstSales(ctx, w.draws[0])
		}
		return err
	})
	return w, tokens, err
}

// openMembers registers players at the desk and logs them in.
func (w *world) openMembers(ctx context.Context, o *Options, tokens map[int64]string) error {
	desk := &identity.Desk{
		Register: w.ahead, Store: w.plans, Entropy: w.entropy, BanList: members{w}, Passwords: identity.NewPasswords(quick), Sessions: identity.NewSessions(w.plans, w.clock),
	}
	for i := range o.Players {
		player, token, err := w.join(ctx, desk, i)
		if err != nil {
			return err
		}
		w.players = append(w.players, player)
		tokens[player] = token
		if i%128 == 0 {
			o.progress("players", i, o.Players)
		}
	}
	o.progress("players", o.Players, o.Players)
	return nil
}

// join takes one person from the form to an open session with money to play for.
func (w *world) join(ctx context.Context, desk *identity.Desk, i int) (player int64, token string, err error) {
	form := identity.Form{Given: "Player", Family: "Of the bench", Birth: "1980-02-29", Email: fmt.Sprintf("player%d@example.org", i), Password: password}
	r, err := desk.SignUp(ctx, newKey(w.rng, w.clock.Now()), form)
	if err != nil {
		return 0, "", err
	}
	var created central.PlayerCreated
	if err := json.Unmarshal(r.Result, &created); err != nil {
		return 0, "", err
	}
	player = created.Player
	me := central.PlayerPrincipal(player)
	if _, err := w.plan(ctx, central.SystemPrincipal, central.VerifyIdentity{Player: player, Evidence: "passport"}); err != nil {
		return 0, "", err
	}
	if _, err := desk.Confirm(ctx, central.SystemPrincipal, newKey(w.rng, w.clock.Now()), player); err != nil {
		return 0, "", err
	}
	for _, of := range []string{central.LimitStakes, central.LimitDeposits} {
		if _, err := w.plan(ctx, me, central.SetLimit{Player: player, Of: of, Cents: funds}); err != nil {
			return 0, "", err
		}
	}
	if _, err := w.plan(ctx, central.SystemPrincipal, central.Deposit{Player: player, Cents: funds}); err != nil {
		return 0, "", err
	}
	in, err := desk.Login(ctx, form.Email, password)
	if err != nil {
		return 0, "", err
	}
	return player, in.Token, nil
}
