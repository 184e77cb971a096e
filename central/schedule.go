package central

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"tirage/games"
	"tirage/rules/drawing"
)

// Schedule takes the draws of the calendar through their lives by itself, as far as no person is needed: it plans the regular draws, opens and closes
// them, seals their plays with the proposed terms, counts what was drawn, pays what an officer has approved, drafts the notices, and sends what nobody
// claimed to its fund. It never draws, never approves and never publishes.
//
//	s := &central.Schedule{Operator: operator, Clock: clock, Entropy: entropy, Games: []string{"loto", "euromillions"}}
//	report, err := s.Step(ctx)   // all that is due now; report.Next is when something is due again
//	err = s.Run(ctx)             // a step whenever something is due, until the context ends
//
// One step runs at a time. It keeps nothing that matters: every step starts from the store, so another process can go on where one died. Any number of schedules may run side by
// side, on one node or many: each act is a command under a key that names it, so it is done once, and who comes second finds it done. Given the
// same clock, entropy and store, a step does the same acts in the same order.
type Schedule struct {
	Operator *Operator // with principal "system"
	Clock    Clock
	Entropy  Entropy
	Games    []string // whose regular draws it plans

	// Packs returns what is put on sale with a draw beside the designs that are active ([PackDesign]); nil: nothing.
	Packs func(*DrawDate) []PackOffer
	// Elsewhere returns what the others report of a closed draw whose terms need it, nil while they have not; nil: the staff reports it.
	Elsewhere func(context.Context, *DrawDate) (*ReportOutside, error)
	// Results returns what was drawn, from its announced instant on, nil while nothing is; nil: the draw room records it.
	Results func(context.Context, *Draw) (*Result, *Outside, error)
	// BeforeClose is run for each draw some time before its close, such as the subscriptions to it.
	BeforeClose []BeforeClose
	// Report is told of each step of Run.
	Report func(*StepReport, error)

	// Wake, with room for one, is where Committed tells Run to step at once; nil: it is not told.
	Wake chan struct{}

	ran map[string]bool // "draw/i": BeforeClose[i] has run for the draw, here
}

// BeforeClose is something to do with each draw before its close: once the time left is at most Lead, once a process and draw, again in the next step
// when it failed. Every process that runs a schedule does it, so it must be idempotent.
type BeforeClose struct {
	Lead time.Duration
	Run  func(context.Context, *DrawDate) error
}

// PlanAhead is how long before its opening a regular draw stands in the calendar (assumed): time to announce something, or to skip it.
const PlanAhead = 7 * 24 * time.Hour

// scheduleIdle is how long Run waits at most: acts of people come at any time.
const scheduleIdle = 5 * time.Second

// StepReport is what one step did.
type StepReport struct {
	At    time.Time `json:"at"`
	Done  []Act     `json:"done"`
	Waits []Wait    `json:"waits"`         // draws that wait for somebody
	Next  time.Time `json:"next,omitzero"` // when something is due again, zero: nothing is
}

// Act is something that a step did to a draw.
type Act struct {
	Draw string `json:"draw"`
	What string `json:"what"` // "planned", or the state that the draw has come to; "drafted": its notice; "lapsed": unclaimed gains went to their fund
}

// Wait is a draw that waits for somebody.
type Wait struct {
	Draw string  `json:"draw"`
	For  WaitFor `json:"for"`
	Why  string  `json:"why,omitempty"`
}

// WaitFor says what a draw waits for.
type WaitFor string

const (
	WaitTerms    WaitFor = "terms"    // the draw before, or what others report
	WaitControl  WaitFor = "control"  // the program of the independent control
	WaitResult   WaitFor = "result"   // of the draw room
	WaitApproval WaitFor = "approval" // of an officer
	WaitRelease  WaitFor = "release"  // of a held draw, by an officer
	WaitNotice   WaitFor = "notice"   // its drafted notice, to be published by a person
)

// Step does all that is due now. One draw that cannot go on holds up no other; the error joins theirs, and the next step tries again.
func (s *Schedule) Step(ctx context.Context) (*StepReport, error) {
	st := &step{s: s, now: s.Clock.Now()}
	st.At = st.now
	errs := []error{st.plan(ctx)}
	dates, err := s.dates(ctx)
	if err != nil {
		return &st.StepReport, errors.Join(append(errs, err)...)
	}
	for _, d := range dates {
		if err := st.draw(ctx, d); err != nil {
			errs = append(errs, fmt.Errorf("draw %s: %w", d.ID(), err))
		}
	}
	return &st.StepReport, errors.Join(errs...)
}

// Open puts one planned draw on sale with its packs, before its hour too if it is asked to: it sells nothing before its hour.
func (s *Schedule) Open(ctx context.Context, draw string) error {
	st := &step{s: s, now: s.Clock.Now()}
	date, _, err := st.read(ctx, draw)
	if err != nil {
		return err
	}
	if date == nil {
		return refuse(NotFound, "draw.unknown", "draw", "there is no draw %q", draw)
	}
	return st.open(ctx, date)
}

// actsOnDraws are the commands of people after which something may be due at once.
var actsOnDraws = map[string]bool{
	PlanDraw{}.Kind(): true, ReportOutside{}.Kind(): true, RecordResult{}.Kind(): true, AttendDraw{}.Kind(): true, CheckRoom{}.Kind(): true, DrawNumbers{}.Kind(): true, ContributeDraw{}.Kind(): true, SignResult{}.Kind(): true, ApproveDraw{}.Kind(): true, ResumeDraw{}.Kind(): true, PostponeDraw{}.Kind(): true,
}

// Committed has Run step at once when somebody has moved a draw, as the OnCommit of a register; it never blocks.
func (s *Schedule) Committed(done []Done) {
	for _, d := range done {
		if actsOnDraws[d.Request.Command.Kind()] && d.Request.Principal != s.Operator.Principal {
			select {
			case s.Wake <- struct{}{}:
			default:
			}
			return
		}
	}
}

// Run steps until the context ends: when something is due or somebody has moved a draw, and now and then for what was done on other nodes.
func (s *Schedule) Run(ctx context.Context) {
	for {
		report, err := s.Step(ctx)
		if s.Report != nil {
			s.Report(report, err)
		}
		pause := scheduleIdle
		if !report.Next.IsZero() {
			pause = min(pause, max(report.Next.Sub(s.Clock.Now()), time.Millisecond))
		}
		select {
		case <-ctx.Done():
			return
		case <-s.Wake:
		case <-time.After(pause):
		}
	}
}

func (s *Schedule) dates(ctx context.Context) (dates []*DrawDate, err error) {
	err = s.Operator.snapshot(ctx, func(snap Snapshot) (err error) {
		dates, err = ReadDates(ctx, snap, "")
		return err
	})
	return dates, err
}

// step is one run of [Schedule.Step].
type step struct {
	s   *Schedule
	now time.Time
	StepReport
}

func (st *step) done(draw, what string) { st.Done = append(st.Done, Act{draw, what}) }

// due notes when something is due again.
func (st *step) due(micro int64) {
	if at := time.UnixMicro(micro).UTC(); at.After(st.now) && (st.Next.IsZero() || at.Before(st.Next)) {
		st.Next = at
	}
}

// plan enters the regular draws that come.
func (st *step) plan(ctx context.Context) error {
	dates, err := st.s.dates(ctx)
	if err != nil {
		return err
	}
	taken := map[string]bool{}
	for _, d := range dates {
		taken[d.ID()] = true
		if d.State == DateSkipped {
			continue
		}
		for _, game := range sameJackpot(d.Game) {
			taken[DrawID(game, d.Day)] = true // by a draw of the same jackpot
		}
	}
	var errs []error
	for _, game := range st.s.Games {
		days, err := st.daysToPlan(game)
		errs = append(errs, err)
		for _, day := range days {
			id := DrawID(game, day)
			if taken[id] {
				continue
			}
			_, err := st.s.Operator.do(ctx, "plan/"+id, PlanDraw{Game: game, Day: day})
			switch {
			case err == nil:
				st.done(id, DatePlanned)
			case CodeOf(err) != Conflict: // a conflict: entered, or taken, meanwhile
				errs = append(errs, fmt.Errorf("plan of draw %s: %w", id, err))
			}
		}
	}
	return errors.Join(errs...)
}

// daysToPlan lists the days of a game whose draws open within PlanAhead and are not yet closed, and notes when the next one is to be planned.
func (st *step) daysToPlan(game string) ([]string, error) {
	const saleDaysMax = 366
	all, err := games.DrawDays(game, games.Day(st.now), games.Day(st.now.AddDate(0, 0, saleDaysMax)))
	if err != nil {
		return nil, err
	}
	for i, day := range all {
		h, err := games.DrawHours(game, day)
		if err != nil {
			return nil, err
		}
		if plan := h.Opens.Add(-PlanAhead); plan.After(st.now) {
			st.due(plan.UnixMicro())
			all = all[:i]
			break
		}
	}
	return slices.DeleteFunc(all, func(day string) bool {
		h, err := games.DrawHours(game, day)
		return err != nil || !st.now.Before(h.Closes)
	}), nil
}

// draw takes one draw as far as it goes now.
func (st *step) draw(ctx context.Context, date *DrawDate) error {
	id := date.ID()
	switch {
	case date.State == DateSkipped || date.Lapsed != 0:
		return nil
	case date.State == DatePlanned && st.now.UnixMicro() >= date.ClosesAt:
		return st.missed(ctx, id)
	case date.State == DatePlanned && st.now.UnixMicro() < date.OpensAt:
		st.due(date.OpensAt)
		return nil
	}
	for {
		date, d, err := st.read(ctx, id)
		if err != nil {
			return err
		}
		before := stateOf(d)
		if d == nil {
			err = st.open(ctx, date)
		} else {
			err = st.move(ctx, date, d)
		}
		_, after, readErr := st.read(ctx, id)
		if readErr != nil {
			return errors.Join(err, readErr)
		}
		switch now := stateOf(after); {
		case now != before && err == nil:
			st.done(id, string(now))
		case now != before && CodeOf(err) == Conflict: // held by its count, or another schedule was faster
		default:
			return err
		}
	}
}

// read returns a draw of the calendar as it stands, d nil before its opening.
func (st *step) read(ctx context.Context, id string) (date *DrawDate, d *Draw, err error) {
	err = st.s.Operator.snapshot(ctx, func(snap Snapshot) error {
		if date, err = readDate(ctx, snap, id); err != nil {
			return err
		}
		row, err := snap.Get(ctx, drawKey(id))
		if row != nil {
			d = row.(*Draw)
		}
		return err
	})
	return date, d, err
}

func stateOf(d *Draw) drawing.State {
	if d == nil {
		return drawing.Planned
	}
	return drawing.State(d.State)
}
