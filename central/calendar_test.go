package central_test

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"tirage/central"
	"tirage/internal/covers"
	"tirage/rules/prize"
	"tirage/store/storetest"
)

const (
	officer  = "staff/officer"
	operator = "staff/operator"
)

// planLoto puts a Loto draw into the calendar, two weeks before its opening.
func planLoto(w *storetest.World) {
	w.Helper()
	w.Clock.Set(instant(w, "2018-09-10 12:00:00"))
	w.Do("system", central.PlanDraw{Game: "loto", Day: "2018-10-29"})
}

const planned = "loto-2018-10-29"

// openPlanned puts a planned draw on sale as the calendar says.
func openPlanned(w *storetest.World, id string, packs ...central.PackOffer) {
	w.Helper()
	game, day := id[:len(id)-11], id[len(id)-10:]
	date := storedRow[central.DrawDate](w, w.Store, central.Key{Table: central.Calendar, S: game, U: day})
	w.Open(central.OpenDraw{
		Game: game, Day: day, OpensAt: time.UnixMicro(date.OpensAt), ClosesAt: time.UnixMicro(date.ClosesAt), Exceptional: date.Exceptional == 1, Packs: packs,
	})
}

// sealedLoto takes the planned draw to its balance, at its close.
func sealedLoto(w *storetest.World) {
	w.Helper()
	planLoto(w)
	w.Clock.Set(instant(w, "2018-10-29 10:00:00"))
	openPlanned(w, planned)
	player := w.Player("one", 100)
	w.Do(central.PlayerPrincipal(player), central.BuyPlay{Player: player, Draw: planned, Lines: []central.Line{chosen(w, "1-2-3-4-5+6")}})
	w.Clock.Set(instant(w, "2018-10-29 20:15:00"))
	must(w, w.Operator.Close(w.Context(), planned))
	must(w, w.Operator.SealProposed(w.Context(), planned))
	w.CheckBooks()
}

// resultOf signs a result of the planned draw.
func resultOf(w *storetest.World, change func(*central.Result)) central.RecordResult {
	w.Helper()
	r := lotoResult
	r.Draw, r.Version = planned, 1
	change(&r)
	return central.RecordResult{Draw: planned, Result: signed(w, r, w.Keys.Operator), Outside: signed(w, central.Outside{Draw: planned, Version: 1}, w.Keys.Operator)}
}

var asDrawn = func(*central.Result) {}

// drawRefusals are the occasions on which an act around a draw is refused.
var drawRefusals = []struct {
	name      string
	principal string
	setup     func(w *storetest.World) central.Command
	code      central.Code
	reason    string
	texts     []string
}{
	{"a player plans", "player/1", func(w *storetest.World) central.Command {
		return central.PlanDraw{Game: "loto", Day: "2020-07-01"}
	}, central.Forbidden, "principal.staff", []string{"member of the staff"}},
	{"planned twice", "system", func(w *storetest.World) central.Command {
		planLoto(w)
		return central.PlanDraw{Game: "loto", Day: "2018-10-29"}
	}, central.Conflict, "calendar.exists", []string{planned}},
	{"no draw of its own", operator, func(w *storetest.World) central.Command {
		return central.PlanDraw{Game: "mymillion", Day: "2020-07-03"}
	}, central.Invalid, "draw.game", []string{"mymillion"}},
	{"two jackpots on one day", operator, func(w *storetest.World) central.Command {
		planLoto(w)
		return central.PlanDraw{Game: "superloto", Day: "2018-10-29"}
	}, central.Conflict, "calendar.clash", []string{planned, "superloto-2018-10-29", "skip that one"}},
	{"a past day", operator, func(w *storetest.World) central.Command {
		planLoto(w)
		return central.PlanDraw{Game: "loto", Day: "2018-09-08"}
	}, central.Conflict, "calendar.past", []string{"loto-2018-09-08", "2018-09-08 20:15:00"}},
	{"drawn before its close", operator, func(w *storetest.World) central.Command {
		return central.PlanDraw{Game: "loto", Day: "2020-07-01", DrawsAt: instant(w, "2020-07-01 20:00:00")}
	}, central.Invalid, "draw.hours", []string{"in this order"}},
	{"a jackpot of Euro Millions", operator, func(w *storetest.World) central.Command {
		return central.PlanDraw{Game: "euromillions", Day: "2020-07-03", Jackpot: 1_700_000_000}
	}, central.Invalid, "announce.model", []string{"guarantee for Euro Millions"}},
	{"a guarantee of Loto", operator, func(w *storetest.World) central.Command {
		return central.PlanDraw{Game: "loto", Day: "2020-07-01", Super: 1_700_000_000}
	}, central.Invalid, "announce.model", []string{"jackpot for the games of Loto"}},
	{"a jackpot below zero", operator, func(w *storetest.World) central.Command {
		return central.PlanDraw{Game: "loto", Day: "2020-07-01", Jackpot: -1}
	}, central.Invalid, "announce.amount", []string{"-0.01", "accepted 0.00"}},
	{"skip of no draw", operator, func(w *storetest.World) central.Command {
		return central.SkipDraw{Draw: planned, Why: "x"}
	}, central.NotFound, "draw.unknown", []string{planned}},
	{"skip without a reason", operator, func(w *storetest.World) central.Command {
		planLoto(w)
		return central.SkipDraw{Draw: planned, Why: " "}
	}, central.Invalid, "draw.why", []string{"say why"}},
	{"skip of a draw on sale", operator, func(w *storetest.World) central.Command {
		sealedLoto(w)
		return central.SkipDraw{Draw: planned, Why: "x"}
	}, central.Conflict, "calendar.state", []string{"opened", "accepted a draw that is planned"}},
	{"opened with other hours", "system", func(w *storetest.World) central.Command {
		planLoto(w)
		return lotoOpening(w, func(c *central.OpenDraw) {
			c.Day, c.ClosesAt = "2018-10-29", instant(w, "2018-10-29 20:00:00")
		})
	}, central.Conflict, "calendar.hours", []string{"2018-10-29 20:15:00", "other hours"}},
	{"opened after it was skipped", "system", func(w *storetest.World) central.Command {
		planLoto(w)
		w.Do(operator, central.SkipDraw{Draw: planned, Why: "a Super Loto on that day"})
		return lotoOpening(w, func(c *central.OpenDraw) {
			c.Day, c.ClosesAt = "2018-10-29", instant(w, "2018-10-29 20:15:00")
		})
	}, central.Conflict, "calendar.skipped", []string{planned}},
	{"less than announced", operator, func(w *storetest.World) central.Command {
		planLoto(w)
		w.Do(operator, central.AnnounceDraw{Draw: planned, Jackpot: 1_000_000_000, Why: "anniversary"})
		w.Clock.Set(instant(w, "2018-10-29 10:00:00"))
		openPlanned(w, planned)
		return central.AnnounceDraw{Draw: planned, Jackpot: 900_000_000, Why: "second thoughts"}
	}, central.Conflict, "announce.lower", []string{"10000000.00", "no less"}},
	{"announced after the seal", operator, func(w *storetest.World) central.Command {
		sealedLoto(w)
		return central.AnnounceDraw{Draw: planned, Jackpot: 1_000_000_000, Why: "x"}
	}, central.Conflict, "announce.sealed", []string{planned}},
	{"reported after the seal", operator, func(w *storetest.World) central.Command {
		sealedLoto(w)
		return central.ReportOutside{Draw: planned, Stakes: 1}
	}, central.Conflict, "announce.sealed", []string{planned}},
	{"reported below zero", operator, func(w *storetest.World) central.Command {
		planLoto(w)
		return central.ReportOutside{Draw: planned, Stakes: 1, Fund: -1}
	}, central.Invalid, "announce.amount", []string{"-0.01"}},
	{"other terms than announced", "system", func(w *storetest.World) central.Command {
		planLoto(w)
		w.Do(operator, central.AnnounceDraw{Draw: planned, Jackpot: 1_000_000_000, Why: "anniversary"})
		return closedWith(w, prize.Terms{Cycle: prize.Cycle{Position: 1, Jackpot: 200_000_000}})
	}, central.Conflict, "seal.announced", []string{"2000000.00", "10000000.00"}},
	{"other stakes than reported", "system", func(w *storetest.World) central.Command {
		planLoto(w)
		w.Do(operator, central.ReportOutside{Draw: planned, Stakes: 500})
		return closedWith(w, prize.Terms{Cycle: prize.Cycle{Position: 1, Jackpot: 200_000_000}})
	}, central.Conflict, "seal.reported", []string{"5.00"}},

	{"a player holds", "player/1", func(w *storetest.World) central.Command {
		return central.HoldDraw{Draw: planned, Why: "x"}
	}, central.Forbidden, "principal.staff", nil},
	{"hold while on sale", officer, func(w *storetest.World) central.Command {
		openLoto(w)
		return central.HoldDraw{Draw: loto, Why: "x"}
	}, central.Conflict, "draw.state", []string{"open cannot become held"}},
	{"the system releases a held draw", "system", func(w *storetest.World) central.Command {
		sealedLoto(w)
		w.Do(officer, central.HoldDraw{Draw: planned, Why: "a ball is cracked"})
		return central.ResumeDraw{Draw: planned, Why: "x"}
	}, central.Forbidden, "resume.person", []string{"an officer"}},
	{"the system releases a postponed draw before its day", "system", func(w *storetest.World) central.Command {
		sealedLoto(w)
		w.Do(officer, central.PostponeDraw{Draw: planned, Until: instant(w, "2018-10-30 20:45:00"), Why: "no electricity"})
		return central.ResumeDraw{Draw: planned, Why: "x"}
	}, central.Forbidden, "resume.person", []string{"postponed"}},
	{"postponed to the past", officer, func(w *storetest.World) central.Command {
		sealedLoto(w)
		return central.PostponeDraw{Draw: planned, Until: instant(w, "2018-10-29 20:45:00"), Why: "no electricity"}
	}, central.Invalid, "postpone.until", []string{"2018-10-29 20:45:00", "later instant"}},
	{"postponed by three days, unpublished", officer, func(w *storetest.World) central.Command {
		sealedLoto(w)
		return central.PostponeDraw{Draw: planned, Until: instant(w, "2018-11-01 20:45:00"), Why: "no electricity"}
	}, central.Invalid, "postpone.published", []string{"72 hours late", "accepted 48"}},
	{"postponed while on sale", officer, func(w *storetest.World) central.Command {
		openLoto(w)
		return central.PostponeDraw{Draw: loto, Until: instant(w, "2020-06-23 20:45:00"), Why: "no electricity"}
	}, central.Conflict, "draw.state", []string{"open cannot become postponed"}},

	{"result before its instant", operator, func(w *storetest.World) central.Command {
		sealedLoto(w)
		w.Clock.Set(instant(w, "2018-10-29 20:44:59"))
		return resultOf(w, asDrawn)
	}, central.Conflict, "result.early", []string{"2018-10-29 20:45:00", "from then on"}},
	{"late result without a reason", operator, func(w *storetest.World) central.Command {
		sealedLoto(w)
		w.Clock.Set(instant(w, "2018-10-29 23:45:00"))
		return resultOf(w, asDrawn)
	}, central.Invalid, "result.late", []string{"180 minutes after", "accepted with the reason"}},
	{"the recorder approves", operator, func(w *storetest.World) central.Command {
		countedLoto(w)
		return central.ApproveDraw{Draw: planned, Version: 1}
	}, central.Forbidden, "approve.same", []string{"does not approve"}},
	{"the system approves", "system", func(w *storetest.World) central.Command {
		countedLoto(w)
		return central.ApproveDraw{Draw: planned, Version: 1}
	}, central.Forbidden, "principal.person", []string{"in person"}},

	{"put off by a program", "system", func(w *storetest.World) central.Command {
		return central.PutOff{Service: "packs", Why: "x"}
	}, central.Forbidden, "principal.person", nil},
	{"put off without a reason", officer, func(w *storetest.World) central.Command {
		return central.PutOff{Service: "packs"}
	}, central.Invalid, "game.why", nil},
	{"put off to an earlier day", officer, func(w *storetest.World) central.Command {
		return central.PutOff{Service: "packs", Until: "2018-10-28", Why: "x"}
	}, central.Invalid, "put_off.until", []string{"2018-10-28", "from 2018-10-29 on"}},
	{"put off with a long message", officer, func(w *storetest.World) central.Command {
		return central.PutOff{Service: "donuts", Why: "x", French: strings.Repeat("x", 501)}
	}, central.Invalid, "game.message", nil},
	{"confirmed by who proposed", officer, func(w *storetest.World) central.Command {
		w.Do(officer, central.PutOff{Service: "packs", Why: "x"})
		return central.ConfirmPutOff{Service: "packs", Proposer: officer}
	}, central.Forbidden, "put_off.same", []string{"somebody else"}},
	{"confirmed without a proposal", officer, func(w *storetest.World) central.Command {
		return central.ConfirmPutOff{Service: "packs", Proposer: operator}
	}, central.Conflict, "put_off.none", []string{"packs"}},
	{"confirmed after it was replaced", officer, func(w *storetest.World) central.Command {
		w.Do(operator, central.PutOff{Service: "packs", Why: "x", Until: "2018-11-05"})
		return central.ConfirmPutOff{Service: "packs", Until: "2018-11-12", Proposer: operator}
	}, central.Conflict, "put_off.other", []string{"2018-11-05", operator}},

	{"a claim of no play", officer, func(w *storetest.World) central.Command {
		sealedLoto(w)
		return central.PayClaim{Draw: planned, Component: "ranks", Play: "0-999"}
	}, central.NotFound, "claim.unknown", []string{"0-999"}},
	{"a claim of nonsense", officer, func(w *storetest.World) central.Command {
		sealedLoto(w)
		return central.PayClaim{Draw: planned, Component: "ranks", Play: "x"}
	}, central.Invalid, "claim.play", []string{"0-12"}},
	{"lapse before the payment", "system", func(w *storetest.World) central.Command {
		sealedLoto(w)
		return central.LapseClaims{Draw: planned}
	}, central.Conflict, "draw.state", []string{"balanced"}},
	{"lapse before the last day", "system", func(w *storetest.World) central.Command {
		paidLoto(w)
		w.Clock.Set(instant(w, "2018-12-28 23:59:59"))
		return central.LapseClaims{Draw: planned}
	}, central.Conflict, "claim.early", []string{"2018-12-28"}},
	{"lapse twice", "system", func(w *storetest.World) central.Command {
		paidLoto(w)
		w.Clock.Set(instant(w, "2018-12-29 00:00:00"))
		w.Do("system", central.LapseClaims{Draw: planned})
		return central.LapseClaims{Draw: planned}
	}, central.Conflict, "claim.lapsed", []string{planned}},
}

// closedWith closes the planned draw and makes its seal with other terms.
func closedWith(w *storetest.World, terms prize.Terms) central.Command {
	w.Helper()
	w.Clock.Set(instant(w, "2018-10-29 10:00:00"))
	openPlanned(w, planned)
	w.Clock.Set(instant(w, "2018-10-29 20:15:00"))
	must(w, w.Operator.Close(w.Context(), planned))
	snap, err := w.Store.Snapshot(w.Context())
	must(w, err)
	defer snap.Close()
	sales, err := central.CountSales(w.Context(), snap, planned)
	must(w, err)
	return central.SealDraw{Draw: planned, Manifest: signed(w, central.Manifest{Sales: *sales, Terms: terms}, w.Keys.Operator)}
}

// countedLoto takes the planned draw to its count, its result recorded by the operator in person.
func countedLoto(w *storetest.World) {
	w.Helper()
	sealedLoto(w)
	w.Clock.Set(instant(w, "2018-10-29 20:45:00"))
	w.Do(operator, resultOf(w, asDrawn))
	_, err := w.Operator.Count(w.Context(), planned)
	must(w, err)
}

func paidLoto(w *storetest.World) {
	w.Helper()
	countedLoto(w)
	must(w, w.Operator.Approve(w.Context(), planned, 1, officer))
	must(w, w.Operator.Pay(w.Context(), planned))
}

// Every act around a draw that is refused says what was found and accepted, in both languages, and leaves nothing behind.
func TestDrawRefusals(t *testing.T) {
	reached := map[string]bool{"claim.paid": true, "claim.late": true, "terms.before": true, "terms.outside": true, "pack.not_on_sale": true} // below
	for _, c := range drawRefusals {
		reached[c.reason] = true
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			cmd := c.setup(w)
			before := dump(w)
			_, err := w.Try(c.principal, cmd)
			var r *central.Refusal
			if !errors.As(err, &r) || r.Code != c.code || r.Reason != c.reason {
				t.Fatalf("%v; want %s, %s", err, c.code, c.reason)
			}
			for _, text := range c.texts {
				if !strings.Contains(err.Error(), text) {
					t.Errorf("says %q, which lacks %q", err, text)
				}
			}
			if dump(w) != before {
				t.Error("the refusal left something behind")
			}
		})
	}
	for _, name := range []string{"calendar.go", "announcing.go", "hours.go", "pauses.go", "putoff.go", "claims.go", "terms.go"} {
		code, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range unordered.FindAllSubmatch(code, -1) {
			if reason := string(m[1]); !reached[reason] {
				t.Errorf("%s refuses for %s, which no case reaches", name, reason)
			}
		}
	}
}

// A draw is held no earlier than announced, and never too late: three hours late it takes a reason, which stands in the signed result.
func TestCase22HeldLateWithTheReason(t *testing.T) {
	w := newWorld(t)
	sealedLoto(w)
	w.Clock.Set(instant(w, "2018-10-29 20:44:59"))
	w.Refused(central.Conflict, operator, resultOf(w, asDrawn))
	w.Clock.Set(instant(w, "2018-10-29 23:45:00"))
	w.Refused(central.Invalid, operator, resultOf(w, asDrawn))
	const why = "the drawing machine had to be replaced under the control of the officer"
	w.Do(operator, resultOf(w, func(r *central.Result) { r.Late = why }))
	doc := storedRow[central.Doc](w, w.Store, central.Key{Table: central.Docs, S: planned, U: central.DocResult, N: 1})
	r, err := central.ReadPaper[central.Result](doc.Body)
	if err != nil || r.Late != why {
		t.Errorf("%+v, %v", r, err)
	}
	// On time it needs none: at the instant itself, and an hour later.
	for _, at := range []string{"20:45:00", "21:45:00"} {
		w := newWorld(t)
		sealedLoto(w)
		w.Clock.Set(instant(w, "2018-10-29 "+at))
		w.Do(operator, resultOf(w, asDrawn))
	}
}

// A postponed draw keeps its plays, is postponed again if it must, goes on where it was put off when its new instant comes, and is settled under the rules
// of the day for which it was announced.
func TestPostponedKeepsItsPlays(t *testing.T) {
	w := newWorld(t)
	sealedLoto(w)
	before := rows(t, w.Store, central.Plays)
	w.Do(officer, central.PostponeDraw{Draw: planned, Until: instant(t, "2018-10-30 20:45:00"), Why: "the studio burns"})
	w.Refused(central.Conflict, operator, resultOf(w, asDrawn))
	w.Do(officer, central.PostponeDraw{Draw: planned, Until: instant(t, "2018-11-05 12:00:00"), Why: "it still burns", Published: "Journal officiel, 31 October 2018"})
	if d := drawRow(w, planned); d.State != "postponed" || d.Resume != "balanced" {
		t.Fatalf("%s, to be resumed as %s", d.State, d.Resume)
	}
	w.Clock.Set(instant(t, "2018-11-05 12:00:00"))
	w.Do("system", central.ResumeDraw{Draw: planned, Why: "the announced instant has come"})
	if diff := cmp.Diff(before, rows(t, w.Store, central.Plays)); diff != "" || len(before) != 1 {
		t.Errorf("plays (-before +after): %s", diff)
	}
	w.Do(operator, resultOf(w, func(r *central.Result) { r.Late = "the studio burnt" }))
	_, err := w.Operator.Count(t.Context(), planned)
	must(w, err)
	must(w, w.Operator.Approve(t.Context(), planned, 1, officer))
	must(w, w.Operator.Pay(t.Context(), planned))
	_, err = w.Operator.Draft(t.Context(), planned)
	must(w, err)
	n, err := w.Operator.Publish(t.Context(), planned, officer)
	must(w, err)
	w.CheckBooks()
	if n.Day != "2018-10-29" || n.Claims != "2018-12-28" || n.Rules != "loto@2018-10-29" || n.Ranks[0].Winners != 1 {
		t.Errorf("%+v", n)
	}
}

// A draw is under the control of the officer: whatever the state, nobody but a person who has not recorded the result approves it, and nothing is paid
// before.
//
// Art. loto@2018-10-29:7.1.1, Art. loto@2018-10-29:7.2.2, Art. euromillions@2018-10-29:4.1.4, Art. euromillions@2018-10-29:4.1.5.
func TestUnderTheControlOfTheOfficer(t *testing.T) {
	covers.Covers(t, "P8", "P78")
	w := newWorld(t)
	countedLoto(w)
	approve := central.ApproveDraw{Draw: planned, Version: 1}
	for _, who := range []string{"system", "player/1", operator, "payments", "program/1"} {
		w.Refused(central.Forbidden, who, approve)
	}
	if err := w.Operator.Pay(t.Context(), planned); central.CodeOf(err) != central.Conflict {
		t.Errorf("paid before the approval: %v", err)
	}
	// A draw is held by hand, and then nobody approves it before it is released.
	w.Do(officer, central.HoldDraw{Draw: planned, Why: "to be looked at"})
	w.Refused(central.Conflict, officer, approve)
	w.Do(officer, central.ResumeDraw{Draw: planned, Why: "looked at"})
	w.Do(officer, approve)
	must(w, w.Operator.Pay(t.Context(), planned))
	w.CheckBooks()
}

// The day of effect of the packs is put off by two people: until the new day no share is sold in any channel, the message says so, and what the game
// sells beside them goes on.
//
// Art. packs@2018-10-29:1.
func TestPacksArePutOffByTwoPeople(t *testing.T) {
	covers.Covers(t, "P3")
	w := newWorld(t)
	planLoto(w)
	w.Clock.Set(instant(t, "2018-10-28 23:00:00"))
	openPlanned(w, planned, central.PackOffer{Type: "ten", Multiples: []string{"6x10*1"}, Shares: 10, MaxPacks: 3})
	player := w.Player("one", 1000)
	self := central.PlayerPrincipal(player)
	share := central.BuyShares{Player: player, Draw: planned, Type: "ten", Shares: 1}
	told := func(french, english string) {
		t.Helper()
		_, err := w.Try(self, share)
		var r *central.Refusal
		if !errors.As(err, &r) || r.Reason != "pack.not_on_sale" || !strings.Contains(r.In(central.French), french) || !strings.Contains(r.In(central.English), english) || r.Article != "packs@2018-10-29:1" {
			t.Fatalf("%v; want %q and %q", err, french, english)
		}
		if o := offerOf(w, central.ServicePacks); o.OnSale || o.French != r.French || o.English != r.Text {
			t.Errorf("the catalogue says %+v", o)
		}
		w.CheckBooks()
	}
	told("à compter du 29 octobre 2018", "from 29 October 2018 on")
	w.Do(operator, central.PutOff{Service: central.ServicePacks, Why: "the printing of packs is not ready"})
	told("à compter du 29 octobre 2018", "in principle") // one person alone changes nothing
	w.Do(officer, central.ConfirmPutOff{Service: central.ServicePacks, Proposer: operator})
	told("raisons techniques", "technical reasons")
	w.Clock.Set(instant(t, "2018-10-29 12:00:00"))
	told("ne peut pas être proposé à compter du 29 octobre 2018", "cannot be offered from 29 October 2018 on")
	w.Do(self, central.BuyPlay{Player: player, Draw: planned, Lines: []central.Line{quick(5, 1)}})
	w.Do(officer, central.PutOff{Service: central.ServicePacks, Until: "2018-10-30", Why: "ready tomorrow"})
	told("ne peut pas", "cannot") // the first deferral stands until the second is confirmed
	w.Do(operator, central.ConfirmPutOff{Service: central.ServicePacks, Until: "2018-10-30", Proposer: officer})
	told("possibles à compter du 30 octobre 2018", "from 30 October 2018 on")
	w.Do(operator, central.PutOff{Service: central.ServicePacks, Until: "2018-10-29", Why: "it works"})
	w.Do(officer, central.ConfirmPutOff{Service: central.ServicePacks, Until: "2018-10-29", Proposer: operator})
	if o := offerOf(w, central.ServicePacks); !o.OnSale || o.French != "" {
		t.Errorf("the catalogue says %+v", o)
	}
	w.Do(self, share)
}

// The same of the ladder game and its 25 June 2019, with the operator's own words.
//
// Art. donuts@2019-06-25:1, Art. donuts@2019-06-25:annex.1.
func TestLadderIsPutOffByTwoPeople(t *testing.T) {
	covers.Covers(t, "D2", "D4")
	w := newWorld(t)
	w.Clock.Set(instant(t, "2019-06-20 12:00:00"))
	player := w.Player("one", 10)
	self, start := central.PlayerPrincipal(player), central.StartRound{Player: player, Game: donuts}
	const french, english = "Les donuts arrivent le 2 juillet.", "The donuts come on 2 July."
	w.Do(operator, central.PutOff{Service: donuts, Until: "2019-07-02", Why: "server", French: french, English: english})
	w.Do(officer, central.ConfirmPutOff{Service: donuts, Until: "2019-07-02", Proposer: operator})
	for _, at := range []string{"2019-06-24 23:59:59", "2019-06-25 00:00:00", "2019-07-01 23:59:59"} {
		w.Clock.Set(instant(t, at))
		_, err := w.Try(self, start)
		var r *central.Refusal
		if !errors.As(err, &r) || r.Reason != "round.not_on_sale" || r.In(central.French) != french || r.In(central.English) != english {
			t.Errorf("at %s: %v", at, err)
		}
		if o := offerOf(w, donuts); o.OnSale || o.French != french {
			t.Errorf("at %s the catalogue says %+v", at, o)
		}
	}
	w.Clock.Set(instant(t, "2019-07-02 00:00:00"))
	w.Do(self, start)
	w.CheckBooks()
}

// offerOf returns what the catalogue says of a game or service now.
func offerOf(w *storetest.World, service string) *central.Offer {
	w.Helper()
	snap, err := w.Store.Snapshot(w.Context())
	must(w, err)
	defer snap.Close()
	o, err := central.ReadOffer(w.Context(), snap, service, w.Clock.Now())
	must(w, err)
	return o
}
