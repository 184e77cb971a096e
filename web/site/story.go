package site

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/tlog"
	"tirage/central"
	"tirage/logbook"
	"tirage/rules/drawing"
	"tirage/verify"
	"tirage/web/kit"
)

// step is a moment in the life of a draw as the page of its result tells it.
type step struct {
	Name, Said string
	At         time.Time
	Leaf       string  // of the log, "" for what the draw room keeps
	Papers     []paper // signed, to be read
}

// paper is a signed paper of a published draw.
type paper struct{ Name, Kind string }

// papersOf lists the signed papers that everybody may read once a draw is published, by the step that they belong to. None names a player.
var papersOf = map[string][]string{
	central.StepSealed: {central.DocManifest}, central.StepBalanced: {central.DocSales}, central.StepRecorded: {central.DocResult, central.DocOutside},
	central.StepCounted: {central.DocCount, central.DocControl}, central.StepPublished: {central.DocNotice},
}

// versioned says whether a paper belongs to a version of the result.
func versioned(kind string) bool { return kind != central.DocManifest && kind != central.DocSales }

// tell says the life of the draw, in the words of the page.
func (o *outcome) tell(v *kit.Visit, moments []central.Moment) {
	typed := 0
	for _, m := range moments {
		if m.Step == central.StepTyped {
			typed++
		}
		name, said := stepWords(v, m.Step, typed)
		s := step{Name: name, Said: said, At: m.At, Leaf: m.Leaf}
		for _, kind := range papersOf[m.Step] {
			s.Papers = append(s.Papers, paper{paperWords(v, kind), kind})
		}
		o.Story = append(o.Story, s)
	}
}

// stepWords names a step and says what it means.
func stepWords(v *kit.Visit, name string, typed int) (string, string) {
	switch name {
	case central.StepOpened:
		return v.T("Ouvert", "Opened"), v.T("les ventes commencent ; l'engagement sur le secret des Systèmes Flash est publié", "sales begin; the commitment to the secret of the quick picks is published")
	case central.StepClosed:
		return v.T("Clos", "Closed"), v.T("plus aucune prise de jeu n'est acceptée", "no further play is accepted")
	case central.StepSealed:
		return v.T("Scellé", "Sealed"), v.T("toutes les prises de jeu et les conditions du tirage sont figées sous une empreinte signée", "all plays and the terms of the draw are fixed under a signed digest")
	case central.StepBalanced:
		return v.T("Contrôle d'accord", "Control agrees"), v.T("un second moteur, à part, a compté les mêmes prises de jeu", "a second engine, apart, has counted the same plays")
	case central.StepGenerated:
		return v.T("Tiré par générateur", "Drawn by the generator"), v.T("les numéros découlent du secret engagé avant les ventes et d'une balise publique ; chacun les recalcule (supposé : les règlements à notre disposition n'en disent rien)", "the numbers follow from the secret committed to before the sales and from a public beacon; everybody derives them again (assumed: the regulations at hand say nothing of it)")
	case central.StepTyped:
		if typed > 1 {
			return v.T("Saisi une seconde fois", "Typed a second time"), v.T("par une autre personne, qui ne voyait pas la première saisie : les deux sont égales", "by another person, who did not see the first entry: the two are equal")
		}
		return v.T("Saisi", "Typed"), v.T("les numéros sortis, par une première personne", "the numbers drawn, by a first person")
	case central.StepSigned:
		return v.T("Signé", "Signed"), v.T("par l'officier qui assistait au tirage", "by the officer who attended the draw")
	case central.StepRecorded:
		return v.T("Enregistré", "Recorded"), v.T("le résultat et les gagnants d'ailleurs", "the result, and the winners elsewhere")
	case central.StepCounted:
		return v.T("Compté deux fois", "Counted twice"), v.T("gagnants et gains, par l'opérateur et par le contrôle : au centime près, les mêmes", "winners and gains, by the operator and by the control: the same to the cent")
	case central.StepApproved:
		return v.T("Approuvé", "Approved"), v.T("par une personne qui n'a pas enregistré le résultat", "by a person who did not record the result")
	case central.StepPaid:
		return v.T("Payé", "Paid"), v.T("les gains sont sur les comptes", "the gains are on the accounts")
	}
	return v.T("Publié", "Published"), v.T("l'avis est signé", "the notice is signed")
}

func paperWords(v *kit.Visit, kind string) string {
	switch kind {
	case central.DocManifest:
		return v.T("le scellé", "the seal")
	case central.DocSales:
		return v.T("le compte du contrôle", "the control's count")
	case central.DocResult:
		return v.T("le résultat", "the result")
	case central.DocOutside:
		return v.T("les gagnants d'ailleurs", "the winners elsewhere")
	case central.DocCount:
		return v.T("les gains, par l'opérateur", "the gains, by the operator")
	case central.DocControl:
		return v.T("les gains, par le contrôle", "the gains, by the control")
	}
	return v.T("l'avis", "the notice")
}

func paperPath(draw, kind string) string {
	return string(resultPath(url.PathEscape(draw))) + "/papers/" + kind
}

func leafPath(draw, leaf string) string {
	return string(resultPath(url.PathEscape(draw))) + "/proof/" + leaf
}

// unpublished is the refusal of what is known of a draw only once its notice is published.
func unpublished() *central.Refusal {
	return &central.Refusal{Code: central.NotFound, Reason: "draw.unpublished", Text: "No result of such a draw is published.", French: "Aucun résultat de ce tirage n’est publié."}
}

// paper sends a signed paper of a published draw, as it was signed.
func (s *site) paper(v *kit.Visit) error {
	kind := v.R.PathValue("kind")
	known := false
	for _, list := range papersOf {
		known = known || slices.Contains(list, kind)
	}
	if !known {
		return v.NotFound()
	}
	var text string
	err := v.View(func(snap central.Snapshot) error {
		d, err := kit.Get[*central.Draw](v.Context(), snap, central.Key{Table: central.Draws, S: v.R.PathValue("draw")})
		if err != nil || d == nil || d.State != string(drawing.Published) {
			return err
		}
		k := central.Key{Table: central.Docs, S: d.ID, U: kind}
		if versioned(kind) {
			k.N = d.Version
		}
		doc, err := kit.Get[*central.Doc](v.Context(), snap, k)
		if doc != nil {
			text = doc.Body
		}
		return err
	})
	if err != nil {
		return err
	}
	if text == "" {
		return unpublished()
	}
	return v.File("text/plain; charset=utf-8", v.R.PathValue("draw")+"-"+kind+".note", []byte(text))
}

// place proves that a step in the life of a draw stands in the log, without what its leaf says: that goes to the auditor.
type place struct {
	Step       string           `json:"step"`
	Node       int64            `json:"node"`
	Index      int64            `json:"index"`
	Hash       tlog.Hash        `json:"hash"` // of the leaf, base64
	Proof      tlog.RecordProof `json:"proof"`
	Checkpoint string           `json:"checkpoint"` // signed
}

// leafProof sends the proof of a step of a published draw.
func (s *site) leafProof(v *kit.Visit) error {
	var moments []central.Moment
	err := v.View(func(snap central.Snapshot) (err error) {
		moments, err = central.ReadStory(v.Context(), snap, v.R.PathValue("draw"))
		return err
	})
	if err != nil {
		return err
	}
	i := slices.IndexFunc(moments, func(m central.Moment) bool { return m.Leaf != "" && m.Leaf == v.R.PathValue("leaf") })
	if i < 0 {
		return v.NotFound()
	}
	var leaf *verify.Leaf
	if leaf, err = s.host.Logs.Leaf(v.Context(), moments[i].Node, moments[i].Index); err != nil {
		return err
	}
	if leaf == nil {
		return v.NotFound()
	}
	text, err := json.MarshalIndent(place{moments[i].Step, leaf.Node, leaf.Index, logbook.Hash(leaf.Salt, []byte(leaf.Body)), leaf.Proof, leaf.Checkpoint}, "", "  ")
	if err != nil {
		return err
	}
	return v.File("application/json", strings.Join([]string{"tirage", v.R.PathValue("draw"), moments[i].Step}, "-")+".json", append(text, '\n'))
}
