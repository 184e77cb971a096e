package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"tirage/central"
	"tirage/drand"
)

// drawsGeneratorCmd is `tirage draws generator`: the numbers of a draw come from the generator, where no balls are drawn.
type drawsGeneratorCmd struct {
	Propose    drawsProposeCmd    `cmd:"" help:"Propose the generator for a draw that is not yet on sale: the round of the beacon is fixed."`
	Confirm    drawsConfirmCmd    `cmd:"" help:"Confirm the proposal, as an officer, before the draw is on sale."`
	Show       drawsRoundCmd      `cmd:"" help:"Which round, who decided it, what was drawn."`
	Numbers    drawsNumbersCmd    `cmd:"" help:"Bring what the beacon published of the round; its signature is verified, and numbers and codes follow."`
	Contribute drawsContributeCmd `cmd:"" help:"Bring a value of your own where the beacon has failed, as one of two enterers."`
}

// drawsRound is an act around the generator of one draw.
type drawsRound struct {
	drawsActor
	Draw string `arg:"" help:"Draw: loto-2018-10-29."`
}

// acted does an act and shows the generator as it stands then, with its codes when its numbers are there.
func (c *drawsRound) acted(p *program, act func(d *desk) (central.Command, error)) error {
	who, err := c.staff()
	if err != nil {
		return err
	}
	return c.act(p, func(ctx context.Context, d *desk) error {
		command, err := act(d)
		if err == nil {
			_, err = d.do(ctx, who, command)
		}
		if err == nil {
			err = d.DrawCodes(ctx, c.Draw)
		}
		if err != nil {
			return err
		}
		snap, err := d.Store.Snapshot(ctx)
		if err != nil {
			return err
		}
		defer snap.Close()
		return showGenerator(ctx, p, &c.drawsDB, snap, c.Draw)
	})
}

// showGenerator prints the generator of a draw.
func showGenerator(ctx context.Context, p *program, db *drawsDB, snap central.Snapshot, draw string) error {
	g, err := central.ReadGenerator(ctx, snap, draw)
	if err != nil {
		return err
	}
	if g == nil {
		return central.NoGenerator(draw)
	}
	return db.print(p, g, func() string {
		var b strings.Builder
		fmt.Fprintf(&b, "%s: round %d of beacon %.8s…, which appears at %s\nproposed by %s: %s", g.Draw, g.Round, g.Beacon, shownTime(g.Appears), g.Chooser, g.Why)
		if g.Confirmer == "" {
			b.WriteString("\nnot confirmed: balls are drawn")
			return b.String()
		}
		fmt.Fprintf(&b, "\nconfirmed by %s", g.Confirmer)
		if len(g.People) > 0 {
			fmt.Fprintf(&b, "\n%d of 2 values brought: %s", len(g.People), g.Reason)
		}
		if g.Numbers == nil {
			return b.String()
		}
		fmt.Fprintf(&b, "\ndrawn %v + %v", g.Numbers.Main, g.Numbers.Extra)
		if g.Numbers.Joker != "" {
			fmt.Fprintf(&b, ", Joker+ %s", g.Numbers.Joker)
		}
		for series, list := range g.Numbers.Codes {
			fmt.Fprintf(&b, "\ncodes %s: %s", series, strings.Join(list, ", "))
		}
		return b.String()
	})
}

// drawsProposeCmd is `tirage draws generator propose`.
type drawsProposeCmd struct {
	drawsRound
	Why string `required:"" placeholder:"TEXT" help:"Why, for the record."`
}

// Run proposes.
func (c *drawsProposeCmd) Run(p *program) error {
	return c.acted(p, func(*desk) (central.Command, error) { return central.UseGenerator{Draw: c.Draw, Why: c.Why}, nil })
}

type drawsConfirmCmd struct{ drawsRound }

// Run confirms.
func (c *drawsConfirmCmd) Run(p *program) error {
	return c.acted(p, func(*desk) (central.Command, error) { return central.ConfirmGenerator{Draw: c.Draw}, nil })
}

// drawsRoundCmd is `tirage draws generator show`.
type drawsRoundCmd struct {
	drawsDB
	Draw string `arg:"" help:"Draw: loto-2018-10-29."`
}

// Run shows.
func (c *drawsRoundCmd) Run(p *program) error {
	return c.look(func(ctx context.Context, snap central.Snapshot) error {
		return showGenerator(ctx, p, &c.drawsDB, snap, c.Draw)
	})
}

// drawsNumbersCmd is `tirage draws generator numbers`.
type drawsNumbersCmd struct {
	drawsRound
	Signature string   `placeholder:"HEX" xor:"from" help:"Signature of the round, 96 hexadecimal digits."`
	File      string   `placeholder:"FILE" xor:"from" help:"What the beacon published of the round, as JSON with its signature."`
	Beacon    []string `placeholder:"URL" xor:"from" help:"Servers of the beacon, asked one after another."`
}

// Run draws.
func (c *drawsNumbersCmd) Run(p *program) error {
	return c.acted(p, func(d *desk) (central.Command, error) {
		signature, err := c.signature(d)
		return central.DrawNumbers{Draw: c.Draw, Signature: signature}, err
	})
}

// publishedMax bounds what a beacon publishes of a round, in bytes.
const publishedMax = 1 << 14

// signature returns what was given, read or fetched.
func (c *drawsNumbersCmd) signature(d *desk) (string, error) {
	switch {
	case c.Signature != "":
		return strings.ToLower(strings.Join(strings.Fields(c.Signature), "")), nil
	case c.File != "":
		f, err := os.Open(c.File)
		if err != nil {
			return "", err
		}
		defer f.Close()
		var published struct {
			Signature string `json:"signature"`
		}
		if err := json.NewDecoder(io.LimitReader(f, publishedMax)).Decode(&published); err != nil {
			return "", fmt.Errorf("%s: %w", c.File, err)
		}
		return published.Signature, nil
	case len(c.Beacon) > 0:
		source, err := drand.New(c.Beacon)
		if err != nil {
			return "", err
		}
		return d.Fetch(context.Background(), source, c.Draw)
	}
	return "", errors.New("no signature; accepted: --signature HEX, --file FILE or --beacon URL")
}

// drawsContributeCmd is `tirage draws generator contribute`.
type drawsContributeCmd struct {
	drawsRound
	Why string `required:"" placeholder:"TEXT" help:"Why the beacon is not used, for the record."`
}

// Help says where the value is read.
func (*drawsContributeCmd) Help() string {
	return "The value, 64 hexadecimal digits from dice or a device of your own, is read from standard input: a flag would show it to everybody on the machine."
}

// Run contributes.
func (c *drawsContributeCmd) Run(p *program) error {
	value, err := io.ReadAll(io.LimitReader(p.in, 1<<10))
	if err != nil {
		return err
	}
	return c.acted(p, func(*desk) (central.Command, error) {
		return central.ContributeDraw{Draw: c.Draw, Value: strings.ToLower(strings.Join(strings.Fields(string(value)), "")), Why: c.Why}, nil
	})
}
