package site_test

import (
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"

	"tirage/central"
	"tirage/demo"
	"tirage/internal/covers"
	"tirage/rules/money"
	"tirage/verify"
)

var (
	inline  = regexp.MustCompile(`<script(?:\s[^>]*)?>[^<]|\sstyle="|\son[a-z]+="|javascript:`)
	heading = regexp.MustCompile(`<h1[\s>]`)
	outside = regexp.MustCompile(`(?:src|href)="(?:https?:)?//`)
)

// Every page has one heading, its language, a policy, nothing inline and nothing from elsewhere, in both languages.
func TestPages(t *testing.T) {
	h := open(t)
	draw, kind := h.pack(1)
	public := []string{"/", "/packs", "/packs/" + draw + "/" + kind, "/play/loto", "/play/euromillions", "/results", "/odds", "/rules", "/rules/loto@2018-10-29", "/kit", "/login", "/register"}
	own := []string{"/account", "/account/deposit", "/account/withdraw", "/account/statement", "/account/limits", "/account/pause", "/account/inbox", "/account/sessions", "/plays",
		"/packs/" + draw + "/" + kind + "/recap?shares=1"}
	stranger, player := h.visitor(), h.player(demo.Players()[0].Name)
	look := func(v *visitor, path, lang string) {
		p := v.get(path)
		switch {
		case p.status != 200:
			t.Errorf("%s: %d: %.600s", path, p.status, p.body)
		case !strings.Contains(p.body, `<html lang="`+lang+`"`) || p.header.Get("Content-Language") != lang:
			t.Errorf("%s is not in %s", path, lang)
		case len(heading.FindAllString(p.body, -1)) != 1:
			t.Errorf("%s has %d headings of the first level", path, len(heading.FindAllString(p.body, -1)))
		case inline.MatchString(p.body):
			t.Errorf("%s holds something inline: %s", path, inline.FindString(p.body))
		case outside.MatchString(p.body):
			t.Errorf("%s takes something from elsewhere: %s", path, outside.FindString(p.body))
		case !strings.Contains(p.header.Get("Content-Security-Policy"), "default-src 'none'; script-src 'self'"):
			t.Errorf("%s has the policy %q", path, p.header.Get("Content-Security-Policy"))
		}
	}
	for _, lang := range []string{"fr", "en"} {
		stranger.get("/choose?lang=" + lang)
		player.get("/choose?lang=" + lang)
		for _, path := range public {
			look(stranger, path, lang)
			look(player, path, lang)
		}
		for _, path := range own {
			look(player, path, lang)
		}
	}
	for _, path := range own {
		if p := stranger.get(path); !strings.HasPrefix(p.path, "/login?next=") {
			t.Errorf("a visitor who asks for %s is led to %s", path, p.path)
		}
	}
	for _, path := range []string{"/nothing", "/packs/loto-2018-10-29/none", "/results/loto-1999-01-01", "/rules/none", "/play/none"} {
		if p := stranger.get(path); p.status != 404 || len(heading.FindAllString(p.body, -1)) != 1 {
			t.Errorf("%s: %d", path, p.status)
		}
	}
}

// An order from the choice to the history: what must be shown before, the recap, « Modifier », the debit, the contents.
func TestAnOrderOfShares(t *testing.T) {
	covers.Covers(t, "P36", "P37", "P38", "P41", "P42")
	h := open(t)
	draw, kind := h.pack(2)
	v := h.player(demo.Players()[1].Name)
	choice := v.get("/packs/" + draw + "/" + kind)
	for _, item := range []string{"pack.type", "pack.combinations", "pack.codes.", "pack.multiples", "pack.shares", "pack.share_price", "pack.formulas"} {
		if !strings.Contains(choice.body, `data-item="`+item) {
			t.Errorf("before the choice nothing says %s", item)
		}
	}
	v.says(choice, "L’arrondi, sans surprise", "Fonds de Réserve", "Rien n’est débité à cette étape")
	recap := v.get("/packs/" + draw + "/" + kind + "/recap?shares=2")
	for _, item := range []string{"pack.type", "pack.combinations", "pack.codes.", "pack.multiples", "shares", "draw.day", "cents"} {
		if !strings.Contains(recap.body, `data-item="`+item) {
			t.Errorf("the recap does not say %s", item)
		}
	}
	v.says(recap, "seront débités de vos disponibilités (solde ", "La confirmation est irrévocable", "Vérifiez votre jeu avant de le valider", "Modifier")

	// « Modifier » keeps what was chosen and debits nothing.
	before := h.stakes()
	back := v.post("/modify", url.Values{"key": {v.field(recap, "key")}, "quote": {v.field(recap, "quote")}, "back": {v.field(recap, "back")}})
	if !strings.HasPrefix(back.path, "/packs/"+draw+"/"+kind+"?shares=2") || !regexp.MustCompile(`value="2"[^>]*checked`).MatchString(back.body) {
		t.Errorf("« Modifier » leads to %s", back.path)
	}
	late := v.post("/confirm", url.Values{"key": {"late-0001"}, "quote": {v.field(recap, "quote")}, "back": {v.field(recap, "back")}})
	if late.status != 409 {
		t.Errorf("a recap that was changed is confirmed in another tab: %d %s", late.status, late.path)
	}
	v.says(late, "Rien n’est débité")
	if after := h.stakes(); after != before {
		t.Errorf("« Modifier » moved money: %v, before %v", after, before)
	}

	// Confirmed twice in two tabs and pressed ten times: one debit, the same receipt.
	recap = v.get("/packs/" + draw + "/" + kind + "/recap?shares=2")
	form := url.Values{"key": {v.field(recap, "key")}, "quote": {v.field(recap, "quote")}, "back": {v.field(recap, "back")}}
	receipts := make([]string, 10)
	var pressing sync.WaitGroup
	for i := range receipts {
		pressing.Go(func() { receipts[i] = v.post("/confirm", form).path })
	}
	pressing.Wait()
	form.Set("key", "another-tab-1")
	receipts = append(receipts, v.post("/confirm", form).path)
	for _, r := range receipts {
		if r != receipts[0] || !strings.HasPrefix(r, "/plays/"+draw+"/") {
			t.Errorf("receipts at %v", receipts)
			break
		}
	}
	if after := h.stakes(); after-before != 2*h.share(draw, kind) {
		t.Errorf("%v debited, want two shares at %v", after-before, h.share(draw, kind))
	}
	receipt := v.get(receipts[0])
	v.says(receipt, "C’est enregistré", "Les 10 grilles", "jusqu’à", "2 sur ")
	v.says(v.get("/plays"), "2 parts")

	// The proof that is offered verifies with the public key alone; the document is one; nobody else gets either.
	keys, err := verify.Keys(h.keys.Public(central.RoleLog))
	if err != nil {
		t.Fatal(err)
	}
	path, _, _ := strings.Cut(receipts[0], "?")
	if report := verify.Receipt([]byte(v.get(path+"/receipt.json").body), keys); !report.OK() || !strings.HasSuffix(path, "/"+report.What) {
		t.Errorf("the proof of %s: %+v", path, report)
	}
	if doc := v.get(path + "/receipt.pdf"); !strings.HasPrefix(doc.body, "%PDF-") {
		t.Errorf("the document: %d %.20q", doc.status, doc.body)
	}
	for _, file := range []string{"", "/receipt.json", "/receipt.pdf"} {
		if p := h.player(demo.Players()[0].Name).get(path + file); p.status != 404 {
			t.Errorf("another player gets %s: %d", path+file, p.status)
		}
	}
}

// stakes adds up all stakes of all draws.
func (h *house) stakes() (sum money.Cents) {
	h.Helper()
	h.view(func(snap central.Snapshot) error {
		return snap.Scan(h.Context(), central.Range{From: central.Key{Table: central.Accounts}}, func(r central.Row) error {
			if a := r.(*central.AccountRow); strings.HasPrefix(a.Name, "stakes/") {
				sum += a.Balance
			}
			return nil
		})
	})
	return sum
}

// share is the price of a share.
func (h *house) share(draw, kind string) (cents money.Cents) {
	h.Helper()
	h.view(func(snap central.Snapshot) error {
		row, err := snap.Get(h.Context(), central.Key{Table: central.PackTypes, S: draw, U: kind})
		if err == nil {
			cents = row.(*central.PackType).SharePrice
		}
		return err
	})
	return cents
}

// A form of another site is refused, and so is one without its key.
func TestFormsOfOthers(t *testing.T) {
	h := open(t)
	v := h.player(demo.Players()[0].Name)
	if p := v.post("/account/pause", url.Values{"sure": {"1"}, "hours": {"24"}}); p.status != 422 {
		t.Errorf("a form without its key: %d", p.status)
	}
	v.says(v.post("/account/deposit", url.Values{"key": {v.get("/account").path}, "amount": {"1e9"}}), "Montant accepté")
	if p := v.post("/login", url.Values{"email": {"nobody@example.org"}, "password": {"wrong wrong"}, "next": {"//evil.example"}}); p.status != 200 && p.status != 422 {
		t.Errorf("a wrong password: %d", p.status)
	}
}

// A player takes their own statement in each form; what cannot be is said in words, and a stranger gets none.
func TestOwnStatementAsAFile(t *testing.T) {
	h := open(t)
	player := h.player(demo.Players()[0].Name)
	for format, starts := range map[string]string{"csv": "number,at,of,account,amount_eur,balance_eur\n1,", "xlsx": "PK", "pdf": "%PDF-1.", "json": `{"name":"statement"`} {
		p := player.get("/account/statement/export?format=" + format)
		if p.status != 200 || !strings.HasPrefix(p.body, starts) || !strings.Contains(p.header.Get("Content-Disposition"), "statement-") || p.header.Get("Cache-Control") != "private, no-store" {
			t.Errorf("%s: %d %.60q %v", format, p.status, p.body, p.header)
		}
	}
	for _, q := range []string{"format=docx", "format=csv&from=hier", "format=csv&from=2020-06-22&to=2020-06-21"} {
		if p := player.get("/account/statement/export?" + q); p.status != 422 || !strings.Contains(p.body, "<html") {
			t.Errorf("%s: %d %.100s", q, p.status, p.body)
		}
	}
	if p := h.visitor().get("/account/statement/export?format=csv"); !strings.HasPrefix(p.path, "/login?next=") {
		t.Errorf("a stranger is led to %s", p.path)
	}
}
