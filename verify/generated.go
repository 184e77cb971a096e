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
	book, err := games.InForce(d.head.Game, strings.TrimPrefix(d.head.Draw, d.head.Game+"-"))
	if err != nil {
		return err
	}
	drawn := fairness.Generator{Secret: d.secret, Draw: d.head.Draw, Public: public}.Numbers(book.Matrix)
	if fmt.Sprint(drawn.Main(), drawn.Extra()) != fmt.Sprint(g.Main, g.Extra) {
		return fmt.Errorf("numbers %v %v, secret and value give %v", g.Main, g.Extra, drawn)
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
