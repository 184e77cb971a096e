package verify

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"
	"tirage/fairness"
	"tirage/fairness/beacon"
	"tirage/fairness/replay"
	"tirage/games"
	"tirage/logbook"
	"tirage/rules/codes"
	"tirage/rules/rulebook"
)

// Generated is how the numbers of a draw came from a generator: the round of a public beacon that was fixed before the sales, with its signature, or the values
// of two people where the beacon failed; and the leaf by which an officer fixed it.
type Generated struct {
	Beacon    string       `json:"beacon"`  // hash of the chain
	Key       string       `json:"key"`     // public key of the beacon, in G2, hex
	Genesis   int64        `json:"genesis"` // of its round 1, seconds
	Period    int64        `json:"period"`  // seconds
	Round     int64        `json:"round"`
	Signature replay.Hex   `json:"signature,omitempty"`
	Values    []replay.Hex `json:"values,omitempty"` // of two people
	Main      []int        `json:"main"`             // ascending
	Extra     []int        `json:"extra"`
	Chosen    *Leaf        `json:"chosen"` // confirm_generator

	Codes map[string][]string `json:"codes,omitempty"` // by series, in the order of issue
	Joker string              `json:"joker,omitempty"` // number of Joker+
}

// generatorRow is a row of the table generators.
type generatorRow struct {
	Draw, Chain, Key        string
	Genesis, Period, Round  int64
	Chooser, Why            string
	ChosenAt                int64
	Confirmer               string
	ConfirmedAt             int64
	Signature               []byte
	First, Second           string
	FirstValue, SecondValue []byte
	Reason, Drawer          string
	DrawnAt                 int64
	Numbers                 string
}

func (r *generatorRow) fields() []any {
	return []any{&r.Draw, &r.Chain, &r.Key, &r.Genesis, &r.Period, &r.Round, &r.Chooser, &r.Why, &r.ChosenAt, &r.Confirmer, &r.ConfirmedAt, &r.Signature,
		&r.First, &r.Second, &r.FirstValue, &r.SecondValue, &r.Reason, &r.Drawer, &r.DrawnAt, &r.Numbers}
}

// checkGenerated derives the numbers again: the round stood in the log before it had appeared and before the sales opened, it appeared after they closed, its
// signature is the beacon's, and secret and value give these numbers and no others.
func (d *drawCheck) checkGenerated(keys note.Verifiers) error {
	g := d.head.Generator
	chain := &beacon.Chain{Hash: g.Beacon, PublicKey: g.Key, Genesis: g.Genesis, Period: g.Period}
	if !slices.ContainsFunc(append(slices.Clone(d.beacons), beacon.Quicknet), func(known *beacon.Chain) bool { return *known == *chain }) {
		return fmt.Errorf("beacon %.64q: accepted quicknet (%.8s…), or one whose description you have yourself", g.Beacon, beacon.Quicknet.Hash)
	}
	if g.Chosen == nil {
		return errors.New("no leaf by which the round was fixed")
	}
	if err := d.checkChosen(chain, keys); err != nil {
		return err
	}
	public, err := g.public(chain)
	if err != nil {
		return err
	}
	book, err := games.InForce(d.head.Game, d.day())
	if err != nil {
		return err
	}
	by := fairness.Generator{Secret: d.secret, Draw: d.head.Draw, Public: public}
	drawn := by.Numbers(book.Matrix)
	if err := g.checkJoker(by, book, d.day()); err != nil {
		return err
	}
	d.generator = &by
	if fmt.Sprint(drawn.Main(), drawn.Extra()) != fmt.Sprint(g.Main, g.Extra) {
		return fmt.Errorf("numbers %v %v, secret and value give %v", g.Main, g.Extra, drawn)
	}
	return nil
}

// day is the day of the draw.
func (d *drawCheck) day() string { return strings.TrimPrefix(d.head.Draw, d.head.Game+"-") }

// jokerGame is the game of digits that is drawn with others.
const jokerGame = "jokerplus"

// checkJoker derives the number of Joker+ of a game to which it is added.
func (g *Generated) checkJoker(by fairness.Generator, book *rulebook.Rulebook, day string) error {
	want := ""
	if slices.Contains(book.Sale.AddOns, jokerGame) {
		joker, err := games.InForce(jokerGame, day)
		if err != nil {
			return err
		}
		want = by.Digits(jokerGame, joker.Digits.Length)
	}
	if strings.ReplaceAll(g.Joker, " ", "") != want {
		return fmt.Errorf("number of Joker+ %.20q, secret and value give %q", g.Joker, want)
	}
	return nil
}

// drawnSeries is a series of which codes are drawn.
type drawnSeries struct {
	codes.Series
	winners int64
	runs    []codes.Run // issued, in the order of the file
}

// seriesDrawn lists the series of the draw, in the order in which a play stores where its codes stand.
func (d *drawCheck) seriesDrawn() (list []*drawnSeries, err error) {
	book, err := games.InForce(d.head.Game, d.day())
	if err != nil {
		return nil, err
	}
	var books []*rulebook.Rulebook
	for _, with := range book.Sale.With {
		b, err := games.InForce(with, d.day())
		if err != nil {
			return nil, err
		}
		books = append(books, b)
	}
	for _, b := range append(books, book) {
		for _, s := range b.Codes {
			if s.Exceptional && !d.head.Exceptional {
				continue
			}
			prize, _ := b.CodePrize(s.ID)
			list = append(list, &drawnSeries{Series: s, winners: prize.Winners})
		}
	}
	return list, nil
}

// note takes the codes of an entry, of a draw whose codes are drawn by the generator.
func (d *drawCheck) note(e *DrawEntry) {
	for i, s := range d.drawn {
		if i >= len(e.CodeAt) {
			return // checkCodes has said so
		}
		at := e.CodeAt[i]
		zone := s.ZoneFor(e.Combinations)
		if zone == codes.SequentialZone {
			at %= s.Sequential.Len()
		}
		s.runs = append(s.runs, codes.Run{Zone: zone, Start: at, Count: e.Combinations})
	}
}

// checkDrawnCodes draws the winning codes again among those that were issued.
func (d *drawCheck) checkDrawnCodes() error {
	if len(d.head.Generator.Codes) != len(d.drawn) {
		return fmt.Errorf("codes of %d series are drawn, the draw issues %d", len(d.head.Generator.Codes), len(d.drawn))
	}
	for _, s := range d.drawn {
		issued, err := codes.NewIssued(s.runs)
		if err != nil {
			return err
		}
		won, err := d.generator.Codes(s.ID, issued, s.winners)
		if err != nil {
			return err
		}
		sheet, err := codes.NewSheet(s.Series, fairness.CodeKey(d.secret, s.ID))
		if err != nil {
			return err
		}
		again := []string{}
		for _, w := range won {
			ordinal, err := sheet.Ordinal(w.At)
			if err != nil {
				return err
			}
			again = append(again, s.Format(ordinal))
		}
		if !slices.Equal(again, d.head.Generator.Codes[s.ID]) {
			return fmt.Errorf("codes %.60s of series %s, secret and value give %.60s", strings.Join(d.head.Generator.Codes[s.ID], ", "), s.ID, strings.Join(again, ", "))
		}
	}
	return nil
}

// public is the public value.
func (g *Generated) public(chain *beacon.Chain) (string, error) {
	switch {
	case len(g.Signature) > 0 && len(g.Values) == 0:
		if err := chain.Check(g.Round, g.Signature); err != nil {
			return "", err
		}
		return fairness.FromBeacon(g.Beacon, g.Round, beacon.Randomness(g.Signature)), nil
	case len(g.Signature) == 0 && len(g.Values) == 2 && len(g.Values[0]) == fairness.HandsSize && len(g.Values[1]) == fairness.HandsSize:
		return fairness.FromHands([fairness.HandsSize]byte(g.Values[0]), [fairness.HandsSize]byte(g.Values[1])), nil
	}
	return "", fmt.Errorf("accepted the signature of the round, or the values of two people, %d bytes each", fairness.HandsSize)
}

// checkChosen checks the leaf by which the round was fixed: before the draw was opened, and before the round had appeared.
func (d *drawCheck) checkChosen(chain *beacon.Chain, keys note.Verifiers) error {
	g := d.head.Generator
	c, err := g.Chosen.checkpoint(keys)
	if err != nil {
		return err
	}
	if err := g.Chosen.prove(c); err != nil {
		return err
	}
	leaf, lines, err := logbook.ParseLeaf([]byte(g.Chosen.Body))
	if err != nil {
		return err
	}
	opening, err := logbook.ParseHead([]byte(d.head.Opening.Body))
	if err != nil {
		return err
	}
	if leaf.At >= chain.Time(g.Round).UnixMicro() || leaf.At > opening.At {
		return fmt.Errorf("the round was fixed at %v: accepted before it appears, and before the draw is on sale", time.UnixMicro(leaf.At).UTC())
	}
	for _, line := range lines {
		if !bytes.HasPrefix(line, []byte(`["generators",`)) {
			continue
		}
		var r generatorRow
		if err := readRow(line, r.fields()); err != nil {
			return err
		}
		if r.Draw == d.head.Draw && r.Round == g.Round && r.Key == g.Key && r.Genesis == g.Genesis && r.Period == g.Period && r.Chain == g.Beacon && r.Confirmer != "" {
			if close := d.closes; len(g.Signature) > 0 && chain.Time(g.Round).UnixMicro() <= close {
				return errors.New("the round appeared before the sales were announced to close")
			}
			return nil
		}
	}
	return fmt.Errorf("the leaf does not fix round %d of %.40s for draw %.40s", g.Round, g.Beacon, d.head.Draw)
}
