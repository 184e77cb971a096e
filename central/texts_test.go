package central

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"tirage/rules/money"
)

var verb = regexp.MustCompile(`%(\[(\d+)\])?[^%]`)

// Every reason for which the code refuses has a French and an English text, which name no more than each occasion gives; and no text is left over.
func TestEveryReasonHasTexts(t *testing.T) {
	used := map[string]bool{}
	for _, o := range occasions(t) {
		used[o.reason] = true
		texts, ok := catalogue[o.reason]
		if !ok || texts.fr == "" || texts.en == "" || texts.fr == texts.en {
			t.Errorf("%s: reason %s has the texts %q and %q", o.at, o.reason, texts.fr, texts.en)
		}
		for _, text := range []string{texts.fr, texts.en} {
			for _, v := range verb.FindAllStringSubmatch(text, -1) {
				if n, err := strconv.Atoi(v[2]); err != nil || n > o.args {
					t.Errorf("%s: %s of %q: the occasion gives %d arguments", o.at, v[0], text, o.args)
				}
			}
		}
	}
	for reason := range catalogue {
		if !used[reason] {
			t.Errorf("no code refuses for %s", reason)
		}
	}
	t.Logf("%d reasons", len(used))
}

// occasion is a call of refuse.
type occasion struct {
	at, reason string
	args       int // that fill the text
}

func occasions(t *testing.T) (list []occasion) {
	t.Helper()
	names, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	set := token.NewFileSet()
	var files []*ast.File
	for _, n := range names {
		if strings.HasSuffix(n.Name(), ".go") && !strings.HasSuffix(n.Name(), "_test.go") {
			f, err := parser.ParseFile(set, n.Name(), nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, f)
		}
	}
	consts := map[string]ast.Expr{}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			if s, ok := n.(*ast.ValueSpec); ok && len(s.Names) == 1 && len(s.Values) == 1 {
				consts[s.Names[0].Name] = s.Values[0]
			}
			return true
		})
	}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			if name, ok := call.Fun.(*ast.Ident); !ok || name.Name != "refuse" {
				return true
			}
			at := set.Position(call.Pos()).String()
			reason := call.Args[1]
			if name, ok := reason.(*ast.Ident); ok {
				reason = consts[name.Name]
			}
			lit, ok := reason.(*ast.BasicLit)
			if !ok {
				t.Errorf("%s: the reason is no constant", at)
				return true
			}
			text, err := strconv.Unquote(lit.Value)
			if err != nil {
				t.Error(err)
			}
			list = append(list, occasion{at, text, len(call.Args) - 4})
			return true
		})
	}
	return list
}

func TestRefusalIn(t *testing.T) {
	r := refuse(Forbidden, "limit.stake", "", "%v %v %v", money.Cents(220), money.Cents(60), money.Cents(123_456))
	if got, want := r.In("fr"), "Cette mise de 2,20\u00a0€ dépasse les 0,60\u00a0€ qui restent de votre limite de 1\u202f234,56\u00a0€ sur sept jours. Rien n’est débité."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := r.In("en"), "This stake of €2.20 is above the €0.60 left of your limit of €1,234.56 over seven days. Nothing is debited."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	r = refuse(Forbidden, "player.excluded", "", "%v", moment(1_585_443_600_000_000))
	if got, want := r.In("fr"), "Vous êtes exclu du jeu jusqu’au 29/03/2020 à 03:00:00, à votre demande. Rien n’est débité."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := r.In("de"), "You are excluded from play until 29 March 2020 at 03:00:00, as you asked. Nothing is debited."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	r = refuse(Closed, "round.not_on_sale", "", "from tomorrow on")
	r.French = "à partir de demain"
	if r.In("fr") != r.French || r.In("en") != r.Text {
		t.Errorf("%q and %q", r.In("fr"), r.In("en"))
	}
}

// Messages have their words in both languages, name nothing that they do not know, and neither praise a gain nor urge anybody to play (R4).
func TestLetters(t *testing.T) {
	known := regexp.MustCompile(`\{(amount|draw|play|of|until|game|round|payment|subscription|why)\}`)
	tone := regexp.MustCompile(`(?i)bravo|félicit|chance|rejou|gagnez|tentez|profitez|congrat|luck|again|try|well done|!`)
	for kind, l := range letters {
		if l.fr == l.en || l.fr.subject == "" || l.fr.text == "" || l.en.subject == "" || l.en.text == "" {
			t.Errorf("%s says %q and %q", kind, l.fr, l.en)
		}
		for _, text := range []string{l.fr.subject, l.fr.text, l.en.subject, l.en.text} {
			if left := known.ReplaceAllString(text, ""); strings.ContainsAny(left, "{}%") {
				t.Errorf("%s: %q names what it does not know", kind, text)
			}
			if found := tone.FindString(text); found != "" {
				t.Errorf("%s: %q in %q", kind, found, text)
			}
		}
		for _, lang := range []string{French, English} {
			m := Message{Kind: kind, Facts: `{"draw":"?","of":"stakes"}`}
			if subject, text, err := m.In(lang); err != nil || subject == "" || text == "" {
				t.Errorf("%s without facts: %q, %q, %v", kind, subject, text, err)
			}
		}
	}
	for _, bad := range []Message{{Kind: "none", Facts: "{}"}, {Kind: MessageGain, Facts: "{"}} {
		if _, _, err := bad.In(French); err == nil {
			t.Errorf("%+v has words", bad)
		}
	}
}
