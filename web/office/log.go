package office

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"sort"
	"strconv"
	"time"

	"tirage/central"
	"tirage/games"
	"tirage/logbook"
	"tirage/rules/rulebook"
	"tirage/verify"
	"tirage/web/kit"
)

// entriesPage is how many entries of a log stand on a page; checkWithin bounds a check of the books, whose page must be answered.
const (
	entriesPage = 50
	checkWithin = 45 * time.Second
)

// logEntry is one leaf of a log in a list.
type logEntry struct {
	Index           int64
	At              time.Time
	Kind, Principal string
}

// logPage is what the audit browser shows.
type logPage struct {
	Writers []*central.Writer
	Node    int64
	From    int64 // index of the first entry shown
	Entries []logEntry
	More    bool

	Checked bool // the books were checked now …
	Wrong   string
	Took    time.Duration
}

// log lists the logs of all writers, and the entries of one, the latest first unless one asks from an index on.
func (o *office) log(v *kit.Visit) error {
	l, err := o.readLog(v)
	if err != nil {
		return err
	}
	return v.Show(page(v.T("Journal et preuves", "Log and proofs"), "log"), logView(v, l))
}

func (o *office) readLog(v *kit.Visit) (*logPage, error) {
	l := &logPage{}
	l.Node, _ = strconv.ParseInt(v.Form("node"), 10, 64)
	err := v.View(func(snap central.Snapshot) error {
		err := snap.Scan(v.Context(), central.Range{From: central.Key{Table: central.Writers}}, func(r central.Row) error {
			l.Writers = append(l.Writers, r.(*central.Writer))
			return nil
		})
		if err != nil {
			return err
		}
		i := sort.Search(len(l.Writers), func(i int) bool { return l.Writers[i].Node >= l.Node })
		if i == len(l.Writers) || l.Writers[i].Node != l.Node {
			return nil
		}
		if l.From, err = strconv.ParseInt(v.Form("from"), 10, 64); err != nil || l.From < 0 {
			l.From = max(0, l.Writers[i].Size-entriesPage)
		}
		at := central.Range{From: central.Key{Table: central.Leaves, N: l.Node, M: l.From - 1}, Prefix: 1, After: true, Limit: entriesPage}
		err = snap.Scan(v.Context(), at, func(r central.Row) error {
			leaf := r.(*central.LeafRow)
			head, err := logbook.ParseHead(leaf.Body)
			if err == nil {
				l.Entries = append(l.Entries, logEntry{leaf.Index, time.UnixMicro(head.At), head.Kind, head.Principal})
			}
			return err
		})
		l.More = l.From+int64(len(l.Entries)) < l.Writers[i].Size
		return err
	})
	return l, err
}

// checkBooks verifies every invariant of the books now ([central.CheckBooks]), one check at a time.
func (o *office) checkBooks(v *kit.Visit) error {
	l, err := o.readLog(v)
	if err != nil {
		return err
	}
	if !o.checking.TryLock() {
		l.Checked, l.Wrong = true, v.T("Une vérification est déjà en cours. Réessayez dans un instant.", "A check is running already. Try again in a moment.")
		return v.Status(http.StatusConflict).Show(page(v.T("Journal et preuves", "Log and proofs"), "log"), logView(v, l))
	}
	defer o.checking.Unlock()
	ctx, cancel := context.WithTimeout(v.Context(), checkWithin)
	defer cancel()
	err = central.CheckBooks(ctx, o.host.Store)
	l.Checked, l.Took = true, o.host.Clock.Now().Sub(v.Now)
	switch {
	case ctx.Err() != nil:
		l.Wrong = v.T("La vérification a été arrêtée : les livres sont trop grands pour une page. Rien n'a été trouvé jusque-là.", "The check was stopped: the books are too large for a page. Nothing was found until then.")
	case err != nil:
		l.Wrong = err.Error()
	}
	return v.Show(page(v.T("Journal et preuves", "Log and proofs"), "log"), logView(v, l))
}

// leafPage is one leaf with its proof, recomputed now.
type leafPage struct {
	*verify.Leaf
	Head  *logbook.Leaf
	Hash  string
	Body  string // laid out
	Wrong string
}

// leaf shows a leaf whole, with its hash, the checkpoint and the way from the one to the other worked out on the server when the page is asked for.
func (o *office) leaf(v *kit.Visit) error {
	node, err1 := strconv.ParseInt(v.R.PathValue("node"), 10, 64)
	index, err2 := strconv.ParseInt(v.R.PathValue("index"), 10, 64)
	if err1 != nil || err2 != nil {
		return v.NotFound()
	}
	l := &leafPage{}
	leaf, err := o.host.Logs.Leaf(v.Context(), node, index)
	switch {
	case leaf == nil && err == nil:
		return v.NotFound()
	case leaf == nil:
		return err
	case err != nil:
		l.Wrong = err.Error()
	}
	l.Leaf, l.Hash = leaf, logbook.Hash(leaf.Salt, []byte(leaf.Body)).String()
	if l.Head, _, err = logbook.ParseLeaf([]byte(leaf.Body)); err != nil {
		return err
	}
	var b bytes.Buffer
	if err := json.Indent(&b, []byte(leaf.Body), "", "  "); err != nil {
		return err
	}
	l.Body = b.String()
	return v.Show(page(v.T("Feuille", "Leaf")+" "+strconv.FormatInt(node, 10)+"-"+strconv.FormatInt(index, 10), "log"), leafView(v, l))
}

// rulesPage is two versions of a rulebook side by side.
type rulesPage struct {
	Versions []string // of all games
	A, B     *rulebook.Rulebook
	All      bool
	Rows     []ruleRow
}

// ruleRow is a value as both versions have it; a version without it has an empty one.
type ruleRow struct {
	Path string
	A, B rulebook.Fact
}

func (r ruleRow) differs() bool { return r.A.Value != r.B.Value || r.A.Unit != r.B.Unit }

// rules shows the versions of the rulebooks, and what two of them have differently: each value with its article and how well it is known.
func (o *office) rules(v *kit.Visit) error {
	p := &rulesPage{All: v.Form("all") != ""}
	for _, book := range games.All() {
		p.Versions = append(p.Versions, book.Header.Version())
	}
	a, b := v.Form("a"), v.Form("b")
	if a == "" {
		versions, err := games.Versions("loto")
		if err != nil {
			return err
		}
		a, b = versions[max(0, len(versions)-2)].Header.Version(), versions[len(versions)-1].Header.Version()
	}
	var err error
	if p.A, err = games.Version(a); err != nil {
		return v.NotFound()
	}
	if p.B, err = games.Version(b); err != nil {
		return v.NotFound()
	}
	at := map[string]int{}
	for _, f := range p.A.Facts {
		at[f.Path] = len(p.Rows)
		p.Rows = append(p.Rows, ruleRow{Path: f.Path, A: f})
	}
	for _, f := range p.B.Facts {
		if i, ok := at[f.Path]; ok {
			p.Rows[i].B = f
		} else {
			p.Rows = append(p.Rows, ruleRow{Path: f.Path, B: f})
		}
	}
	if !p.All {
		var rows []ruleRow
		for _, r := range p.Rows {
			if r.differs() {
				rows = append(rows, r)
			}
		}
		p.Rows = rows
	}
	return v.Show(page(v.T("Règlements", "Rulebooks"), "rules"), rulesView(v, p))
}

// knownWords says how well a value is known.
func knownWords(v *kit.Visit, f rulebook.Fact) string {
	words := map[rulebook.Confidence][2]string{
		"text": {"texte", "text"}, "verified": {"vérifié", "verified"}, "press": {"presse", "press"}, "inferred": {"déduit", "inferred"}, "assumed": {"supposé", "assumed"},
	}
	w, ok := words[f.Confidence]
	if !ok {
		return string(f.Confidence)
	}
	return v.T(w[0], w[1])
}

// articleWords names the article of a value.
func articleWords(v *kit.Visit, f rulebook.Fact) string {
	if f.Article == "" {
		return v.T("aucun article", "no article")
	}
	return f.Article
}

// changeStaff gives a member of the staff another role or ends the account: an admin does, never their own, and says why.
func (o *office) changeStaff(c func(v *kit.Visit, name string) central.Command) kit.Handler {
	return func(v *kit.Visit) error {
		err := v.Do(c(v, v.R.PathValue("name")), nil)
		if err == nil {
			return v.Go(Path + "staff")
		}
		r := kit.Refused(err)
		if r == nil {
			return err
		}
		return o.showStaff(v.Status(http.StatusConflict), v.Said(r))
	}
}

func setRole(v *kit.Visit, name string) central.Command {
	return central.SetStaffRole{Name: name, Role: v.Form("role"), Why: v.Form("why")}
}

func endStaff(v *kit.Visit, name string) central.Command {
	return central.EndStaff{Name: name, Why: v.Form("why")}
}
