package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tirage/central"
	"tirage/games"
	"tirage/store/sql"
	"tirage/store/storetest"
	"tirage/vault"
)

// office is a fresh database with the program over it, in virtual time.
type office struct {
	testing.TB
	db    string
	clock *storetest.Clock
}

func newOffice(t *testing.T, at string) *office {
	t.Helper()
	o := &office{TB: t, db: filepath.Join(t.TempDir(), "tirage.db"), clock: &storetest.Clock{}}
	o.at(at)
	store, err := sql.OpenSQLite(t.Context(), o.db)
	if err != nil {
		t.Fatal(err)
	}
	keys, err := vault.Open(o.db+".keys", vault.SystemEntropy{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := central.NewRegister(central.Config{Store: store, Clock: o.clock, Entropy: vault.SystemEntropy{}, Sealer: keys, Verifier: keys.Verifier()})
	if err != nil {
		t.Fatal(err)
	}
	for name, role := range map[string]string{"anna": "operator", "berta": "officer", "carla": "operator"} {
		add := central.AddStaff{Name: name, Role: role, Password: "$argon2id$none"}
		if _, err := r.Do(t.Context(), central.Request{Principal: central.SystemPrincipal, Key: name, Command: add}); err != nil {
			t.Fatal(err)
		}
	}
	r.Close()
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	return o
}

func (o *office) at(when string) {
	o.Helper()
	day, hour, _ := strings.Cut(when, " ")
	at, err := games.ParseTime(day, hour)
	if err != nil {
		o.Fatal(err)
	}
	o.clock.Set(at)
}

func (o *office) run(group string, args ...string) (code int, out, errs string) {
	var b, e strings.Builder
	args = append([]string{group, args[0], "--db", o.db}, args[1:]...)
	code = (&program{in: strings.NewReader(""), out: &b, err: &e, clock: o.clock}).run(args)
	return code, b.String(), e.String()
}

// must returns what an act prints, which must hold these words.
func (o *office) must(words string, args ...string) string {
	o.Helper()
	return o.mustBy("draws", words, args...)
}

func (o *office) mustBy(group, words string, args ...string) string {
	o.Helper()
	code, out, errs := o.run(group, args...)
	if code != 0 || !strings.Contains(out, words) {
		o.Fatalf("%s %v: exit %d, %s\n%s\nwhich lacks %q", group, args, code, errs, out, words)
	}
	return out
}

func (o *office) refused(words string, args ...string) {
	o.Helper()
	o.refusedBy("draws", words, args...)
}

func (o *office) refusedBy(group, words string, args ...string) {
	o.Helper()
	if code, out, errs := o.run(group, args...); code == 0 || !strings.Contains(errs, words) {
		o.Errorf("%s %v: exit %d, %q and %s; want %q", group, args, code, out, errs, words)
	}
}

// An evening from the command line alone: a Super Loto planned and opened by hand with packs, closed, its terms shown and signed, held, released, postponed,
// drawn late with the reason, approved by somebody else, paid and its notice drafted by the schedule, published by a person who did not record the result.
func TestDrawsFromTheCommandLine(t *testing.T) {
	o := newOffice(t, "2018-11-01 12:00")
	const id = "superloto-2018-11-16"
	o.refused("nobody acts; accepted: --as NAME", "plan", "superloto", "2018-11-16")
	o.must("superloto-2018-11-16 stands in the calendar", "plan", "superloto", "2018-11-16", "--as", "anna", "--jackpot", "13000000")
	o.refused("stands in the calendar already", "plan", "superloto", "2018-11-16", "--as", "anna")
	o.must("planned", "list")
	o.refused(`pack "600 6x10"; accepted`, "open", id, "--pack", "600 6x10")
	o.must("on sale", "open", id, "--pack", "600 6x10*10 200 50")
	o.must("announced jackpot  15000000.00 €", "announce", id, "--jackpot", "15000000", "--why", "anniversary", "--as", "anna")
	o.refused("accepted no less", "announce", id, "--jackpot", "14000000", "--why", "second thoughts", "--as", "anna")
	o.refused("is on sale until", "close", id)
	o.must("jackpot             15000000.00 €", "terms", id)

	o.at("2018-11-16 20:15")
	o.must("closed, to be sealed", "close", id)
	o.must("sealed and balanced, to be drawn", "terms", id, "--seal")
	o.must("held, then sealed and balanced", "hold", id, "--why", "a ball is cracked", "--as", "berta")
	o.must("sealed and balanced, to be drawn", "release", id, "--why", "another ball", "--as", "berta")
	o.refused("accepted: a day and an hour", "postpone", id, "--until", "tomorrow", "--why", "x", "--as", "berta")
	o.must("first announced for  2018-11-16 20:45:00", "postpone", id, "--until", "2018-11-17 10:00", "--why", "no electricity", "--as", "berta")
	o.at("2018-11-17 10:00")
	o.must("waits for its result", "step", "--games", "superloto")
	result := []string{"result", id, "5-9-21-36-39+5", "--code", "superloto=A 0000 0001", "--as", "anna"}
	o.refused("accepted with the reason", result...)
	o.must("drawn, to be counted", append(result, "--late", "no electricity")...)
	o.must("waits for the officer's approval", "step", "--games", "superloto")
	o.refused("accepted: officer", "approve", id, "--as", "anna")
	o.refused("no such member of the staff", "approve", id, "--as", "dora")
	o.refused("nobody acts", "approve", id)
	o.must("paid, its notice is to be published", "approve", id, "--as", "berta")
	o.must("waits for another person to publish its notice", "step", "--games", "superloto")
	o.must("its notice is to be published", "show", id)
	o.refusedBy("notice", "does not publish it", "publish", id, "--as", "anna")
	o.refusedBy("notice", "nobody acts", "publish", id)
	o.refusedBy("notice", "is drafted", "draft", id, "--as", "carla")
	o.mustBy("notice", "is published", "publish", id, "--as", "carla")
	o.must("published", "show", id)
	o.mustBy("notice", "superloto-2018-11-16", "list")
	for form, words := range map[string]string{"html": "vendredi 16 novembre 2018", "pdf": "%PDF-1.", "json": `"claims_until": "2019-01-15"`, "csv": "2018001;VENDREDI;16/11/2018;16/01/2019;5;9;21;36;39;5;5-9-21-36-39+5;0;15000000;"} {
		o.mustBy("notice", words, "show", id, "--form", form)
	}
	o.mustBy("notice", "annee_numero_de_tirage;jour_de_tirage;", "show", "superloto", "--form", "csv")
	o.refusedBy("notice", "no draw", "show", "superloto-2018-11-17")
	o.must("payable through 2019-01-15", "show", id)
	o.must("no draw of the calendar is as asked for", "list")

	var views []central.DrawView
	if err := json.Unmarshal([]byte(o.must("", "list", "--all", "--json")), &views); err != nil || len(views) != 1 || views[0].State != "published" || views[0].Recorder != "staff/anna" {
		t.Errorf("%+v, %v", views, err)
	}
	var v central.DrawView
	if err := json.Unmarshal([]byte(o.must("", "show", id, "--json")), &v); err != nil || v.Until != "2019-01-15" || !v.DrawsAt.Equal(time.Date(2018, 11, 17, 9, 0, 0, 0, time.UTC)) {
		t.Errorf("%+v, %v", v, err)
	}
	store, err := sql.OpenExisting(t.Context(), o.db)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if err := central.CheckBooks(t.Context(), store); err != nil {
		t.Error(err)
	}
}

// A day of effect is put off by two people from the command line; the schedule plans and opens both calendars.
func TestDrawsStepAndPutOff(t *testing.T) {
	o := newOffice(t, "2018-10-26 12:00")
	o.must("loto-2018-10-27          on sale", "step")
	o.must("nothing was due", "step")
	o.must("euromillions-2018-10-26", "list", "--game", "euromillions", "--to", "2018-10-31")
	o.must("stakes and fund of others are not reported", "terms", "euromillions-2018-10-26")
	o.must("reported by others  stakes 30000000.00 €, fund 0.00 €", "report", "euromillions-2018-10-26", "--stakes", "30000000", "--as", "anna")
	o.must("nothing changes before a second person confirms it", "put-off", "packs", "--why", "not ready", "--as", "anna")
	o.refused("somebody else confirms", "put-off", "packs", "--confirm", "anna", "--as", "anna")
	o.must("packs is put off, the new day is not known yet", "put-off", "packs", "--confirm", "anna", "--as", "carla")
	o.must("proposed to put off packs to 5 November 2018", "put-off", "packs", "--until", "2018-11-05", "--why", "ready", "--as", "carla")
	o.must(`"draw": "superloto-2018-12-14"`, "plan", "superloto", "2018-12-14", "--as", "anna", "--json")
	o.must("skipped", "skip", "superloto-2018-12-14", "--why", "no studio", "--as", "anna")
}

// What is wrong with a database, its keys or a name is said before anything is done.
func TestDrawsSayWhatIsWrong(t *testing.T) {
	o := newOffice(t, "2018-10-26 12:00")
	o.refused(`there is no draw "loto-1999-01-01"`, "show", "loto-1999-01-01")
	o.refused(`there is no draw "loto-1999-01-01"`, "terms", "loto-1999-01-01")
	o.refused(`there is no draw "x"`, "skip", "x", "--why", "y", "--as", "anna")
	o.refused("there are no keys in", "step", "--keys", filepath.Join(t.TempDir(), "none"))
	o.refused("node 16: accepted 0 to 15", "step", "--node", "16")
	o.db = filepath.Join(t.TempDir(), "none.db")
	o.refused("no database of tirage", "list")
}
