package site

import (
	"net/http"
	"net/url"
	"strconv"

	"tirage/central"
	"tirage/receipts"
	"tirage/rules/money"
	"tirage/web/kit"
)

// proposal is a group play (« Jeu en groupe ») before it is proposed: grids of the board, and into how many receipts they are divided.
type proposal struct {
	*board
	Lines    []central.Line
	Cents    money.Cents // of the whole play
	Receipts int64
	Wrong    string
}

// receiptsLeast is the smallest number of receipts of a group play.
const receiptsLeast = 2

// sizes lists the numbers of receipts that may be chosen.
func (p *proposal) sizes() (list []int64) {
	for n := int64(receiptsLeast); n <= int64(p.Game.GroupMax); n++ {
		list = append(list, n)
	}
	return list
}

// part is what each receipt costs: the first bears the cents that are left.
func (p *proposal) part(receipts int64) money.Cents { return p.Cents / money.Cents(receipts) }

func (p *proposal) page(v *kit.Visit) kit.Page {
	return page(v.T("Jouer en groupe", "Play in a group"), kit.NavDraws, tint(p.Game.Game))
}

func (s *site) readProposal(v *kit.Visit) (p *proposal, err error) {
	p = &proposal{}
	if p.board, err = s.board(v); err != nil {
		return p, err
	}
	if p.Lines, err = p.lines(v); err != nil {
		return p, err
	}
	p.Cents = p.cents(p.Lines)
	p.Receipts, _ = strconv.ParseInt(v.Form("receipts"), 10, 64)
	if p.Receipts < receiptsLeast || p.Receipts > int64(p.Game.GroupMax) {
		p.Receipts = receiptsLeast
	}
	return p, nil
}

// proposal shows the choice of a group play.
func (s *site) proposal(v *kit.Visit) error {
	p, err := s.readProposal(v)
	if r := kit.Refused(err); r != nil && p.board != nil {
		return s.refusedBoard(v, p.board, r)
	}
	if err != nil {
		return err
	}
	return v.Show(p.page(v), proposalPage(v, p))
}

// propose proposes a group play: it debits nothing, and leads to the invitation.
//
// Art. loto@2018-10-29:3.4.
func (s *site) propose(v *kit.Visit) error {
	p, err := s.readProposal(v)
	if r := kit.Refused(err); r != nil && p.board != nil {
		return s.refusedBoard(v, p.board, r)
	}
	if err != nil {
		return err
	}
	var state central.GroupState
	err = v.Do(central.ProposeGroup{Player: v.Caller.Player, Draw: v.Form("at"), Lines: p.Lines, Receipts: p.Receipts, Channel: central.ChannelWeb}, &state)
	if r := kit.Refused(err); r != nil {
		p.Wrong = v.Said(r)
		return v.Status(http.StatusUnprocessableEntity).Show(p.page(v), proposalPage(v, p))
	}
	if err != nil {
		return err
	}
	return v.Go(groupPath(&state))
}

func groupPath(g *central.GroupState) string {
	return "/groups/" + url.PathEscape(g.Draw) + "/" + url.PathEscape(g.Group.String())
}

// group is a group as its page shows it.
type group struct {
	*central.GroupState
	Draw       central.DrawTerms
	Open       bool   // its draw is on sale
	Invitation string // that the visitor came with
	Link       string // to pass on, for the organiser
	Code       *receipts.Code
	Wrong      string
	Asked      int64 // receipts that were asked for
}

// organiser reports whether the group is the visitor's own: the invitation is shown to nobody else.
func (g *group) organiser() bool { return g.Link != "" }

// member reports whether the visitor takes part.
func (g *group) member() bool { return g.Yours > 0 }

// left is how many receipts may still be taken: one stays the organiser's.
func (g *group) left() int64 { return g.Receipts - g.Taken - 1 }

// choices lists how many receipts may be taken at once.
func (g *group) choices() (list []int64) {
	for n := int64(1); n <= g.left(); n++ {
		list = append(list, n)
	}
	return list
}

// cost is what so many receipts cost a member.
func (g *group) cost(n int64) money.Cents { return money.Mul(g.Part, n) }

// waits reports whether others may still join: the page looks again when it is asked to, so that an open page keeps no session alive.
func (g *group) waits() bool { return g.Play == nil && g.Open && g.member() }

// row is the kind of each receipt, as the page draws them.
func (g *group) row() (list []string) {
	others := g.Receipts - g.Yours
	if g.Play == nil && g.organiser() {
		others = g.Taken
	} else if g.Play == nil {
		others = g.Taken - g.Yours
	}
	for n := range g.Receipts {
		switch {
		case n < g.Yours && (g.Play != nil || !g.organiser() || n == 0):
			list = append(list, "mine")
		case n >= g.Receipts-others:
			list = append(list, "sold")
		default:
			list = append(list, "free")
		}
	}
	return list
}

// rowWords says the same.
func (g *group) rowWords(v *kit.Visit) string {
	if g.Play != nil {
		return v.F("%s reçus, dont %s à vous.", "%s receipts, %s of them yours.", v.Count(g.Receipts), v.Count(g.Yours))
	}
	return v.F("%s reçus : %s par des participants, %s, un à l'organisateur.", "%s receipts: %s by members, %s, one the organiser's.", v.Count(g.Receipts),
		v.N(g.Taken, "%s pris", "%s pris", "%s taken", "%s taken"), v.N(g.left(), "%s encore libre", "%s encore libres", "%s still free", "%s still free"))
}

// standWords says how the group stands.
func (g *group) standWords(v *kit.Visit) string {
	switch {
	case g.Play != nil:
		return v.T("Enregistré.", "Registered.")
	case !g.Open:
		return v.T("Non enregistré : rien n'a été débité.", "Not registered: nothing was debited.")
	}
	return v.T("En attente de l'organisateur : rien n'est débité.", "Waiting for the organiser: nothing is debited.")
}

func (g *group) page(v *kit.Visit) kit.Page {
	return page(v.T("Jeu en groupe", "Group play"), kit.NavPlays, tint(g.Draw.Game))
}

// readGroup reads the group of a path as the visitor sees it.
func (s *site) readGroup(v *kit.Visit) (*group, error) {
	id := new(central.ID)
	if err := id.UnmarshalText([]byte(v.R.PathValue("group"))); err != nil {
		return nil, v.NotFound()
	}
	c, err := catalogue(v)
	if err != nil {
		return nil, err
	}
	g := &group{Invitation: v.Form("invitation")}
	err = v.View(func(snap central.Snapshot) error {
		var err error
		if g.GroupState, err = central.ReadGroup(v.Context(), snap, v.R.PathValue("draw"), *id, v.Caller.Player, g.Invitation); err != nil {
			return err
		}
		d, err := kit.Get[*central.Draw](v.Context(), snap, central.Key{Table: central.Draws, S: g.GroupState.Draw})
		if d != nil {
			g.Draw = central.DrawTerms{Draw: d.ID, Game: d.Game, Title: nameOf(d.Game), Day: d.Day}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	for _, d := range offers(c) {
		if d.Draw == g.Draw.Draw {
			g.Draw, g.Open = d.DrawTerms, d.OnSale
		}
	}
	if g.GroupState.Invitation == "" {
		return g, nil
	}
	g.Link = s.host.Public.JoinPath(groupPath(g.GroupState)).String() + "?invitation=" + url.QueryEscape(g.GroupState.Invitation)
	g.Code, err = receipts.QR(g.Link)
	return g, err
}

// group shows a group to its organiser, its members, and to who was invited.
func (s *site) group(v *kit.Visit) error {
	g, err := s.readGroup(v)
	if err != nil {
		return err
	}
	return v.Show(g.page(v), groupPage(v, g))
}

// groupRecap quotes the group play for its organiser, as it stands, and shows the recap: its confirmation debits everybody, all or nobody.
func (s *site) groupRecap(v *kit.Visit) error {
	g, err := s.readGroup(v)
	if err != nil {
		return err
	}
	err = s.recap(v, central.PlayGroup{Player: v.Caller.Player, Draw: g.Draw.Draw, Group: g.Group, Cents: g.Cents}, groupPath(g.GroupState))
	return s.groupDone(v, g, err)
}

// joinGroup takes receipts of a group, at the price that the form shows.
func (s *site) joinGroup(v *kit.Visit) error {
	g, err := s.readGroup(v)
	if err != nil {
		return err
	}
	g.Asked, _ = strconv.ParseInt(v.Form("receipts"), 10, 64)
	cents, err := centsField(v, "part")
	if err != nil {
		return err
	}
	if g.Asked > 0 && g.Asked <= g.Receipts {
		cents = money.Mul(cents, g.Asked)
	}
	err = v.Do(central.JoinGroup{Player: v.Caller.Player, Draw: g.Draw.Draw, Group: g.Group, Invitation: g.Invitation, Receipts: g.Asked, Cents: cents}, nil)
	if r := kit.Refused(err); r != nil || err != nil {
		return s.groupDone(v, g, err)
	}
	return v.Go(groupPath(g.GroupState))
}

// leaveGroup gives the visitor's receipts back.
func (s *site) leaveGroup(v *kit.Visit) error {
	g, err := s.readGroup(v)
	if err != nil {
		return err
	}
	err = v.Do(central.LeaveGroup{Player: v.Caller.Player, Draw: g.Draw.Draw, Group: g.Group}, nil)
	if err != nil {
		return s.groupDone(v, g, err)
	}
	return v.Go("/groups?left=" + url.QueryEscape(g.Group.String()))
}

// groupDone shows the group again with what was refused.
func (s *site) groupDone(v *kit.Visit, g *group, err error) error {
	r := kit.Refused(err)
	if r == nil {
		return err
	}
	g.Wrong = v.Said(r)
	return v.Status(http.StatusUnprocessableEntity).Show(g.page(v), groupPage(v, g))
}

// groupList lists the groups of the coming draws in which the player takes part.
func (s *site) groupList(v *kit.Visit) error {
	c, err := catalogue(v)
	if err != nil {
		return err
	}
	var list []*group
	err = v.View(func(snap central.Snapshot) error {
		for _, d := range offers(c) {
			if d.State == central.DatePlanned {
				continue
			}
			states, err := central.ReadGroups(v.Context(), snap, d.Draw, v.Caller.Player)
			if err != nil {
				return err
			}
			for _, state := range states {
				list = append(list, &group{GroupState: state, Draw: d.DrawTerms, Open: d.OnSale})
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return v.Show(page(v.T("Mes jeux en groupe", "My group plays"), kit.NavPlays, ""), groupsPage(v, list))
}
