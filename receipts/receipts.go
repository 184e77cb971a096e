// Package receipts prints the receipt of a play: a document with everything that was bought, the leaf of the log that proves it, and a QR code that
// leads back to both.
//
//	doc, err := receipts.PDF(file, "https://example.org", receipts.French)
//
// The file that proves the play is the JSON of [verify.ReceiptFile]; the document is for people and names the hash of the same leaf.
package receipts

import (
	"encoding/hex"
	"fmt"
	"net/url"
	"strings"

	"rsc.io/qr"
	"tirage/internal/pdf"
	"tirage/logbook"
	"tirage/rules/money"
	"tirage/verify"
)

// Lang is the language of a receipt.
type Lang string

// Receipts are written in these languages.
const (
	French  Lang = "fr"
	English Lang = "en"
)

// words are the fixed words of a receipt.
type words struct {
	receipt, play, registered, stake, draw, rules, prizes, pack, shares, combinations, grids, quick, codes, to, log, leaf, check string
}

var texts = map[Lang]words{
	French: {
		"Reçu d’une prise de jeu", "Prise de jeu", "Enregistrée le", "Mise débitée", "Tirage", "Règlement de la vente", "Règlement des gains", "Pack", "Parts", "Combinaisons simples", "Grilles", "Système Flash",
		"Codes", "à", "Inscrit au registre", "Feuille",
		"Cette prise de jeu est irrévocable. Le fichier JSON du reçu prouve, avec la clé publique de l’opérateur seule, que cette feuille est dans le registre : la page /verify/ et le programme « verify » le contrôlent. " +
			"Le code QR mène à la prise de jeu et porte l’empreinte de la feuille.",
	},
	English: {
		"Receipt of a play", "Play", "Registered on", "Stake taken", "Draw", "Rules of the sale", "Rules of the gains", "Pack", "Shares", "Simple combinations", "Grids", "quick pick",
		"Codes", "to", "Entered in the log", "Leaf",
		"This play is irrevocable. The JSON file of the receipt proves, with the operator's public key alone, that this leaf is in the log: the page /verify/ and the program “verify” check it. " +
			"The QR code leads to the play and carries the hash of the leaf.",
	},
}

// Hash returns the hash of the leaf of a receipt, in hex.
func Hash(r *verify.ReceiptFile) string {
	h := logbook.Hash(r.Leaf.Salt, []byte(r.Leaf.Body))
	return hex.EncodeToString(h[:])
}

// Link is what the QR code of a receipt holds: the address of the play at the operator, with the hash of its leaf behind the #, which no browser sends.
func Link(r *verify.ReceiptFile, public string) string {
	draw := ""
	if len(r.Play.Draws) > 0 {
		draw = r.Play.Draws[0].Draw
	}
	return strings.TrimSuffix(public, "/") + "/plays/" + draw + "/" + r.Play.ID + "#" + Hash(r)
}

// ParseLink reads a link: a play and the hash of its leaf ("" where there is none). A play's number alone is one, too.
func ParseLink(text string) (play, hash string, err error) {
	u, err := url.Parse(strings.TrimSpace(text))
	if err != nil {
		return "", "", fmt.Errorf("no link of a receipt: accepted https://…/plays/DRAW/0-12#HASH, or 0-12")
	}
	play = u.Path[strings.LastIndexByte(u.Path, '/')+1:]
	var node, index int64
	if n, err := fmt.Sscanf(play, "%d-%d", &node, &index); n != 2 || err != nil || fmt.Sprintf("%d-%d", node, index) != play || node < 0 || index < 0 {
		return "", "", fmt.Errorf("no link of a receipt: accepted https://…/plays/DRAW/0-12#HASH, or 0-12")
	}
	return play, u.Fragment, nil
}

// Code is a QR code: a square of Size × Size dark and light fields, without its quiet zone.
type Code struct {
	Size int
	code *qr.Code
}

// QR makes the code of a text, with a quarter of it to spare for stains and folds.
func QR(text string) (*Code, error) {
	c, err := qr.Encode(text, qr.Q)
	if err != nil {
		return nil, fmt.Errorf("QR code: %w", err)
	}
	return &Code{c.Size, c}, nil
}

// Dark says whether a field is dark, column x and row y from the upper left.
func (c *Code) Dark(x, y int) bool { return c.code.Black(x, y) }

// Path is the dark fields as the data of an SVG path, of fields of size 1.
func (c *Code) Path() string {
	var b strings.Builder
	for y := range c.Size {
		for x := 0; x < c.Size; x++ {
			from := x
			for x < c.Size && c.Dark(x, y) {
				x++
			}
			if x > from {
				fmt.Fprintf(&b, "M%d %dh%dv1H%dz", from, y, x-from, from)
			}
		}
	}
	return b.String()
}

// PDF writes a receipt as a document of A4 pages; public is the address of the operator. The same receipt gives the same bytes.
func PDF(r *verify.ReceiptFile, public string, lang Lang) ([]byte, error) {
	w, ok := texts[lang]
	if !ok {
		return nil, fmt.Errorf("language %q: accepted %q and %q", lang, French, English)
	}
	code, err := QR(Link(r, public))
	if err != nil {
		return nil, err
	}
	p := pdf.New(w.receipt+" "+r.Play.ID, string(lang), r.Play.At.UTC().Format("2006-01-02"))
	p.Squares(code.Size, 42, code.Dark)
	p.Line(16, "B", w.receipt)
	p.Gap()
	p.Pair(w.play, r.Play.ID)
	p.Pair(w.registered, r.Play.At.UTC().Format("2006-01-02 15:04:05.000000 UTC"))
	p.Pair(w.stake, euros(r.Play.Cents, lang))
	p.Gap()
	p.Gap()
	p.Gap()
	for i := range r.Play.Draws {
		writeDraw(p, w, &r.Play.Draws[i], lang)
	}
	p.Line(12, "B", w.log)
	p.Pair(w.leaf, fmt.Sprintf("%d-%d", r.Leaf.Node, r.Leaf.Index))
	p.Code(Hash(r) + "\n\n" + r.Leaf.Checkpoint)
	p.Gap()
	p.Text(w.check)
	return p.Bytes()
}

// writeDraw writes what was bought for one draw.
func writeDraw(p *pdf.Page, w words, d *verify.DrawPlay, lang Lang) {
	p.Line(12, "B", w.draw+" "+d.Draw)
	p.Pair(w.stake, euros(d.Cents, lang))
	p.Pair(w.rules, d.Rules)
	p.Pair(w.prizes, d.PrizeRules)
	if d.Pack != "" {
		p.Pair(w.pack, d.Pack)
		p.Pair(w.shares, fmt.Sprintf("%d / %d × %s", d.Shares, d.PackShares, euros(d.SharePrice, lang)))
	}
	p.Pair(w.combinations, fmt.Sprint(d.Combinations))
	for _, a := range d.AddOns {
		p.Pair(a.Game, strings.TrimSpace(a.Number+" "+euros(a.Cents, lang)))
	}
	grids := make([]string, len(d.Grids))
	for i, g := range d.Grids {
		grids[i] = g.Grid
		if g.Quick {
			grids[i] += " (" + w.quick + ")"
		}
	}
	p.Text(w.grids + ": " + strings.Join(grids, "; "))
	for _, run := range d.Codes {
		list := run.First
		switch {
		case len(run.All) > 0:
			list = strings.Join(run.All, ", ")
		case run.Count > 1:
			list += " " + w.to + " " + run.Last
		}
		p.Text(fmt.Sprintf("%s %s (%d): %s", w.codes, run.Series, run.Count, list))
	}
	p.Gap()
}

func euros(cents int64, lang Lang) string {
	if lang == French {
		// The fonts of the document have one no-break space and one hyphen.
		return strings.NewReplacer("\u202f", "\u00a0", "\u2212", "-").Replace(money.Cents(cents).French())
	}
	return "€" + money.Cents(cents).String()
}
