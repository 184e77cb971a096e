package office

import (
	"errors"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"tirage/central"
	"tirage/logbook"
	"tirage/rules/money"
	"tirage/web/kit"
)

// foundMax bounds a list of people.
const foundMax = 50

// found is a player in a list.
type found struct {
	*central.Person
	State string
}

// carePage is what the page of a player shows.
type carePage struct {
	*central.Person
	Guard    *central.Guard
	Player   *central.Player
	Created  time.Time
	Limits   []central.Limit
	Plays    []central.PlayRecord
	Messages []central.InboxMessage
	Moves    []*central.Movement // the latest at the head
	Totals   central.Totals
	Passkeys int
	Sessions []*central.Session // open
	Refused  string
}

var errFound = errors.New("enough was found")

// playIn finds the printed id of a play in what somebody has read off a receipt: the id itself, the number of the receipt, the address in its QR code.
var playIn = regexp.MustCompile(`(?:^|[^0-9-])([0-9]{1,2}-[0-9]{1,15})(?:$|[^0-9-])`)

// players finds people by a part of their name, their address or number, and by a play of theirs.
func (o *office) players(v *kit.Visit) error {
	q := v.Form("q")
	var list []found
	err := v.View(func(snap central.Snapshot) error {
		if q == "" {
			return nil
		}
		if m := playIn.FindStringSubmatch(q); m != nil {
			id, err := playerOf(v, snap, m[1])
			if err != nil || id == 0 {
				return err
			}
			return addFound(v, snap, &list, id)
		}
		return findPeople(v, snap, q, &list)
	})
	if err != nil {
		return err
	}
	if len(list) == 1 && playIn.MatchString(q) {
		return v.Go(Path + "players/" + strconv.FormatInt(list[0].Person.Player, 10))
	}
	return v.Show(page(v.T("Joueurs", "Players"), "players"), playersPage(v, q, list))
}

func findPeople(v *kit.Visit, snap central.Snapshot, q string, list *[]found) error {
	want := strings.ToLower(q)
	var ids []int64
	err := snap.Scan(v.Context(), central.Range{From: central.Key{Table: central.Persons}}, func(r central.Row) error {
		n := r.(*central.Person)
		if n.Email == want || strconv.FormatInt(n.Player, 10) == want || strings.Contains(strings.ToLower(n.Given+" "+n.Family), want) {
			ids = append(ids, n.Player)
		}
		if len(ids) == foundMax {
			return errFound
		}
		return nil
	})
	if err != nil && !errors.Is(err, errFound) {
		return err
	}
	for _, id := range ids {
		if err := addFound(v, snap, list, id); err != nil {
			return err
		}
	}
	return nil
}

func addFound(v *kit.Visit, snap central.Snapshot, list *[]found, id int64) error {
	n, err := kit.Get[*central.Person](v.Context(), snap, central.Key{Table: central.Persons, N: id})
	if n == nil || err != nil {
		return err
	}
	g, err := kit.Get[*central.Guard](v.Context(), snap, central.Key{Table: central.Guards, N: id})
	if g == nil || err != nil {
		return err
	}
	*list = append(*list, found{n, g.State})
	return nil
}

// playerOf returns whose play it is, 0 for none: the leaf that holds its sale names the player, and nothing else of it is shown.
func playerOf(v *kit.Visit, snap central.Snapshot, play string) (int64, error) {
	var id central.RoundID // plays and rounds are numbered alike
	if err := id.UnmarshalText([]byte(play)); err != nil {
		return 0, nil
	}
	leaf, err := kit.Get[*central.LeafRow](v.Context(), snap, central.Key{Table: central.Leaves, N: int64(id) >> 48, M: int64(id)&(1<<48-1) - 1})
	if leaf == nil || err != nil {
		return 0, err
	}
	_, lines, err := logbook.ParseLeaf(leaf.Body)
	if err != nil {
		return 0, err
	}
	for _, line := range lines {
		row, err := central.ReadRow(line)
		if err != nil {
			return 0, err
		}
		switch r := row.(type) {
		case *central.Play:
			return r.Player, nil
		case *central.Round:
			return r.Player, nil
		}
	}
	return 0, nil
}

// readPlayer reads what the page of a player shows; movements only for who may see statements.
func (o *office) readPlayer(v *kit.Visit) (*carePage, error) {
	id, err := strconv.ParseInt(v.R.PathValue("player"), 10, 64)
	if err != nil {
		return nil, v.NotFound()
	}
	c := &carePage{}
	err = v.View(func(snap central.Snapshot) error {
		if err := c.who(v, snap, id); err != nil {
			return err
		}
		box, err := central.ReadInbox(v.Context(), snap, central.InboxQuery{Player: id, Limit: 10})
		if err != nil {
			return err
		}
		c.Messages = box.Messages
		if !central.Permitted.MaySee(v.Caller.Role, "statements") {
			return nil
		}
		s, err := central.ReadStatement(v.Context(), snap, central.StatementQuery{Player: id, From: v.Now.AddDate(0, -1, 0)})
		if err != nil {
			return err
		}
		c.Totals, c.Moves = s.Totals, s.Movements[max(0, len(s.Movements)-20):]
		slices.Reverse(c.Moves)
		return nil
	})
	if err != nil {
		return nil, err
	}
	plays, err := o.host.Register.ReadPlays(v.Context(), central.PlaysQuery{Player: id, Limit: 10})
	if err != nil {
		return nil, err
	}
	c.Plays = plays.Plays
	return c, nil
}

func (c *carePage) who(v *kit.Visit, snap central.Snapshot, id int64) (err error) {
	get := func(t central.TableID) central.Key { return central.Key{Table: t, N: id} }
	if c.Person, err = kit.Get[*central.Person](v.Context(), snap, get(central.Persons)); err != nil {
		return err
	}
	if c.Guard, err = kit.Get[*central.Guard](v.Context(), snap, get(central.Guards)); err != nil {
		return err
	}
	if c.Player, err = kit.Get[*central.Player](v.Context(), snap, get(central.Players)); err != nil {
		return err
	}
	profile, err := kit.Get[*central.Profile](v.Context(), snap, get(central.Profiles))
	if err != nil {
		return err
	}
	if c.Person == nil || c.Guard == nil || c.Player == nil || profile == nil {
		return &central.Refusal{Code: central.NotFound, Reason: "player.unknown", Field: "player", Text: "There is no such player.", French: "Ce joueur n’existe pas."}
	}
	c.Created = time.UnixMicro(profile.Created)
	for of, stored := range map[string][]byte{central.LimitStakes: c.Player.Stakes, central.LimitDeposits: c.Guard.Deposits} {
		l, ok, err := central.LimitAt(of, stored, v.Now)
		if err != nil {
			return err
		}
		if ok {
			c.Limits = append(c.Limits, l)
		}
	}
	slices.SortFunc(c.Limits, func(a, b central.Limit) int { return strings.Compare(b.Of, a.Of) })
	return snap.Scan(v.Context(), central.Range{From: get(central.Sessions), Prefix: 1}, func(r central.Row) error {
		if s := r.(*central.Session); s.Closed == 0 {
			c.Sessions = append(c.Sessions, s)
		}
		return nil
	})
}

func (o *office) player(v *kit.Visit) error {
	c, err := o.readPlayer(v)
	if err != nil {
		return err
	}
	return v.Show(page(c.name(), "players"), playerPage(v, c))
}

func (c *carePage) name() string { return c.Given + " " + c.Family }

func (c *carePage) excluded(v *kit.Visit) bool { return c.Guard.ExcludedUntil > v.Now.UnixMicro() }

// care does what player care may do for a player: its reason stands in the log.
func (o *office) care(c func(v *kit.Visit, player int64) (central.Command, error)) kit.Handler {
	return func(v *kit.Visit) error {
		id, err := strconv.ParseInt(v.R.PathValue("player"), 10, 64)
		if err != nil {
			return v.NotFound()
		}
		command, err := c(v, id)
		if err == nil {
			err = v.Do(command, nil)
		}
		if err == nil {
			return v.Go(Path + "players/" + strconv.FormatInt(id, 10))
		}
		r := kit.Refused(err)
		if r == nil || r.Code == central.NotFound {
			return err
		}
		page1, err := o.readPlayer(v)
		if err != nil {
			return err
		}
		page1.Refused = v.Said(r)
		return v.Status(http.StatusConflict).Show(page(page1.name(), "players"), playerPage(v, page1))
	}
}

func verifyIdentity(v *kit.Visit, player int64) (central.Command, error) {
	return central.VerifyIdentity{Player: player, Evidence: v.Form("evidence")}, nil
}

func revokeSessions(_ *kit.Visit, player int64) (central.Command, error) {
	return central.RevokeSessions{Player: player}, nil
}

// identityWords names the state of an identity.
func identityWords(v *kit.Visit, state string) string {
	switch state {
	case central.StateOpen:
		return v.T("inscrit, identité à vérifier", "registered, identity to be verified")
	case central.StateVerified:
		return v.T("vérifié, à confirmer par un opérateur", "verified, to be confirmed by an operator")
	case central.StateConfirmed:
		return v.T("confirmé", "confirmed")
	}
	return state
}

func limitWords(v *kit.Visit, of string) string {
	if of == central.LimitStakes {
		return v.T("Mises en 7 jours", "Stakes in 7 days")
	}
	return v.T("Dépôts en 7 jours", "Deposits in 7 days")
}

func limitState(v *kit.Visit, l central.Limit) string {
	if l.Cents == nil {
		return v.T("pas encore choisie", "not yet chosen")
	}
	text := v.F("%s, reste %s", "%s, %s left", v.Money(*l.Cents), v.Money(l.Left))
	if l.Raise != nil {
		text += v.F(" ; hausse à %s le %s", "; raised to %s on %s", v.Money(*l.Raise), v.DateTime(l.RaiseAt))
	}
	return text
}

func gainWords(v *kit.Visit, gain *money.Cents) string {
	if gain == nil {
		return v.T("en attente", "waiting")
	}
	return v.Money(*gain)
}

// subject is what a message tells, in the language of the page.
func subject(v *kit.Visit, m central.InboxMessage) string {
	s, _, err := m.In(string(v.Lang))
	if err != nil {
		return m.Kind
	}
	return s
}
