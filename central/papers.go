package central

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"tirage/rules/money"
	"tirage/rules/prize"
)

// Kinds of papers, the signed documents of a draw. Each is a signed note whose text is one line of JSON.
const (
	DocManifest = "manifest" // the sealed plays and the terms of the draw, signed by the operator
	DocSales    = "sales"    // the control's count of the sealed plays
	DocResult   = "result"   // numbers and codes drawn
	DocOutside  = "outside"  // winners outside this system, versioned with the result
	DocCount    = "count"    // winners and gains, signed by the operator
	DocControl  = "control"  // winners and gains as the control counts them
	DocDraft    = "draft"    // a notice that waits for another person than its drafter
	DocNotice   = "notice"   // what is published
)

// Roles that sign papers.
const (
	RoleOperator = "operator"
	RoleControl  = "control"
	RoleLog      = "log" // checkpoints, see [Log]
)

// KindCount counts the plays of one kind, or the plays that one game was added to: its kind is the name of the game, its cents are what was staked on it.
type KindCount struct {
	Kind  string      `json:"kind"`
	Plays int64       `json:"plays"`
	Cents money.Cents `json:"cents"`
}

// Added says whether it counts a game added to plays.
func (k KindCount) Added() bool { return slices.Contains(addedEver(), k.Kind) }

// RulesCount counts what was sold under one rulebook version, packs in full, unsold shares included. A game added to plays has no combinations of its own.
type RulesCount struct {
	Rules  string      `json:"rules"`
	Combos int64       `json:"combinations"`
	Cents  money.Cents `json:"cents"`
}

// LogSize is the size of a writer's log and its root then.
type LogSize struct {
	Node int64  `json:"node"`
	Size int64  `json:"size"`
	Root []byte `json:"root"`
}

// Sales is what the sealed plays add up to. Operator and control count it separately.
type Sales struct {
	Draw         string       `json:"draw"`
	Digest       []byte       `json:"digest"`         // SHA-256 of the sealed rows; a control outside the process does not have them
	File         []byte       `json:"file,omitempty"` // digest of the sealed file, see [SealedFile.Digest]
	Kinds        []KindCount  `json:"kinds"`
	Rules        []RulesCount `json:"rules"`
	Packs        int64        `json:"packs"`
	UnsoldShares int64        `json:"unsold_shares"`
	UnsoldCents  money.Cents  `json:"unsold_cents"`
	Stakes       money.Cents  `json:"stakes"`             // plays and unsold shares
	Findings     []string     `json:"findings,omitempty"` // of the control: what cannot be right, where; the draw is held
}

// kind returns the count of a kind of plays, zero when there is none.
func (s *Sales) kind(name string) KindCount {
	for _, k := range s.Kinds {
		if k.Kind == name {
			return k
		}
	}
	return KindCount{Kind: name}
}

// Manifest seals a draw: its plays and its terms.
type Manifest struct {
	Sales Sales       `json:"sales"`
	Logs  []LogSize   `json:"logs"`
	Terms prize.Terms `json:"terms"`
	File  *SealedFile `json:"file,omitempty"` // where an [Archive] keeps one
}

// Result is what was drawn.
type Result struct {
	Draw    string              `json:"draw"`
	Version int64               `json:"version"`
	Main    []int               `json:"main"` // in the order of drawing
	Extra   []int               `json:"extra"`
	Codes   map[string][]string `json:"codes,omitempty"`  // by series, printed, in the order of drawing
	Joker   string              `json:"joker,omitempty"`  // number of Joker+ of the evening, "5 697 395"
	Claims  string              `json:"claims,omitempty"` // last day of payment, YYYY-MM-DD; "": that of the rulebook
	Late    string              `json:"late,omitempty"`   // why the draw was not held when it was announced
}

// Outside is what other points of sale and countries report of a result.
type Outside struct {
	Draw    string        `json:"draw"`
	Version int64         `json:"version"`
	Winners prize.Winners `json:"winners"` // by rank, this system's left out

	AddOns map[string]prize.Winners `json:"add_ons,omitempty"` // of the pools of games added to plays, such as "etoileplus"; this system's left out
}

// CodeCount counts the winning codes of one series: drawn, of this system's plays, gain of each.
type CodeCount struct {
	Series string      `json:"series"`
	Drawn  int64       `json:"drawn"`
	Ours   int64       `json:"ours"`
	Unit   money.Cents `json:"unit"`
}

// AddOnCount is what the result gives to one game added to plays.
type AddOnCount struct {
	Game    string        `json:"game"`
	Winners prize.Winners `json:"winners"` // of this system: by rank; of a game of digits by stake and, within, by rank
	Outside prize.Winners `json:"outside,omitempty"`
	Unit    []money.Cents `json:"unit"`
}

// PackTotals is what the share-out of all packs of the draw adds up to.
type PackTotals struct {
	Gains    money.Cents            `json:"gains"`
	Holders  money.Cents            `json:"holders"`
	Reserve  map[string]money.Cents `json:"reserve,omitempty"` // by fund: "loto/reserve"
	Rounding money.Cents            `json:"rounding"`
}

// GroupTotals is what the split of all group plays of the draw between their receipts adds up to.
type GroupTotals struct {
	Gains    money.Cents `json:"gains"`
	Holders  money.Cents `json:"holders"`
	Rounding money.Cents `json:"rounding"`
}

// SliceSum is a run of credits.
type SliceSum struct {
	Credits int64       `json:"credits"`
	Cents   money.Cents `json:"cents"`
	Hash    []byte      `json:"hash"`
}

// Count is what a result gives: winners, unit gains, what is due to whom. Operator and control work it out separately.
type Count struct {
	Draw    string        `json:"draw"`
	Version int64         `json:"version"`
	Winners prize.Winners `json:"winners"` // of this system, by rank, packs in full
	Outside prize.Winners `json:"outside"`
	Unit    []money.Cents `json:"unit"`
	Codes   []CodeCount   `json:"codes,omitempty"`
	AddOns  []AddOnCount  `json:"add_ons,omitempty"` // by name
	Packs   PackTotals    `json:"packs"`
	Groups  GroupTotals   `json:"groups,omitzero"`
	Gains   money.Cents   `json:"gains"`   // all gains of this system's plays and packs
	Credits int64         `json:"credits"` // rows
	Due     money.Cents   `json:"due"`     // to players
	Slices  []SliceSum    `json:"slices"`

	File     []byte   `json:"file,omitempty"`     // SHA-256 of the file of gains
	Findings []string `json:"findings,omitempty"` // of the control: what cannot be right, where; the payment is held
}

// Rounding is gains less what their equal rounded parts add up to, of either sign: of packs and of groups.
func (c *Count) Rounding() money.Cents { return money.Add(c.Packs.Rounding, c.Groups.Rounding) }

// check makes sure that the sums of a count add up.
func (c *Count) check() error {
	sum := SliceSum{}
	for _, s := range c.Slices {
		sum.Credits += s.Credits
		sum.Cents = money.Add(sum.Cents, s.Cents)
	}
	reserve := money.Cents(0)
	for _, cents := range c.Packs.Reserve {
		reserve = money.Add(reserve, cents)
	}
	switch {
	case sum.Credits != c.Credits || sum.Cents != c.Due:
		return fmt.Errorf("%d credits of %v in the slices, %d of %v are due", sum.Credits, sum.Cents, c.Credits, c.Due)
	case c.Gains != money.Sum(c.Due, reserve, c.Rounding()):
		return fmt.Errorf("gains of %v, but %v due, %v to reserve funds and %v of rounding", c.Gains, c.Due, reserve, c.Rounding())
	case len(c.Winners) != len(c.Unit) || len(c.Outside) > 0 && len(c.Outside) != len(c.Unit):
		return fmt.Errorf("winners of %d ranks and outside of %d, gains of %d", len(c.Winners), len(c.Outside), len(c.Unit))
	}
	for _, a := range c.AddOns {
		if len(a.Winners) != len(a.Unit) || len(a.Outside) > 0 && len(a.Outside) != len(a.Unit) {
			return fmt.Errorf("%s: winners of %d ranks and outside of %d, gains of %d", a.Game, len(a.Winners), len(a.Outside), len(a.Unit))
		}
	}
	return nil
}

// SignPaper writes v as JSON and signs it.
func SignPaper(v any, signer note.Signer) (string, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return "", err
	}
	signed, err := note.Sign(&note.Note{Text: string(text) + "\n"}, signer)
	return string(signed), err
}

// ReadPaper reads the JSON of a paper that was verified when it was stored, or is about to be.
func ReadPaper[T any](text string) (*T, error) {
	body, _, ok := strings.Cut(text, "\n")
	if !ok {
		return nil, fmt.Errorf("paper of %d bytes: one line of JSON is needed", len(text))
	}
	v := new(T)
	if err := json.Unmarshal([]byte(body), v); err != nil {
		return nil, fmt.Errorf("paper: %w", err)
	}
	return v, nil
}

// NoteVerifier checks signed notes against the key of each role.
type NoteVerifier map[string]note.Verifier

// Verify returns the text of a note signed by the role.
func (v NoteVerifier) Verify(signed, role string) (string, error) {
	key, ok := v[role]
	if !ok {
		return "", fmt.Errorf("no key of role %s is known", role)
	}
	n, err := note.Open([]byte(signed), note.VerifierList(key))
	if err != nil {
		return "", fmt.Errorf("paper of role %s: %w", role, err)
	}
	return n.Text, nil
}

// paper verifies a signed paper and reads it.
func paper[T any](p *Plan, signed, role, field string) (*T, error) {
	text, err := p.reg.cfg.Verifier.Verify(signed, role)
	if err != nil {
		return nil, refuse(Forbidden, "paper.signature", field, "%v", err)
	}
	v, err := ReadPaper[T](text)
	if err != nil {
		return nil, refuse(Invalid, "paper.form", field, "%v", err)
	}
	return v, nil
}

// stored returns a paper of the draw that was stored before.
func stored[T any](p *Plan, draw, kind string, version int64) (*T, error) {
	d := get[Doc](p, docKey(draw, kind, version))
	if d == nil {
		return nil, fmt.Errorf("draw %s has no %s of version %d", draw, kind, version)
	}
	return ReadPaper[T](d.Body)
}
