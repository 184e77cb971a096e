package tower

import (
	"fmt"
	"net/http"

	"tirage/central"
	"tirage/fairness/replay"
	"tirage/web/kit"
)

// historyPage is how many rounds a page of the history lists.
const historyPage = 20

// historyRow is a round in the list.
type historyRow struct {
	*central.PastRound
	words string
}

// history lists the player's rounds, the latest first.
func (t *tower) history(v *kit.Visit) error {
	var before central.RoundID
	if text := v.Form("before"); text != "" && before.UnmarshalText([]byte(text)) != nil {
		return unknownRound
	}
	var list []historyRow
	err := v.View(func(snap central.Snapshot) error {
		rounds, err := central.RoundHistory(v.Context(), snap, Game, v.Caller.Player, before, historyPage)
		for _, r := range rounds {
			list = append(list, historyRow{r, outcome(v, &r.Round)})
		}
		return err
	})
	if err != nil {
		return err
	}
	next := ""
	if len(list) == historyPage {
		next = list[len(list)-1].Round.Round.String()
	}
	s := &scene{Visit: v}
	return v.Show(s.frame(v.T("Mes parties", "My rounds"), ""), historyBody(v, list, next))
}

// outcome says in a few words what became of a round.
func outcome(v *kit.Visit, r *central.RoundState) string {
	switch r.State {
	case replay.Open:
		return v.T("ouverte", "open")
	case replay.Lost:
		return v.F("tombée au palier %d", "fell at level %d", r.Level+1)
	case replay.Refunded:
		return v.T("remboursée", "refunded")
	case replay.Blocked:
		return v.T("en cours d'examen", "under review")
	}
	switch r.EndedBy {
	case central.EndedByTop:
		return v.T("gagnée, dernier palier", "won, last level")
	case central.EndedByDelay:
		return v.F("close au palier %d", "closed at level %d", r.Level)
	}
	return v.F("arrêtée au palier %d", "stopped at level %d", r.Level)
}

// past shows one round again, series by series, and what proves it. Nothing of it is drawn anew.
func (t *tower) past(v *kit.Visit) error {
	p, err := t.read(v, v.R.PathValue("round"))
	if err != nil {
		return err
	}
	s := &scene{Visit: v, play: p, offer: &central.Offer{Game: Game}}
	return v.Show(s.frame(v.F("Partie %s", "Round %s", p.id), "past.js"), pastPage(s))
}

// file answers with the round as the file that `tirage verify round` computes again.
func (t *tower) file(w http.ResponseWriter, r *http.Request) {
	t.ui.Player(func(v *kit.Visit) error { return t.writeFile(v, w) })(w, r)
}

func (t *tower) writeFile(v *kit.Visit, w http.ResponseWriter) error {
	var id central.RoundID
	if id.UnmarshalText([]byte(v.R.PathValue("round"))) != nil {
		return unknownRound
	}
	var text []byte
	err := v.View(func(snap central.Snapshot) error {
		file, err := central.ExportRound(v.Context(), snap, Game, v.Caller.Player, id)
		if err == nil {
			text, err = central.FormatRound(file)
		}
		return err
	})
	if err != nil {
		return err
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", "round-"+id.String()+".json"))
	h.Set("Cache-Control", "no-store")
	_, _ = w.Write(text) // who is gone needs no answer
	return nil
}

// shownSeries is a series as the page of a past round draws and checks it.
type shownSeries struct {
	N            int           `json:"n"`
	Commitment   string        `json:"commitment"`
	Contribution string        `json:"contribution"`
	Secret       string        `json:"secret"`
	Items        []replay.Item `json:"items"`
	Drop         *drop         `json:"drop"`
}

// slotSpec says what an integer means for one item of a level, as [ladder.Step] reads it.
type slotSpec struct {
	Stable  [2]int64 `json:"stable"` // numerator, denominator
	Star    [2]int64 `json:"star"`
	Kinds   []string `json:"kinds"`
	Weights []int64  `json:"weights"`
	Values  []int64  `json:"values"`
}

// proofData is what a script needs to draw the round and to compute it again: the rulebook's figures and what was published.
func (s *scene) proofData() string {
	data := struct {
		Round  string        `json:"round"` // 32 digits
		Name   string        `json:"name"`
		Series []shownSeries `json:"series"`
		Slots  [][]slotSpec  `json:"slots"` // of each series, item by item
		Stars  int           `json:"stars"` // that the gauge holds
		Texts  any           `json:"texts"`
	}{Round: hexText(roundBytes(s.id)), Name: s.id, Stars: s.rules.stars(), Slots: s.slots(), Texts: map[string]string{
		"ok":      s.T("Recalculé ici : identique.", "Computed again here: identical."),
		"seen":    s.T("L'engagement est celui que cet appareil a vu avant la décision.", "The commitment is the one that this device saw before the decision."),
		"unseen":  s.T("Cet appareil n'a pas gardé l'engagement montré avant la décision.", "This device has not kept the commitment shown before the decision."),
		"other":   s.T("L'engagement n'est pas celui que cet appareil a vu avant la décision.", "The commitment is not the one that this device saw before the decision."),
		"opens":   s.T("Le secret n'ouvre pas l'engagement.", "The secret does not open the commitment."),
		"differs": s.T("Le calcul donne d'autres donuts.", "The computation gives other donuts."),
	}}
	for i, one := range s.series {
		data.Series = append(data.Series, shownSeries{one.N, hexText(one.Commitment), hexText(one.Contribution), hexText(one.Secret), one.Items, s.dropOf(i)})
	}
	return asJSON(data)
}

// slots tells the figures of the rulebook that decide each item of the series that were drawn.
func (s *scene) slots() [][]slotSpec {
	r := s.rules.table.Rules()
	var list [][]slotSpec
	for i := range s.series {
		l := r.Levels[i]
		var slots []slotSpec
		for k := range l.Items {
			spec := slotSpec{Stable: [2]int64{l.Stable.Num, l.Stable.Den}, Star: [2]int64{l.Star.Num, l.Star.Den}}
			for n, kind := range r.Kinds {
				spec.Kinds, spec.Weights, spec.Values = append(spec.Kinds, kind.Name), append(spec.Weights, kind.Weight), append(spec.Values, int64(l.Values[n]))
			}
			if i == 0 && k == 0 && r.First != nil {
				if r.First.Certain {
					spec.Stable = [2]int64{1, 1}
				}
				if r.First.Value > 0 {
					spec.Kinds, spec.Weights, spec.Values = []string{""}, []int64{1}, []int64{int64(r.First.Value)}
				}
			}
			slots = append(slots, spec)
		}
		list = append(list, slots)
	}
	return list
}

// roundBytes is the number under which the series of a round are proved.
func roundBytes(name string) []byte {
	var id central.RoundID
	if id.UnmarshalText([]byte(name)) != nil {
		return nil // it was read under that name
	}
	b := id.Bytes()
	return b[:]
}
