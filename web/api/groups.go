package api

import (
	"context"
	"net/http"

	"tirage/central"
)

// GroupBody proposes a group play (« Jeu en groupe »).
type GroupBody struct {
	Draw     string          `json:"draw" maxLength:"60" example:"loto-2018-10-29"`
	Lines    []string        `json:"lines" minItems:"1" maxItems:"60" doc:"Grids as 5-9-21-36-39+5, quick picks as « quick 6x1 »"`
	Receipts int64           `json:"receipts" minimum:"1" doc:"Into how many equal receipts the play is divided"`
	Channel  central.Channel `json:"channel,omitempty" enum:"web,app" doc:"web unless said"`
}

// GroupPath names a group.
type GroupPath struct {
	Draw  string `path:"draw" maxLength:"60"`
	Group string `path:"group" maxLength:"40" example:"0-12"`
}

// id reads the number of the group; one that cannot be read is nobody's.
func (p *GroupPath) id() (central.ID, error) { return idOf(p.Group, "group.unknown", "group") }

// JoinBody takes receipts of a group.
type JoinBody struct {
	Invitation string `json:"invitation" minLength:"1" maxLength:"40"`
	Receipts   int64  `json:"receipts" minimum:"1"`
	Cents      Cents  `json:"cents" doc:"What the player agrees to pay for them: receipts × part"`
}

func (a *API) addGroups() {
	add(a, Route{Method: http.MethodPost, Path: "/groups", ID: "propose-group", Tag: "groups", Summary: "Propose a group play: nothing is debited; the invitation is passed on", Command: "propose_group", Own: true, Status: 201}, a.proposeGroup)
	add(a, Route{Method: http.MethodGet, Path: "/groups", ID: "groups", Tag: "groups", Summary: "The groups of a draw in which the player takes part", Own: true}, a.groups)
	add(a, Route{Method: http.MethodGet, Path: "/groups/{draw}/{group}", ID: "group", Tag: "groups", Summary: "A group, as its organiser, a member, or who knows the invitation sees it", Own: true}, a.group)
	add(a, Route{Method: http.MethodPost, Path: "/groups/{draw}/{group}/join", ID: "join-group", Tag: "groups", Summary: "Take receipts of a group: they are debited when the organiser registers the play", Command: "join_group", Own: true}, a.joinGroup)
	add(a, Route{Method: http.MethodPost, Path: "/groups/{draw}/{group}/leave", ID: "leave-group", Tag: "groups", Summary: "Give the receipts back, before the play is registered", Command: "leave_group", Own: true}, a.leaveGroup)
	add(a, Route{Method: http.MethodPost, Path: "/groups/{draw}/{group}/quote", ID: "quote-group", Tag: "groups", Summary: "Quote the group play for its organiser, as it stands: confirmed like any quote, it debits organiser and members, all or nobody", Command: "play_group", Own: true}, a.quoteGroup)
}

func (a *API) proposeGroup(ctx context.Context, who *Caller, in *sized[GroupBody]) (*central.GroupState, error) {
	b := in.Body
	lines, err := parseLines(b.Lines)
	if err != nil {
		return nil, err
	}
	return do[central.GroupState](ctx, a, who, central.ProposeGroup{Player: who.Player, Draw: b.Draw, Lines: lines, Receipts: b.Receipts, Channel: channel(b.Channel)})
}

func (a *API) groups(ctx context.Context, who *Caller, in *struct {
	Draw string `query:"draw" required:"true" maxLength:"60" example:"loto-2018-10-29"`
}) (*List[*central.GroupState], error) {
	var states []*central.GroupState
	err := a.view(ctx, func(snap central.Snapshot) (err error) {
		states, err = central.ReadGroups(ctx, snap, in.Draw, who.Player)
		return err
	})
	return list(states), err
}

func (a *API) group(ctx context.Context, who *Caller, in *struct {
	GroupPath
	Invitation string `query:"invitation" maxLength:"40" doc:"Needed by who has not joined"`
}) (*central.GroupState, error) {
	return a.groupOf(ctx, who, &in.GroupPath, in.Invitation)
}

func (a *API) groupOf(ctx context.Context, who *Caller, path *GroupPath, invitation string) (state *central.GroupState, err error) {
	id, err := path.id()
	if err != nil {
		return nil, err
	}
	err = a.view(ctx, func(snap central.Snapshot) (err error) {
		state, err = central.ReadGroup(ctx, snap, path.Draw, id, who.Player, invitation)
		return err
	})
	return state, err
}

func (a *API) joinGroup(ctx context.Context, who *Caller, in *struct {
	GroupPath
	Body JoinBody
}) (*central.GroupState, error) {
	id, err := in.id()
	if err != nil {
		return nil, err
	}
	return do[central.GroupState](ctx, a, who, central.JoinGroup{
		Player: who.Player, Draw: in.Draw, Group: id, Invitation: in.Body.Invitation, Receipts: in.Body.Receipts, Cents: in.Body.Cents.money(),
	})
}

func (a *API) leaveGroup(ctx context.Context, who *Caller, in *GroupPath) (*central.GroupState, error) {
	id, err := in.id()
	if err != nil {
		return nil, err
	}
	return do[central.GroupState](ctx, a, who, central.LeaveGroup{Player: who.Player, Draw: in.Draw, Group: id})
}

// quoteGroup quotes the organiser's part as it stands now: when a member joins or leaves before the confirmation, that is refused.
func (a *API) quoteGroup(ctx context.Context, who *Caller, in *GroupPath) (*Quote, error) {
	state, err := a.groupOf(ctx, who, in, "")
	if err != nil {
		return nil, err
	}
	return a.quote(ctx, central.PlayGroup{Player: who.Player, Draw: in.Draw, Group: state.Group, Cents: state.Cents})
}
