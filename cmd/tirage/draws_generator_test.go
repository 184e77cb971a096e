package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tirage/central"
	"tirage/store/sql"
	"tirage/vault"
)

// Round 657413 of quicknet, as drand published it on 15 September 2023 at 13:00:03 in Paris.
const quicknetRound = `{"round":657413,"randomness":"fc1873a13f3545aeade8401532ef5519920652eee6b0d2b19ca12643b87b3587",
"signature":"b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b"}`

// A draw by the generator from the command line, with a round that the public beacon has published: proposed by one person, confirmed by another before the sales,
// its numbers drawn with the signature alone. A forged one draws nothing.
func TestGeneratorFromTheCommandLine(t *testing.T) {
	o := newOffice(t, "2023-08-30 12:00")
	const id = "superloto-2023-09-15"
	generator := func(want, input string, args ...string) string {
		t.Helper()
		var out, errs strings.Builder
		args = append(append([]string{"draws", "generator"}, args...), "--db", o.db)
		code := (&program{in: strings.NewReader(input), out: &out, err: &errs, clock: o.clock}).run(args)
		if (code == 0) == strings.HasPrefix(want, "!") || !strings.Contains(out.String()+errs.String(), strings.TrimPrefix(want, "!")) {
			t.Fatalf("%v: exit %d\n%s%s\nwhich lacks %q", args, code, &out, &errs, want)
		}
		return out.String()
	}
	o.must("stands in the calendar", "plan", "superloto", "2023-09-15", "--as", "anna", "--opens", "2023-09-01 08:00", "--closes", "2023-09-15 12:55", "--draws", "2023-09-15 13:00", "--jackpot", "13000000")
	generator("!nobody acts", "", "propose", id, "--why", "no balls")
	generator("!balls are drawn", "", "show", id)
	generator("not confirmed: balls are drawn", "", "propose", id, "--why", "no balls", "--as", "anna")
	generator("confirmed by staff/berta", "", "confirm", id, "--as", "berta")
	o.at("2023-09-01 09:00")
	o.must("on sale", "open", id, "--pack", "600 6x10*10 200 50")
	o.at("2023-09-15 12:55")
	o.must("closed", "close", id)
	o.must("", "terms", id, "--seal")
	o.at("2023-09-15 13:00")
	roomReady(t, o, id)
	file := filepath.Join(t.TempDir(), "round.json")
	if err := os.WriteFile(file, []byte(quicknetRound), 0o600); err != nil {
		t.Fatal(err)
	}
	generator("!appears at", "", "numbers", id, "--file", file, "--as", "anna")
	o.clock.Set(o.clock.Now().Add(3e9))
	generator("!no signature", "", "numbers", id, "--as", "anna")
	generator("!is not the signature of round 657413", "", "numbers", id, "--as", "anna", "--signature", strings.Repeat("8", 96))
	generator("!the role operator may not do this", strings.Repeat("ab", 32), "contribute", id, "--why", "in a hurry", "--as", "anna")
	drawn := generator("drawn [", "", "numbers", id, "--file", file, "--as", "anna")
	if !strings.Contains(drawn, "round 657413 of beacon 52db9ba7…") || !strings.Contains(drawn, "Joker+") {
		t.Error(drawn)
	}
	if shown := generator("drawn [", "", "show", id); shown != drawn {
		t.Errorf("%s\nand now %s", drawn, shown)
	}
	generator("!are drawn", "", "numbers", id, "--file", file, "--as", "anna")
}

// roomReady does in the draw room what comes before the numbers.
func roomReady(t *testing.T, o *office, draw string) {
	t.Helper()
	store, err := sql.OpenSQLite(t.Context(), o.db)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	keys, err := vault.Open(o.db+".keys", vault.SystemEntropy{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := central.NewRegister(central.Config{Store: store, Clock: o.clock, Entropy: vault.SystemEntropy{}, Sealer: keys, Verifier: keys.Verifier()})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for who, c := range map[string]central.Command{
		"staff/anna":  central.CheckRoom{Draw: draw, Rules: central.RulesDigest(), Checked: central.RoomChecks},
		"staff/berta": central.AttendDraw{Draw: draw},
	} {
		if _, err := r.Do(t.Context(), central.Request{Principal: who, Key: c.Kind(), Command: c}); err != nil {
			t.Fatal(err)
		}
	}
}
