package site

import (
	"math/big"
	"time"

	"tirage/rules/money"
	"tirage/web/kit"
)

// showKit is the page of the design system: every component with its states.
func (s *site) showKit(v *kit.Visit) error {
	p := page(v.T("Le nuancier", "The design system"), "", "")
	p.Styles = append(p.Styles, assets.Path("swatches.css"))
	return v.Show(p, kitPage(v))
}

// swatch is an ink or a paper.
type swatch struct{ token, fr, en string }

var swatches = []swatch{
	{"paper", "page", "page"}, {"sheet", "feuille", "sheet"}, {"sunk", "creux", "well"}, {"blotter", "buvard", "blotter"}, {"ink", "encre", "ink"}, {"ink-2", "encre 2", "ink 2"},
	{"rule", "filet", "rule"}, {"rule-2", "bordure", "edge"}, {"primary", "action", "action"}, {"loto-flat", "Loto", "Loto"}, {"em-flat", "Euro Millions", "Euro Millions"},
	{"pack-flat", "réserve", "reserve"}, {"donut-flat", "Donuts, Chance", "Donuts, Chance"}, {"ok-tint", "accord", "agreement"}, {"warn-tint", "attention", "attention"},
	{"bad-tint", "erreur", "error"},
}

// sample is a figure as the pages write it.
type sample struct{ fr, en, text string }

func samples(v *kit.Visit) []sample {
	at := time.Date(2020, 6, 24, 18, 15, 0, 0, time.UTC)
	return []sample{
		{"Montant", "Amount", v.Money(132_000)}, {"Grand montant", "Large amount", v.Whole(200_000_000)}, {"Très grand, en liste", "Very large, in lists", v.Short(5_100_000_000)},
		{"Débit", "Debit", v.Signed(-1_320)}, {"Crédit", "Credit", v.Signed(800)}, {"Chance", "Odds", v.Odds(big.NewRat(1, 19_068_840), 2)},
		{"Part de cent", "Percentage", v.Percent(big.NewRat(624, 1_000), 2)}, {"Date, heure", "Date, time", v.DateTime(at)}, {"Jour", "Day", v.Date(at)},
		{"Durée", "Time left", v.Left(8_027 * time.Second)}, {"Code", "Code", "V 8391 0401"},
	}
}

// sampleStock are packs from the first day to the last.
func sampleStock(total, sold, mine, want int64, id string) kit.Planche {
	return kit.Planche{ID: id, Total: total, Sold: sold, Mine: mine, Want: want}
}

const samplePrice money.Cents = 660

func lifeSample(v *kit.Visit) []kit.Step {
	done, here := v.T("fait", "done"), v.T("en cours", "now")
	return []kit.Step{
		{Name: v.T("Ouvert", "Open"), When: v.T("lun. 22 juin", "Mon 22 June"), State: "done", Said: done},
		{Name: v.T("Clos", "Closed"), When: v.T("à l'instant", "just now"), State: "here", Said: here},
		{Name: v.T("Scellé", "Sealed")}, {Name: v.T("Recompté", "Counted again")}, {Name: v.T("Tiré", "Drawn")}, {Name: v.T("Réglé", "Paid")}, {Name: v.T("Publié", "Published")},
	}
}
