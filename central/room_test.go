package central_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
	"tirage/central"
	"tirage/internal/covers"
	"tirage/rules/prize"
	"tirage/store/mem"
	"tirage/store/storetest"
)

const (
	enterer1 = "staff/enterer"
	enterer2 = "staff/enterer2"
	program  = "0b6b5c1d5e7a9d7e0e2f5b3c6f7f0a4d8c1b2a39485766554433221100ffeedd"
)

// withRoom makes a register as a server has it: results come from the draw room.
func withRoom(c *central.Config) {
	c.AllowReconstructed, c.AllowBare, c.DrawRoom, c.Program = false, true, true, program
}

// staffed opens the accounts of the draw room, two enterers and two officers among them.
func staffed(w *storetest.World) {
	w.Helper()
	w.Clock.Set(instant(w, "2018-09-10 12:00:00"))
	hired(w)
	for name, role := range map[string]string{"enterer2": "enterer", "officer2": "officer"} {
		w.Do(central.SystemPrincipal, central.AddStaff{Name: name, Role: role, Password: "$argon2id$test"})
	}
}

// balancedRoom takes the planned draw to its instant, with people, sealed and balanced.
func balancedRoom(w *storetest.World) {
	w.Helper()
	staffed(w)
	sealedLoto(w)
	w.Clock.Set(instant(w, "2018-10-29 20:45:00"))
}

// readyRoom is that with all that comes before the balls.
func readyRoom(w *storetest.World) {
	w.Helper()
	balancedRoom(w)
	w.Do(operator, checkRoom)
	w.Do(officer, central.AttendDraw{Draw: planned})
}

var checkRoom = central.CheckRoom{Draw: planned, Program: program, Rules: central.RulesDigest(), Checked: central.RoomChecks}

func typing(main ...int) central.EnterResult {
	return central.EnterResult{Draw: planned, Version: 1, Round: 1, Entry: central.EntryBody{Main: main, Extra: []int{6}}}
}

func signing(round int64) central.SignResult {
	return central.SignResult{Draw: planned, Version: 1, Round: round, Statements: []string{central.StatementSeen, central.StatementQuiet, central.StatementOwn}}
}

func roomOf(w *storetest.World, principal string) *central.RoomView {
	w.Helper()
	snap, err := w.Store.Snapshot(w.Context())
	must(w, err)
	defer snap.Close()
	v, err := central.ReadRoom(w.Context(), snap, planned, principal)
	must(w, err)
	return v
}

// An evening in the draw room: two entries that differ, two that are equal, the officer; the schedule records, counts, and waits for the approval.
func TestDrawRoom(t *testing.T) {
	covers.Covers(t, "P8", "P78")
	w := storetest.NewWorld(t, &mem.Store{}, withRoom)
	readyRoom(w)

	var state central.RoomState
	storetest.Result(w, w.Do(enterer1, typing(9, 36, 5, 21, 39)), &state)
	if state.Entries != 1 || state.Round != 1 {
		t.Errorf("after one entry: %+v", state)
	}
	if v := roomOf(w, enterer2); len(v.Sealed) != 1 || v.Sealed[0].Body != nil {
		t.Errorf("the second enterer sees %+v", v.Sealed)
	}
	if v := roomOf(w, officer); v.Sealed[0].Body != nil {
		t.Error("the officer sees an entry before there are two")
	}
	w.Why("entry.same", enterer1, typing(9, 36, 5, 21, 39))
	w.Why("room.entries", officer, signing(1))

	storetest.Result(w, w.Do(enterer2, typing(9, 36, 5, 12, 39)), &state)
	if state.Entries != 0 || state.Round != 2 || !slices.Equal(state.Differs, []string{"main.4"}) {
		t.Errorf("after two that differ: %+v", state)
	}
	w.Why("room.round", enterer1, typing(9, 36, 5, 21, 39)) // a form of the round before
	again := typing(9, 36, 5, 21, 39)
	again.Round = 2
	w.Do(enterer2, again)
	storetest.Result(w, w.Do(enterer1, again), &state)
	if state.Entries != 2 || state.Round != 2 {
		t.Errorf("after two that are equal: %+v", state)
	}
	if v := roomOf(w, enterer1); v.Sealed[0].Body != nil || v.Sealed[1].Body != nil {
		t.Error("an enterer is shown what was typed")
	}
	if v := roomOf(w, officer); !v.Equal() || v.Sealed[0].Body == nil {
		t.Errorf("the officer sees %+v", v)
	}
	w.Why("room.entered", enterer1, again)
	if err := w.Operator.Record(w.Context(), planned, lotoResult, central.Outside{}); reason(err) != "result.room" {
		t.Errorf("recorded before the signature: %v", err)
	}
	w.Why("room.officer", "staff/officer2", signing(2))
	w.Do(officer, signing(2))
	if err := w.Operator.Record(w.Context(), planned, lotoResult, central.Outside{}); reason(err) != "result.signed" {
		t.Errorf("another result than the signed one: %v", err)
	}
	s := &central.Schedule{Operator: w.Operator, Clock: w.Clock}
	var waits []central.Wait
	for range 3 {
		report, err := s.Step(w.Context())
		must(w, err)
		waits = report.Waits
		w.CheckBooks()
	}
	if len(waits) != 1 || waits[0].For != central.WaitApproval {
		t.Fatalf("the schedule waits for %+v", waits)
	}
	w.Do("staff/officer2", central.ApproveDraw{Draw: planned, Version: 1})
	_, err := s.Step(w.Context())
	must(w, err)
	w.CheckBooks()
}

// Whoever typed a result controls none of that draw: not as an officer that they have become since, in no later version.
func TestDrawRoomNobodyTypesAndControls(t *testing.T) {
	covers.Covers(t, "P8", "P78")
	w := storetest.NewWorld(t, &mem.Store{}, withRoom)
	readyRoom(w)
	w.Do(enterer1, typing(9, 36, 5, 21, 39))
	w.Do("staff/admin", central.SetStaffRole{Name: "enterer", Role: "officer", Why: "moves"})
	w.Why("room.hands", enterer1, central.AttendDraw{Draw: planned})
	w.Do(enterer2, typing(9, 36, 5, 21, 39))
	w.Why("room.hands", enterer1, signing(1))
	w.Do("staff/admin", central.SetStaffRole{Name: "officer", Role: "enterer", Why: "moves"})
	w.Why("role.forbidden", officer, signing(1))
	w.Do("staff/admin", central.SetStaffRole{Name: "officer", Role: "officer", Why: "moves back"})
	w.Do(officer, signing(1))
	s := &central.Schedule{Operator: w.Operator, Clock: w.Clock}
	for range 3 {
		_, err := s.Step(w.Context())
		must(w, err)
	}
	w.Why("room.hands", enterer1, central.ApproveDraw{Draw: planned, Version: 1})

	// An officer who controls does not become an enterer of the next version either.
	w.Do("staff/admin", central.SetStaffRole{Name: "officer", Role: "enterer", Why: "moves"})
	second := typing(1, 2, 3, 4, 5)
	second.Version = 2
	w.Why("room.controls", officer, second)
	w.Do("staff/officer2", central.ApproveDraw{Draw: planned, Version: 1})
	for range 2 {
		_, err := s.Step(w.Context())
		must(w, err)
	}
	var r *central.Refusal
	if _, err := w.Operator.Publish(w.Context(), planned, enterer1); !errors.As(err, &r) || r.Reason != "room.hands" {
		t.Errorf("the notice is published by who typed the result: %v", err)
	}
	w.CheckBooks()
}

// An interrupted draw keeps its balls through a postponement; the complementary draw supplies the missing ones only.
func TestDrawRoomInterrupted(t *testing.T) {
	covers.Covers(t, "P8", "P78")
	w := storetest.NewWorld(t, &mem.Store{}, withRoom)
	readyRoom(w)
	w.Do(enterer1, typing(9, 36, 5, 21, 39))
	w.Why("room.officer", "staff/officer2", central.InterruptDraw{Draw: planned, Why: "a machine stopped"})
	w.Why("entry.ball", officer, central.InterruptDraw{Draw: planned, Why: "a machine stopped", Main: []int{9, 50}})
	w.Do(officer, central.InterruptDraw{Draw: planned, Why: "a machine stopped", Main: []int{9, 36}})
	w.Do(officer, central.PostponeDraw{Draw: planned, Until: instant(w, "2018-10-29 22:00:00"), Why: "a machine stopped"})
	w.Why("draw.state", enterer1, typing(9, 36, 5, 21, 39))
	w.Clock.Set(instant(w, "2018-10-29 22:00:00"))
	w.Do(officer, central.ResumeDraw{Draw: planned, Why: "another machine is ready"})
	other := typing(9, 35, 5, 21, 39)
	other.Round = 2
	w.Why("entry.kept", enterer1, other)
	good := typing(9, 36, 1, 2, 3)
	good.Round = 2
	w.Do(enterer1, good)
	w.Do(enterer2, good)
	w.Why("room.statements", officer, signing(2)) // there was an incident
	signed := signing(2)
	signed.Statements[1] = central.StatementIncident
	w.Why("result.late", officer, signed)
	signed.Late = "a machine stopped"
	w.Do(officer, signed)
	d, err := w.Operator.Draw(w.Context(), planned)
	must(w, err)
	recorded, err := w.Operator.RecordSigned(w.Context(), d)
	must(w, err)
	if !recorded {
		t.Error("what was signed is not recorded")
	}
	w.CheckBooks()
}

// A correction before the approval goes through the room again; while it is signed and not recorded, nothing is approved.
func TestDrawRoomCorrection(t *testing.T) {
	w := storetest.NewWorld(t, &mem.Store{}, withRoom)
	readyRoom(w)
	w.Do(enterer1, typing(9, 36, 5, 21, 39))
	w.Do(enterer2, typing(9, 36, 5, 21, 39))
	w.Do(officer, signing(1))
	s := &central.Schedule{Operator: w.Operator, Clock: w.Clock}
	for range 2 {
		_, err := s.Step(w.Context())
		must(w, err)
	}
	for _, who := range []string{enterer2, enterer1} {
		second := typing(9, 36, 5, 21, 38)
		second.Version = 2
		w.Do(who, second)
	}
	sign := signing(1)
	sign.Version = 2
	w.Do(officer, sign)
	w.Why("room.signed", officer, central.ApproveDraw{Draw: planned, Version: 1})
	for range 3 {
		_, err := s.Step(w.Context())
		must(w, err)
		w.CheckBooks()
	}
	d, err := w.Operator.Draw(w.Context(), planned)
	must(w, err)
	if d.Version != 2 || d.State != "counted" {
		t.Errorf("version %d is %s", d.Version, d.State)
	}
	w.Do(officer, central.ApproveDraw{Draw: planned, Version: 2})
}

// roomRefusals are the occasions on which an act in the draw room is refused, from a room where all is ready.
var roomRefusals = []struct {
	name, reason, principal string
	setup                   func(w *storetest.World)
	command                 central.Command
}{
	{"not balanced", "draw.state", enterer1, func(w *storetest.World) { must(w, w.Operator.Close(w.Context(), planned)) }, typing(1, 2, 3, 4, 5)},
	{"unchecked", "room.unchecked", enterer1, balancedAt, typing(1, 2, 3, 4, 5)},
	{"no officer", "room.absent", enterer1, func(w *storetest.World) { balancedAt(w); w.Do(operator, checkRoom) }, typing(1, 2, 3, 4, 5)},
	{"early", "result.early", enterer1, sealedOnly, typing(1, 2, 3, 4, 5)},
	{"four balls", "entry.count", enterer1, ready, typing(1, 2, 3, 4)},
	{"ball 50", "entry.ball", enterer1, ready, typing(1, 2, 3, 4, 50)},
	{"ball 0", "entry.ball", enterer1, ready, typing(0, 2, 3, 4, 5)},
	{"a ball twice", "entry.twice", enterer1, ready, typing(9, 36, 5, 36, 1)},
	{"other program", "room.digests", operator, balancedAt, central.CheckRoom{Draw: planned, Program: "other", Rules: central.RulesDigest(), Checked: central.RoomChecks}},
	{"other rulebooks", "room.digests", operator, balancedAt, central.CheckRoom{Draw: planned, Program: program, Rules: "other", Checked: central.RoomChecks}},
	{"half a list", "room.checks", operator, balancedAt, central.CheckRoom{Draw: planned, Program: program, Rules: central.RulesDigest(), Checked: central.RoomChecks[:2]}},
	{"a list twice", "room.checks", operator, balancedAt, central.CheckRoom{Draw: planned, Program: program, Rules: central.RulesDigest(), Checked: []string{"program", "program", "rules"}}},
	{"no draw", "draw.unknown", enterer1, ready, central.EnterResult{Draw: "loto-2018-10-30"}},
	{"half the statements", "room.statements", officer, entered, central.SignResult{Draw: planned, Version: 1, Round: 1, Statements: []string{central.StatementSeen}}},
	{"interrupted without a reason", "draw.why", officer, ready, central.InterruptDraw{Draw: planned}},
	{"six balls kept", "entry.count", officer, ready, central.InterruptDraw{Draw: planned, Why: "x", Main: []int{1, 2, 3, 4, 5, 6}}},
	{"signed", "room.signed", enterer1, func(w *storetest.World) { entered(w); w.Do(officer, signing(1)) }, typing(1, 2, 3, 4, 5)},
}

func sealedOnly(w *storetest.World) {
	must(w, w.Operator.Close(w.Context(), planned))
	must(w, w.Operator.SealProposed(w.Context(), planned))
}

func balancedAt(w *storetest.World) {
	sealedOnly(w)
	w.Clock.Set(instant(w, "2018-10-29 20:45:00"))
}

func ready(w *storetest.World) {
	balancedAt(w)
	w.Do(operator, checkRoom)
	w.Do(officer, central.AttendDraw{Draw: planned})
}

func entered(w *storetest.World) {
	ready(w)
	w.Do(enterer1, typing(9, 36, 5, 21, 39))
	w.Do(enterer2, typing(9, 36, 5, 21, 39))
}

func TestDrawRoomRefusals(t *testing.T) {
	for _, c := range roomRefusals {
		t.Run(c.name, func(t *testing.T) {
			w := storetest.NewWorld(t, &mem.Store{}, withRoom)
			staffed(w)
			planLoto(w)
			w.Clock.Set(instant(w, "2018-10-29 10:00:00"))
			openPlanned(w, planned)
			w.Clock.Set(instant(w, "2018-10-29 20:15:00"))
			c.setup(w)
			w.Why(c.reason, c.principal, c.command)
		})
	}
}

// Another program than the one that was compared signs nothing.
func TestDrawRoomProgramChanged(t *testing.T) {
	store := &mem.Store{}
	w := storetest.NewWorld(t, store, withRoom)
	readyRoom(w)
	w.Do(enterer1, typing(9, 36, 5, 21, 39))
	w.Do(enterer2, typing(9, 36, 5, 21, 39))
	w.Register.Close()
	other := storetest.NewWorld(t, store, withRoom, func(c *central.Config) { c.Program = "another" })
	other.Clock.Set(w.Clock.Now())
	_, err := other.Register.Do(t.Context(), central.Request{Principal: officer, Key: "sign", Command: signing(1)})
	if reason(err) != "room.digests" {
		t.Errorf("another program signs: %v", err)
	}
	// A register without a draw room records no result of a draw that has one.
	other.Register.Close()
	bare := storetest.NewWorld(t, store)
	bare.Clock.Set(w.Clock.Now())
	if err := bare.Operator.Record(t.Context(), planned, lotoResult, central.Outside{}); reason(err) != "result.room" {
		t.Errorf("a register without a draw room records: %v", err)
	}
}

// Nobody alone, and no one person with any two roles, takes a draw from the seal to the payment; nor does anybody draw what is not balanced. All pairs of roles are tried,
// each with all acts of the draw room in every order that a property finds.
func TestDrawRoomPermissionMatrix(t *testing.T) {
	roles := central.Permitted.StaffRoles()
	rapid.Check(t, func(rt *rapid.T) {
		w := storetest.NewWorld(rapidTB{t, rt}, &mem.Store{}, withRoom)
		defer w.Register.Close()
		staffed(w)
		w.Do(central.SystemPrincipal, central.AddStaff{Name: "one", Role: "auditor", Password: "$argon2id$test"})
		sealedLoto(w)
		w.Clock.Set(instant(w, "2018-10-29 20:45:00"))
		one := central.StaffPrincipal("one")
		pair := []string{string(rapid.SampledFrom(roles).Draw(rt, "a")), string(rapid.SampledFrom(roles).Draw(rt, "b"))}
		acts := func(round int64) []central.Command {
			enter, sign := typing(9, 36, 5, 21, 39), signing(round)
			enter.Round = round
			return []central.Command{
				checkRoom, central.AttendDraw{Draw: planned}, enter, enter, sign, resultOf(w, asDrawn), central.ApproveDraw{Draw: planned, Version: 1},
				central.InterruptDraw{Draw: planned, Why: "test"},
			}
		}
		for i := range 16 {
			_, _ = w.Try("staff/admin", central.SetStaffRole{Name: "one", Role: rapid.SampledFrom(pair).Draw(rt, fmt.Sprint("role", i)), Why: "test"})
			_, _ = w.Try(one, rapid.SampledFrom(acts(roomOf(w, one).Round)).Draw(rt, fmt.Sprint("act", i)))
		}
		w.CheckBooks()
		d, err := w.Operator.Draw(w.Context(), planned)
		must(w, err)
		if d.Version != 0 || d.State != "balanced" || roomOf(w, one).Signer != "" {
			rt.Fatalf("one person as %v brought the draw to %s, version %d", pair, d.State, d.Version)
		}
	})
}

// What two entries differ in is named ball by ball; what is written otherwise and means the same does not differ.
func TestEntriesDiffer(t *testing.T) {
	w := storetest.NewWorld(t, &mem.Store{}, withRoom)
	readyRoom(w)
	first := typing(9, 36, 5, 21, 39)
	first.Entry.Codes = map[string][]string{"loto": {"A 0000 0001", "b 0000 0002 "}}
	first.Entry.Winners = prize.Winners{0, 1, 0, 0, 0, 0, 0, 0, 0, 0}
	second := typing(36, 9, 5, 21, 39)
	second.Entry.Extra = []int{7}
	second.Entry.Codes = map[string][]string{"loto": {"A  0000 0001", "B 0000 0003"}}
	_, err := w.Try(enterer1, first)
	if reason(err) != "result.outside" {
		t.Fatalf("ten ranks of nine: %v", err)
	}
	first.Entry.Winners = prize.Winners{0, 1, 0, 0, 0, 0, 0, 0, 0}
	w.Do(enterer1, first)
	var state central.RoomState
	storetest.Result(w, w.Do(enterer2, second), &state)
	if got := strings.Join(state.Differs, " "); got != "main.1 main.2 extra.1 codes.loto.2 winners.1 winners.2 winners.3 winners.4 winners.5 winners.6 winners.7 winners.8 winners.9" {
		t.Errorf("differs in %s", got)
	}
}
