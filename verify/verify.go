// Package verify is what a stranger checks alone, with a file and the operator's public key: the receipt of a play, checkpoints of a log, a published draw,
// a round of a ladder game. It asks nobody, reads no clock and no database, and imports rules, games, fairness and logbook only. The program
// cmd/verify and the page /verify (the same code as WebAssembly) are made of it; docs/log.md describes the files.
//
//	report := verify.Receipt(data, keys)
//	report.OK()                       // true
//	report.Print(w, verify.French)    // « Ce reçu est authentique. » and each thing that was checked
//
// A check that fails says what was found and what is needed; it never says less than the page of the operator that it checks.
package verify

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/mod/sumdb/note"
)

// Languages of the verdicts.
const (
	French  = "fr"
	English = "en"
)

// Check names one thing that is checked.
type Check string

// The checks.
const (
	CheckFile       Check = "file"       // it can be read
	CheckCheckpoint Check = "checkpoint" // the operator has signed the log
	CheckProof      Check = "proof"      // the leaf is in the signed log
	CheckPlay       Check = "play"       // what is printed is what the leaf says
	CheckRules      Check = "rules"      // price, formats and codes are those of the rulebook
	CheckGrowth     Check = "growth"     // a later log holds the earlier one
	CheckOpening    Check = "opening"    // the commitment stood in the log when the sales opened
	CheckSecret     Check = "secret"     // the secret opens the commitment
	CheckNumbers    Check = "numbers"    // the drawn numbers follow from the secret and the beacon
	CheckDrawnCodes Check = "won"        // the codes drawn follow from the same secret and value, among those that were issued
	CheckPicks      Check = "picks"      // every quick pick follows from the secret
	CheckCodes      Check = "codes"      // every code follows from the secret and its place
	CheckRound      Check = "round"      // every series follows from its secret and contribution
)

// words are the French and English names of the checks, and of the verdicts by kind of file.
var words = map[Check][2]string{
	CheckFile:       {"Le fichier est lisible", "The file can be read"},
	CheckCheckpoint: {"Le registre est signé par l’opérateur", "The log is signed by the operator"},
	CheckProof:      {"La prise de jeu est inscrite au registre signé", "The play stands in the signed log"},
	CheckPlay:       {"Ce que le reçu affiche est ce que le registre a inscrit", "What the receipt shows is what the log says"},
	CheckRules:      {"Prix, formats et codes sont ceux du règlement", "Price, formats and codes are those of the rules"},
	CheckGrowth:     {"Le registre contient toujours ce qu’il contenait", "The log still holds what it held"},
	CheckOpening:    {"L’engagement était au registre à l’ouverture des ventes", "The commitment stood in the log when the sales opened"},
	CheckSecret:     {"Le secret publié est celui de l’engagement", "The published secret is the one that was committed to"},
	CheckNumbers:    {"Les numéros tirés découlent du secret et de la balise fixée avant la vente", "The numbers drawn follow from the secret and the beacon fixed before the sales"},
	CheckDrawnCodes: {"Les codes tirés découlent du même secret et de la même balise, parmi les codes émis", "The codes drawn follow from the same secret and beacon, among those that were issued"},
	CheckPicks:      {"Chaque Système Flash découle du secret", "Every quick pick follows from the secret"},
	CheckCodes:      {"Chaque code découle du secret et de son rang", "Every code follows from the secret and its place"},
	CheckRound:      {"Chaque série découle du secret et de la contribution", "Every series follows from its secret and contribution"},
}

// Kind is a kind of file.
type Kind string

// The kinds.
const (
	KindReceipt    Kind = "receipt"
	KindCheckpoint Kind = "checkpoint"
	KindDraw       Kind = "draw"
	KindRound      Kind = "round"
)

// verdicts are what is said of a file of each kind: French and English, when all is right and when not.
var verdicts = map[Kind][2][2]string{
	KindReceipt:    {{"Ce reçu est authentique.", "This receipt is genuine."}, {"Ce reçu n’est PAS authentique.", "This receipt is NOT genuine."}},
	KindCheckpoint: {{"Le registre n’a pas été modifié.", "The log was not changed."}, {"Le registre a été MODIFIÉ, ou rien ne peut être prouvé.", "The log was CHANGED, or nothing can be proved."}},
	KindDraw:       {{"Ce tirage se recalcule entièrement.", "This draw can be derived again in full."}, {"Ce tirage ne se recalcule PAS.", "This draw can NOT be derived again."}},
	KindRound:      {{"Cette partie se recalcule entièrement.", "This round can be computed again in full."}, {"Cette partie ne se recalcule PAS.", "This round can NOT be computed again."}},
}

// Finding is the outcome of one check.
type Finding struct {
	Check Check  `json:"check"`
	Where string `json:"where,omitempty"` // in a file of many: "series 2", "play 0-12"
	OK    bool   `json:"ok"`
	Why   string `json:"why,omitempty"`  // where it is not
	Note  string `json:"note,omitempty"` // what else is worth knowing: how many were checked
}

// Report is what was found in a file. Its names and types don't change.
type Report struct {
	Kind     Kind      `json:"kind"`
	What     string    `json:"what,omitempty"` // the play, draw, log or round
	Findings []Finding `json:"findings"`
	Play     *Play     `json:"play,omitempty"` // of a receipt: what it proves
	Log      string    `json:"log,omitempty"`  // of a receipt: the log that holds it
	Size     int64     `json:"size,omitempty"` // leaves that were signed
}

// OK reports whether everything was checked and nothing is wrong.
func (r *Report) OK() bool {
	for _, f := range r.Findings {
		if !f.OK {
			return false
		}
	}
	return len(r.Findings) > 0
}

// add notes the outcome of a check and reports whether it passed.
func (r *Report) add(c Check, err error) bool {
	f := Finding{Check: c, OK: err == nil}
	if err != nil {
		f.Why = err.Error()
	}
	r.Findings = append(r.Findings, f)
	return f.OK
}

// note says more about the last check.
func (r *Report) note(format string, args ...any) {
	r.Findings[len(r.Findings)-1].Note = fmt.Sprintf(format, args...)
}

func language(lang string) int {
	if lang == English {
		return 1
	}
	return 0
}

// signedOnly is what a single checkpoint tells.
var signedOnly = [2]string{"Ce point de contrôle est signé par l’opérateur.", "This checkpoint is signed by the operator."}

// Verdict is the whole in one sentence.
func (r *Report) Verdict(lang string) string {
	v := verdicts[r.Kind]
	if r.Kind == KindCheckpoint && len(r.Findings) == 1 {
		v[0] = signedOnly
	}
	if r.OK() {
		return v[0][language(lang)]
	}
	return v[1][language(lang)]
}

// Words says a finding to a person.
func (f *Finding) Words(lang string) string {
	s := words[f.Check][language(lang)]
	if f.Where != "" {
		s += " (" + f.Where + ")"
	}
	if f.Note != "" {
		s += ": " + f.Note
	}
	if !f.OK {
		s += [2]string{" — NON\u00a0: ", " — NO: "}[language(lang)] + f.Why
	}
	return s
}

// Print writes the verdict, then a line for each check.
func (r *Report) Print(w io.Writer, lang string) error {
	var b strings.Builder
	b.WriteString(r.Verdict(lang) + "\n")
	for _, f := range r.Findings {
		sign := "✓ "
		if !f.OK {
			sign = "✗ "
		}
		b.WriteString("  " + sign + f.Words(lang) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Keys reads public keys as golang.org/x/mod/sumdb/note writes them, one a line.
func Keys(text string) (note.Verifiers, error) {
	var list []note.Verifier
	for _, line := range strings.Fields(text) {
		v, err := note.NewVerifier(line)
		if err != nil {
			return nil, fmt.Errorf("public key %.80q: accepted NAME+HASH+KEY, as the operator publishes it", line)
		}
		list = append(list, v)
	}
	if len(list) == 0 {
		return nil, errors.New("no public key: accepted NAME+HASH+KEY, as the operator publishes it")
	}
	return note.VerifierList(list...), nil
}

// unmarshal reads one JSON value of known fields and nothing behind it.
func unmarshal(data []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something stands behind its end")
	}
	return nil
}
