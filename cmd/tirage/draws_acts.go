package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"tirage/central"
	"tirage/rules/combin"
	"tirage/rules/money"
	"tirage/rules/prize"
	"tirage/vault"
)

// drawsPlanCmd is `tirage draws plan`.
type drawsPlanCmd struct {
	drawsActor
	Game        string   `arg:"" help:"Game: superloto, grandloto, euromillions."`
	Day         string   `arg:"" help:"Day of the draw, YYYY-MM-DD, Europe/Paris."`
	Opens       timeFlag `placeholder:"TIME" help:"On sale from, \"2018-11-16 20:15\" (default: five weeks before the close)."`
	Closes      timeFlag `placeholder:"TIME" help:"End of the sales (default: that of the rulebook)."`
	Draws       timeFlag `placeholder:"TIME" help:"Instant of the draw (default: that of the rulebook)."`
	Exceptional bool     `help:"Codes Euro Millions are issued too."`
	Jackpot     euroFlag `placeholder:"EUROS" help:"Announced jackpot of a game of Loto."`
	Super       euroFlag `placeholder:"EUROS" help:"Guaranteed super jackpot of Euro Millions."`
}

// Run plans.
func (c *drawsPlanCmd) Run(p *program) error {
	plan := central.PlanDraw{
		Game: c.Game, Day: c.Day, OpensAt: c.Opens.Time, ClosesAt: c.Closes.Time, DrawsAt: c.Draws.Time, Exceptional: c.Exceptional,
		Jackpot: money.Cents(c.Jackpot), Super: money.Cents(c.Super),
	}
	return c.inPerson(p, plan, func(central.Receipt) string {
		return fmt.Sprintf("%s stands in the calendar", central.DrawID(c.Game, c.Day))
	})
}

// drawsWhy is an act by hand on one draw, with its reason.
type drawsWhy struct {
	drawsActor
	Draw string `arg:"" help:"Draw: loto-2018-10-29."`
	Why  string `required:"" placeholder:"TEXT" help:"Why, for the record."`
}

// done does the act and shows the draw as it stands then.
func (c *drawsWhy) done(p *program, act central.Command) error {
	return c.drawsActor.done(p, c.Draw, act)
}

// done does an act of a member of the staff and shows the draw as it stands then.
func (a *drawsActor) done(p *program, draw string, act central.Command) error {
	who, err := a.staff()
	if err != nil {
		return err
	}
	return a.act(p, func(ctx context.Context, d *desk) error {
		if _, err := d.do(ctx, who, act); err != nil {
			return err
		}
		return a.shown(ctx, p, d.Operator, draw)
	})
}

type drawsSkipCmd struct{ drawsWhy }

// Run skips.
func (c *drawsSkipCmd) Run(p *program) error {
	return c.done(p, central.SkipDraw{Draw: c.Draw, Why: c.Why})
}

type drawsHoldCmd struct{ drawsWhy }

// Run holds.
func (c *drawsHoldCmd) Run(p *program) error {
	return c.done(p, central.HoldDraw{Draw: c.Draw, Why: c.Why})
}

type drawsReleaseCmd struct{ drawsWhy }

// Run releases.
func (c *drawsReleaseCmd) Run(p *program) error {
	return c.done(p, central.ResumeDraw{Draw: c.Draw, Why: c.Why})
}

// drawsPostponeCmd is `tirage draws postpone`.
type drawsPostponeCmd struct {
	drawsWhy
	Until     timeFlag `required:"" placeholder:"TIME" help:"New instant of the draw, \"2018-10-30 20:45\"."`
	Published string   `placeholder:"TEXT" help:"Where the new day was published; needed from 48 hours on."`
}

// Run postpones.
func (c *drawsPostponeCmd) Run(p *program) error {
	return c.done(p, central.PostponeDraw{Draw: c.Draw, Until: c.Until.Time, Why: c.Why, Published: c.Published})
}

// drawsAnnounceCmd is `tirage draws announce`.
type drawsAnnounceCmd struct {
	drawsWhy
	Jackpot euroFlag `placeholder:"EUROS" help:"Announced jackpot of a game of Loto."`
	Super   euroFlag `placeholder:"EUROS" help:"Guaranteed super jackpot of Euro Millions."`
}

// Run announces.
func (c *drawsAnnounceCmd) Run(p *program) error {
	return c.done(p, central.AnnounceDraw{Draw: c.Draw, Jackpot: money.Cents(c.Jackpot), Super: money.Cents(c.Super), Why: c.Why})
}

// drawsReportCmd is `tirage draws report`.
type drawsReportCmd struct {
	drawsActor
	Draw   string   `arg:"" help:"Draw: euromillions-2018-10-30."`
	Stakes euroFlag `placeholder:"EUROS" help:"Stakes of the others."`
	Fund   euroFlag `placeholder:"EUROS" help:"Fund that is common to all; left out it follows from the stakes."`
}

// Run reports.
func (c *drawsReportCmd) Run(p *program) error {
	return c.done(p, c.Draw, central.ReportOutside{Draw: c.Draw, Stakes: money.Cents(c.Stakes), Fund: money.Cents(c.Fund)})
}

// drawsOpenCmd is `tirage draws open`.
type drawsOpenCmd struct {
	drawsActor
	Draw string   `arg:"" help:"Draw of the calendar: superloto-2018-11-16."`
	Pack []string `sep:"none" placeholder:"OFFER" help:"A pack type on sale: \"TYPE COMPOSITION SHARES PACKS\", such as \"600 6x10*10 200 50\"; may be given again."`
}

// Run opens a draw as the calendar says, with a fresh secret.
func (c *drawsOpenCmd) Run(p *program) error {
	var packs []central.PackOffer
	for _, text := range c.Pack {
		o, err := parseOffer(text)
		if err != nil {
			return err
		}
		packs = append(packs, o)
	}
	return c.act(p, func(ctx context.Context, d *desk) error {
		s := &central.Schedule{Operator: d.Operator, Clock: d.clock, Entropy: vault.SystemEntropy{}, Packs: func(*central.DrawDate) []central.PackOffer { return packs }}
		if err := s.Open(ctx, c.Draw); err != nil {
			return err
		}
		return c.shown(ctx, p, d.Operator, c.Draw)
	})
}

// parseOffer reads "600 6x10*10 200 50": type, composition, shares, packs at most.
func parseOffer(text string) (central.PackOffer, error) {
	var o central.PackOffer
	words := strings.Fields(text)
	wrong := fmt.Errorf("pack %.60q; accepted: type, composition, shares and packs at most, such as \"600 6x10*10 200 50\"", text)
	if len(words) != 4 {
		return o, wrong
	}
	o.Type = words[0]
	for part := range strings.SplitSeq(words[1], "+") {
		if n, err := strconv.Atoi(part); err == nil {
			o.Simples = n
			continue
		}
		o.Multiples = append(o.Multiples, part)
	}
	var err1, err2 error
	o.Shares, err1 = strconv.ParseInt(words[2], 10, 64)
	o.MaxPacks, err2 = strconv.ParseInt(words[3], 10, 64)
	if errors.Join(err1, err2) != nil {
		return o, wrong
	}
	return o, nil
}

// drawsCloseCmd is `tirage draws close`.
type drawsCloseCmd struct {
	drawsActor
	Draw string `arg:"" help:"Draw: loto-2018-10-29."`
}

// Run closes.
func (c *drawsCloseCmd) Run(p *program) error {
	return c.act(p, func(ctx context.Context, d *desk) error {
		if err := d.Close(ctx, c.Draw); err != nil {
			return err
		}
		return c.shown(ctx, p, d.Operator, c.Draw)
	})
}

// drawsResultCmd is `tirage draws result`.
type drawsResultCmd struct {
	drawsActor
	Draw    string   `arg:"" help:"Draw: loto-2018-10-29."`
	Numbers string   `arg:"" help:"Numbers in the order of drawing: 5-9-21-36-39+5."`
	Code    []string `sep:"none" placeholder:"SERIES=CODE" help:"A winning code, such as \"loto=A 0000 0001\"; may be given again."`
	Joker   string   `placeholder:"DIGITS" help:"Number of Joker+ of the evening."`
	Outside []int64  `placeholder:"N,…" help:"Winners elsewhere by rank, rank 1 first."`
	Claims  string   `placeholder:"DAY" help:"Last day of payment (default: that of the rulebook)."`
	Late    string   `placeholder:"TEXT" help:"Why the draw was not held when it was announced."`
}

// Run records the next version of a result.
func (c *drawsResultCmd) Run(p *program) error {
	who, err := c.staff()
	if err != nil {
		return err
	}
	r, err := c.result()
	if err != nil {
		return err
	}
	return c.act(p, func(ctx context.Context, d *desk) error {
		if err := d.As(who).Record(ctx, c.Draw, *r, central.Outside{Winners: prize.Winners(c.Outside)}); err != nil {
			return err
		}
		return c.shown(ctx, p, d.Operator, c.Draw)
	})
}

func (c *drawsResultCmd) result() (*central.Result, error) {
	if _, err := combin.Parse(c.Numbers); err != nil {
		return nil, err
	}
	r := &central.Result{Joker: c.Joker, Claims: c.Claims, Late: c.Late}
	main, extra, _ := strings.Cut(c.Numbers, "+")
	r.Main, r.Extra = numbers(main), numbers(extra)
	for _, given := range c.Code {
		series, code, ok := strings.Cut(given, "=")
		if !ok {
			return nil, fmt.Errorf("code %.40q; accepted: its series and the code, such as \"loto=A 0000 0001\"", given)
		}
		if r.Codes == nil {
			r.Codes = map[string][]string{}
		}
		r.Codes[series] = append(r.Codes[series], code)
	}
	return r, nil
}

// numbers reads "5-9-21", which is known to be numbers.
func numbers(text string) (list []int) {
	for word := range strings.SplitSeq(text, "-") {
		n, _ := strconv.Atoi(word)
		list = append(list, n)
	}
	return list
}

// drawsApproveCmd is `tirage draws approve`.
type drawsApproveCmd struct {
	drawsActor
	Draw    string `arg:"" help:"Draw: loto-2018-10-29."`
	Version int64  `default:"1" help:"Version of the result that is approved (default: ${default})."`
}

// Run approves.
func (c *drawsApproveCmd) Run(p *program) error {
	return c.done(p, c.Draw, central.ApproveDraw{Draw: c.Draw, Version: c.Version})
}

// drawsStepCmd is `tirage draws step`.
type drawsStepCmd struct {
	drawsActor
	Games []string `default:"loto,euromillions" help:"Games whose regular draws are planned (default: ${default})."`
}

// Run does what is due, and says what waits for whom.
func (c *drawsStepCmd) Run(p *program) error {
	return c.act(p, func(ctx context.Context, d *desk) error {
		s := &central.Schedule{Operator: d.Operator, Clock: d.clock, Entropy: vault.SystemEntropy{}, Games: c.Games}
		report, err := s.Step(ctx)
		if c.JSON {
			return errors.Join(p.printJSON(report), err)
		}
		printStep(p.out, report)
		return err
	})
}

// waitWords say what a draw waits for.
var waitWords = map[central.WaitFor]string{
	central.WaitTerms: "waits for its terms", central.WaitResult: "waits for its result", central.WaitApproval: "waits for the officer's approval",
	central.WaitRelease: "is held until an officer releases it", central.WaitNotice: "waits for another person to publish its notice",
}

func printStep(w io.Writer, r *central.StepReport) {
	if len(r.Done) == 0 {
		fmt.Fprintln(w, "nothing was due")
	}
	t := table{align: "ll"}
	for _, a := range r.Done {
		words := stateWords[a.What]
		switch a.What {
		case "drafted":
			words = "its notice is drafted"
		case "lapsed":
			words = "what nobody claimed is in its fund"
		}
		t.add(a.Draw, words)
	}
	for _, wait := range r.Waits {
		words := waitWords[wait.For]
		if wait.Why != "" {
			words += ": " + wait.Why
		}
		t.add(wait.Draw, words)
	}
	t.print(w, "")
	if !r.Next.IsZero() {
		fmt.Fprintf(w, "due again on %s\n", shownTime(r.Next))
	}
}

// drawsPutOffCmd is `tirage draws put-off`.
type drawsPutOffCmd struct {
	drawsActor
	Service string `arg:"" help:"packs, or a ladder game: donuts."`
	Until   string `placeholder:"DAY" help:"New day of effect, YYYY-MM-DD; left out while it is not known."`
	Why     string `placeholder:"TEXT" help:"Why, for the record; of a proposal."`
	French  string `placeholder:"TEXT" help:"Message to the players in French (default: for technical reasons)."`
	English string `placeholder:"TEXT" help:"The same in English."`
	Confirm string `placeholder:"NAME" help:"Confirm what this member of the staff proposed, with the same day."`
}

// Run proposes, or confirms.
func (c *drawsPutOffCmd) Run(p *program) error {
	if c.Confirm != "" {
		confirm := central.ConfirmPutOff{Service: c.Service, Until: c.Until, Proposer: "staff/" + c.Confirm}
		return c.inPerson(p, confirm, func(central.Receipt) string { return fmt.Sprintf("%s is put off%s", c.Service, untilWords(c.Until)) })
	}
	put := central.PutOff{Service: c.Service, Until: c.Until, Why: c.Why, French: c.French, English: c.English}
	return c.inPerson(p, put, func(central.Receipt) string {
		return fmt.Sprintf("proposed to put off %s%s: nothing changes before a second person confirms it", c.Service, untilWords(c.Until))
	})
}

func untilWords(day string) string {
	if day == "" {
		return ", the new day is not known yet"
	}
	if t, err := time.Parse(time.DateOnly, day); err == nil {
		return " to " + t.Format("2 January 2006")
	}
	return " to " + day
}
