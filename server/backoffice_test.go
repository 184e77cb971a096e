package server_test

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"tirage/demo"
	"tirage/exports"
	"tirage/server"
	"tirage/store/sql"
	"tirage/vault"
	"tirage/web/office"
	"tirage/web/webtest"
)

// lived starts a server on an operator with a past.
func lived(t *testing.T) *running {
	t.Helper()
	dir := t.TempDir()
	store, err := sql.OpenSQLite(t.Context(), filepath.Join(dir, "tirage.db"))
	if err != nil {
		t.Fatal(err)
	}
	keys, err := vault.Open(filepath.Join(dir, "keys"), vault.SystemEntropy{})
	if err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(dir, "banlist.txt")
	if err := os.WriteFile(list, []byte("tirage-banlist 1\nend 0\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := demo.Seed(t.Context(), demo.Config{Store: store, Keys: keys, BanList: list, Now: time.Now()}); err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	return start(t, dir, func(c *server.Config) { c.Games, c.Packs, c.Elsewhere = demo.Games, demo.Packs, demo.Elsewhere })
}

func (r *running) as(name string) *person {
	r.Helper()
	return r.entersWith(name, demo.Password)
}

// Player care finds a player by name, by a play and by what a QR code holds; the auditor verifies a leaf and all books; an admin gives a role, never their own;
// two versions of a rulebook stand side by side. Who may not see a page does not.
func TestBackOfficeOfAPast(t *testing.T) {
	r := lived(t)
	defer r.end()
	care, auditor, admin := r.as("care"), r.as("auditor"), r.as("admin")

	_, text := care.get("/office/players?q=" + url.QueryEscape("a"))
	link := regexp.MustCompile(`href="(/office/players/[0-9]+)"`).FindStringSubmatch(text)
	if link == nil {
		t.Fatal("nobody has an a in their name")
	}
	play, owner := "", ""
	for _, m := range regexp.MustCompile(`href="(/office/players/[0-9]+)"`).FindAllStringSubmatch(text, -1) {
		_, one := care.get(m[1])
		if p := regexp.MustCompile(`<th scope="row" class="code">([0-9]+-[0-9]+)</th>`).FindStringSubmatch(one); p != nil {
			play, owner = p[1], m[1]
			break
		}
	}
	for _, q := range []string{play, "https://tirage.example/plays/loto-2020-06-22/" + play + "#leaf=ab12"} {
		res, err := care.Get(r.Base + "/office/players?q=" + url.QueryEscape(q))
		if err != nil || res.Request.URL.Path != owner {
			t.Errorf("%s leads to %v (%v), want %s", q, res.Request.URL, err, owner)
		}
		if err == nil {
			res.Body.Close()
		}
	}
	if status, _ := care.get("/office/log"); status != http.StatusForbidden {
		t.Errorf("player care reads the log: %d", status)
	}

	if _, text = auditor.post("/office/log/check", nil); !strings.Contains(text, "Les livres sont justes") {
		t.Errorf("the books: %s", text[strings.Index(text, "<main"):])
	}
	if _, text = auditor.get("/office/log/0/3"); !strings.Contains(text, "La feuille est dans le journal signé") {
		t.Errorf("a leaf: %s", text[strings.Index(text, "<main"):])
	}
	for _, path := range []string{"/office/log/0/99999999", "/office/log/7/0", "/office/log/x/y", "/office/players/999999", "/office/players/x", "/office/packs/0-1", "/office/rules?a=loto@1999-01-01&b=x"} {
		if status, _ := auditor.get(path); status != http.StatusNotFound {
			t.Errorf("%s: %d", path, status)
		}
	}
	if _, text = auditor.get("/office/rules?a=loto@2018-10-29&b=loto@2019-11-04"); !strings.Contains(text, "<del>") || !strings.Contains(text, "<ins>") {
		t.Error("two versions do not differ")
	}

	_, text = admin.get("/office/staff")
	if strings.Contains(text, `action="/office/staff/admin/role"`) {
		t.Error("an admin may change their own role")
	}
	if _, after := admin.submits(text, "/office/staff/care/role", url.Values{"role": {"finance"}, "why": {"moves on"}}); !strings.Contains(after, "care") || strings.Contains(after, `role="alert"`) {
		t.Error("the role was not changed")
	}
	if status, _ := admin.submits(text, "/office/staff/operator2/end", url.Values{"why": {""}}); status != http.StatusConflict {
		t.Errorf("an account ends without a reason: %d", status)
	}
	if status, _ := care.get("/office/funds"); status != http.StatusOK {
		t.Errorf("the new role sees no funds: %d", status)
	}
	auditor.submits(func() string { _, text := auditor.get("/office/log/replay"); return text }(), "/office/log/replay", nil)
	auditor.sees("/office/log/replay", "0 différence")
	if status, _ := care.post("/office/log/replay", nil); status != http.StatusForbidden {
		t.Errorf("finance replays the log: %d", status)
	}
	for _, report := range exports.Reports() {
		path := "/office/exports/" + report.Name
		if report.Player {
			path = owner + "/" + report.Name
		}
		for _, f := range exports.Formats() {
			if status, text := auditor.get(path + "?format=" + string(f)); status != http.StatusOK || text == "" || strings.Contains(text, "<html") {
				t.Errorf("%s as %s: %d %.200s", path, f, status, text)
			}
		}
		if status, text := auditor.get(path + "?format=docx"); status != http.StatusUnprocessableEntity || !strings.Contains(text, "csv, xlsx, pdf, json") {
			t.Errorf("%s as docx: %d", path, status)
		}
	}
	if status, _ := care.get("/office/exports/log?format=csv"); status != http.StatusForbidden {
		t.Errorf("finance exports the log: %d", status)
	}
	t.Run("in a browser", func(t *testing.T) { lookAtBackOffice(t, r.Base, owner) })
}

// lookAtBackOffice opens every page that the back office has with axe, in both languages, light and dark. A route without a visit fails.
func lookAtBackOffice(t *testing.T, base, player string) {
	visits := map[string]map[string]string{
		"auditor": {
			"GET /office/{$}": "/office/", "GET /office/dashboard": "/office/dashboard", "GET /office/draws": "/office/draws?all=1", "GET /office/packs": "/office/packs",
			"GET /office/players": "/office/players?q=a", "GET /office/players/{player}": player, "GET /office/log": "/office/log", "GET /office/log/{node}/{index}": "/office/log/0/3",
			"GET /office/log/replay": "/office/log/replay", "GET /office/incidents": "/office/incidents",
			"GET /office/rules": "/office/rules", "GET /office/funds": "/office/funds",
		},
		"admin":    {"GET /office/staff": "/office/staff"},
		"operator": {"GET /office/packs/new": "/office/packs/new", "GET /office/identities": "/office/identities"},
	}
	elsewhere := []string{ // looked at by the evening by hand, or no page
		"GET /office/assets/", "GET /office/choose", "/office/", "GET /office/login", "GET /office/draws/{draw}", "GET /office/draws/{draw}/room", "GET /office/packs/{design}",
		"GET /office/players/{player}/statement",
	}
	for _, r := range exports.Reports() {
		elsewhere = append(elsewhere, "GET /office/exports/"+r.Name)
	}
	seen := map[string]bool{}
	for _, p := range elsewhere {
		seen[p] = true
	}
	for _, who := range []string{"auditor", "admin", "operator"} {
		b := webtest.Open(t, base)
		b.Wide()
		b.Go("/office/login")
		b.Fill("name", who)
		b.Fill("password", demo.Password)
		b.Press("Enter")
		for _, lang := range []string{"en", "fr"} {
			b.Go("/office/choose?lang=" + lang + "&back=/office/")
			for pattern, path := range visits[who] {
				seen[pattern] = true
				b.Go(path)
				b.Accessible(lang + " " + path)
				b.Shoot("office" + strings.Map(plain, strings.TrimPrefix(path, "/office")) + "-" + lang)
			}
		}
		if who != "auditor" {
			continue
		}
		b.Phone()
		for _, path := range []string{player, "/office/rules", "/office/funds", "/office/log", "/office/dashboard"} {
			b.Go(path)
			b.Accessible("phone " + path)
			b.Shoot("office" + strings.Map(plain, strings.TrimPrefix(path, "/office")) + "-phone")
		}
	}
	for _, route := range office.Routes(nil) {
		if !strings.HasPrefix(route.Pattern, "POST") && !seen[route.Pattern] {
			t.Errorf("nobody looks at %s", route.Pattern)
		}
	}
}

// plain is a character of a path as the name of a picture has it.
func plain(r rune) rune {
	if strings.ContainsRune("/?=&", r) {
		return '-'
	}
	return r
}
