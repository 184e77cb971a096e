package central

import (
	"context"
	"fmt"
	"time"

	"tirage/fairness/beacon"
)

// GeneratorView is the generator of a draw as everybody may see it; the values of two people only once both are there.
type GeneratorView struct {
	Draw       string     `json:"draw"`
	Beacon     string     `json:"beacon"`
	Round      int64      `json:"round"`
	Appears    time.Time  `json:"appears"`
	Chooser    string     `json:"chooser"`
	Why        string     `json:"why"`
	Confirmer  string     `json:"confirmer,omitempty"`
	Signature  string     `json:"signature,omitempty"`
	People     []string   `json:"people,omitempty"` // who brought values of their own
	Reason     string     `json:"reason,omitempty"`
	DrawnAt    *time.Time `json:"drawn_at,omitempty"`
	Numbers    *EntryBody `json:"numbers,omitempty"`
	FallbackAt time.Time  `json:"fallback_at"` // from when on two people may stand in
}

// Waits says that the numbers are still to be drawn.
func (g *GeneratorView) Waits() bool { return g.Confirmer != "" && g.Numbers == nil }

// ReadGenerator reads the generator of a draw; nil where balls are drawn and nobody proposed another way.
func ReadGenerator(ctx context.Context, snap Snapshot, draw string) (*GeneratorView, error) {
	row, err := snap.Get(ctx, generatorKey(draw))
	if row == nil || err != nil {
		return nil, err
	}
	g := row.(*Generator)
	v := &GeneratorView{
		Draw: g.Draw, Beacon: g.Chain, Round: g.Round, Appears: g.Appears(), Chooser: g.Chooser, Why: g.Why, Confirmer: g.Confirmer, Reason: g.Reason,
		DrawnAt: instantOrNil(g.DrawnAt), FallbackAt: g.Appears().Add(FallbackAfter),
	}
	if len(g.Signature) > 0 {
		v.Signature = fmt.Sprintf("%x", g.Signature)
	}
	for _, who := range []string{g.First, g.Second} {
		if who != "" {
			v.People = append(v.People, who)
		}
	}
	if g.Numbers != "" {
		v.Numbers, err = ReadEntry(g.Numbers)
	}
	return v, err
}

// DrawNumbers fetches the round of a draw and draws its numbers. Who does it by hand brings the signature in [DrawNumbers].
func (o *Operator) DrawNumbers(ctx context.Context, draw string) error {
	var g *Generator
	err := o.snapshot(ctx, func(snap Snapshot) error {
		row, err := snap.Get(ctx, generatorKey(draw))
		if row != nil {
			g = row.(*Generator)
		}
		return err
	})
	if err != nil || g == nil || o.Beacon == nil {
		return err
	}
	signature, err := g.fetch(ctx, o.Beacon)
	if err == nil {
		_, err = o.do(ctx, "numbers/"+draw, DrawNumbers{Draw: draw, Signature: signature})
	}
	return err
}

func (g *Generator) fetch(ctx context.Context, from Beacon) (string, error) {
	signature, err := from.Signature(ctx, g.Beacon(), g.Round)
	if err != nil {
		return "", fmt.Errorf("round %d of %s: %w", g.Round, g.Chain, err)
	}
	return fmt.Sprintf("%x", signature), nil
}

// Fetch returns the signature of the round of a draw, for who brings it in person.
func (o *Operator) Fetch(ctx context.Context, from Beacon, draw string) (signature string, err error) {
	var g *Generator
	err = o.snapshot(ctx, func(snap Snapshot) error {
		row, err := snap.Get(ctx, generatorKey(draw))
		if g, _ = row.(*Generator); g == nil && err == nil {
			err = NoGenerator(draw)
		}
		return err
	})
	if err != nil {
		return "", err
	}
	return g.fetch(ctx, from)
}

// Beacon fetches the signatures of a public beacon, see [tirage/fairness/beacon]. Nobody believes it: what it brings is verified.
type Beacon interface {
	Signature(ctx context.Context, chain *beacon.Chain, round int64) ([]byte, error)
}

// checkGenerators: who proposed is not who confirmed; what is drawn comes from a verified round or from two people; the results have these numbers.
func (b *books) checkGenerators() error {
	return b.scan(Generators, func(row Row) error {
		g := row.(*Generator)
		if err := b.checkGenerator(g); err != nil {
			return fmt.Errorf("generator of %s: %w", g.Draw, err)
		}
		return nil
	})
}

func (b *books) checkGenerator(g *Generator) error {
	switch {
	case g.Chooser == "" || g.Chooser == g.Confirmer:
		return fmt.Errorf("proposed by %q, confirmed by %q", g.Chooser, g.Confirmer)
	case (g.Numbers != "") != (g.Public() != "") || g.Numbers != "" && (g.Confirmer == "" || g.Drawer == "" || g.DrawnAt < g.ConfirmedAt):
		return fmt.Errorf("numbers %q from the value %q, confirmed by %q", g.Numbers, g.Public(), g.Confirmer)
	case len(g.Signature) > 0 && len(g.SecondValue) > 0:
		return fmt.Errorf("a round and two people")
	case (g.First == "") != (len(g.FirstValue) == 0) || (g.Second == "") != (len(g.SecondValue) == 0) || g.First == g.Second && g.First != "":
		return fmt.Errorf("values by %q and %q", g.First, g.Second)
	}
	if len(g.Signature) > 0 {
		if err := g.Beacon().Check(g.Round, g.Signature); err != nil {
			return err
		}
	}
	row, err := b.snap.Get(b.ctx, drawKey(g.Draw))
	d, _ := row.(*Draw)
	if err != nil || d == nil || g.Confirmer == "" || g.Numbers == "" && d.Version == 0 {
		return err
	}
	if g.Numbers == "" {
		return fmt.Errorf("a result is recorded, the generator drew nothing")
	}
	numbers, err := ReadEntry(g.Numbers)
	if err != nil {
		return err
	}
	for version := int64(1); version <= d.Version; version++ {
		result, err := readDoc[Result](b.ctx, b.snap, d.ID, DocResult, version)
		if err != nil {
			return err
		}
		got := &EntryBody{Main: result.Main, Extra: result.Extra, Codes: result.Codes, Joker: result.Joker}
		if !sameNumbers(numbers, got) || !sameCodes(numbers, got) {
			return fmt.Errorf("version %d has other numbers or codes", version)
		}
	}
	return nil
}
