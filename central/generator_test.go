package central_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cloudflare/circl/sign/bls"
	"golang.org/x/mod/sumdb/note"
	"tirage/central"
	"tirage/fairness/beacon"
	"tirage/internal/covers"
	"tirage/store/mem"
	"tirage/store/storetest"
	"tirage/verify"
)

// parties are all parties of a beacon of our own, as one: a round a minute since 2018.
type parties struct {
	chain   beacon.Chain
	private *bls.PrivateKey[bls.KeyG2SigG1]
	down    bool
	asked   int
}

func newParties(t testing.TB) *parties {
	t.Helper()
	private, err := bls.KeyGen[bls.KeyG2SigG1]([]byte("thirty-two bytes of a test's key"), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	key, err := private.PublicKey().MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return &parties{chain: beacon.Chain{Hash: "test", PublicKey: hex.EncodeToString(key), Genesis: time.Date(2018, 1, 1, 0, 0, 0, 0, time.UTC).Unix(), Period: 60}, private: private}
}

func (p *parties) Signature(_ context.Context, chain *beacon.Chain, round int64) ([]byte, error) {
	p.asked++
	if p.down || chain.PublicKey != p.chain.PublicKey {
		return nil, errors.New("no answer")
	}
	return bls.Sign(p.private, beacon.Message(round)), nil
}

// generatedDraw is a world in which the generator was chosen for the planned draw, and the evening has come; the room is ready.
func generatedDraw(t *testing.T) (*storetest.World, *parties, central.GeneratorChosen) {
	t.Helper()
	p := newParties(t)
	w := storetest.NewWorld(t, &mem.Store{}, withRoom, func(c *central.Config) { c.Beacon = &p.chain })
	staffed(w)
	planLoto(w)
	w.Why("draw.why", operator, central.UseGenerator{Draw: planned})
	w.Why("generator.none", officer, central.ConfirmGenerator{Draw: planned})
	w.Do(operator, central.UseGenerator{Draw: planned, Why: "the machine is being repaired"})
	w.Why("generator.exists", operator, central.UseGenerator{Draw: planned, Why: "again"})
	var chosen central.GeneratorChosen
	storetest.Result(w, w.Do(officer, central.ConfirmGenerator{Draw: planned}), &chosen)
	w.Why("generator.exists", "staff/officer2", central.ConfirmGenerator{Draw: planned})
	sellPlanned(w)
	w.Clock.Set(instant(w, "2018-10-29 20:45:00"))
	w.Do(operator, checkRoom)
	return w, p, chosen
}

// sellPlanned opens, sells, closes and seals the planned draw.
func sellPlanned(w *storetest.World) {
	w.Helper()
	w.Clock.Set(instant(w, "2018-10-29 10:00:00"))
	openPlanned(w, planned, central.PackOffer{Type: "600", Multiples: []string{"6x10*10"}, Shares: 200, MaxPacks: 5})
	w.Why("generator.late", operator, central.UseGenerator{Draw: planned, Why: "too late"})
	player := w.Player("one", 100)
	w.Do(central.PlayerPrincipal(player), central.BuyPlay{Player: player, Draw: planned, Lines: []central.Line{quick(5, 1)}})
	w.Do(central.PlayerPrincipal(player), central.BuyPlay{Player: player, Draw: planned, Lines: []central.Line{chosen(w, "1-2-3-4-5-6-7+6")}})
	w.Do(central.PlayerPrincipal(player), central.BuyShares{Player: player, Draw: planned, Type: "600", Shares: 1})
	w.Clock.Set(instant(w, "2018-10-29 20:15:00"))
	w.Why("generator.undrawn", central.SystemPrincipal, central.DrawCodes{Draw: planned})
	must(w, w.Operator.Close(w.Context(), planned))
	must(w, w.Operator.SealProposed(w.Context(), planned))
}

// typed has both enterers copy numbers.
func typed(w *storetest.World, numbers *central.EntryBody) {
	w.Helper()
	for _, who := range []string{enterer1, enterer2} {
		w.Do(who, central.EnterResult{Draw: planned, Version: 1, Round: 1, Entry: *numbers})
	}
	w.Do(officer, signing(1))
}

func generatorOf(w *storetest.World) *central.GeneratorView {
	w.Helper()
	snap, err := w.Store.Snapshot(w.Context())
	must(w, err)
	defer snap.Close()
	v, err := central.ReadGenerator(w.Context(), snap, planned)
	must(w, err)
	return v
}

// A draw by the generator: its round is fixed before the sales, the value appears after them, the schedule fetches and verifies it, two people copy the numbers,
// the officer signs, and a stranger derives them again from the published file.
func TestDrawByTheGenerator(t *testing.T) {
	covers.Covers(t, "P8", "P78")
	w, p, chosen := generatedDraw(t)
	if want := p.chain.RoundAfter(instant(w, "2018-10-29 20:45:00")); chosen.Round != want || !chosen.Confirmed || !chosen.Appears.After(instant(w, "2018-10-29 20:45:00")) {
		t.Fatalf("%+v, want round %d", chosen, want)
	}
	sign := func(round int64) string { return fmt.Sprintf("%x", bls.Sign(p.private, beacon.Message(round))) }
	w.Why("room.absent", operator, central.DrawNumbers{Draw: planned, Signature: sign(chosen.Round)})
	if err := w.Operator.Record(w.Context(), planned, lotoResult, central.Outside{}); reason(err) != "generator.undrawn" {
		t.Errorf("a result without numbers drawn: %v", err)
	}
	w.Do(officer, central.AttendDraw{Draw: planned})
	w.Why("generator.early", operator, central.DrawNumbers{Draw: planned, Signature: sign(chosen.Round)})
	w.Why("generator.undrawn", enterer1, typing(9, 36, 5, 21, 39))
	w.Why("generator.wait", enterer1, central.ContributeDraw{Draw: planned, Value: strings.Repeat("ab", 32), Why: "in a hurry"})

	w.Clock.Set(chosen.Appears.Add(2 * time.Second))
	for _, forged := range []string{"", "00", sign(chosen.Round + 1), sign(chosen.Round - 1)} {
		w.Why("generator.signature", operator, central.DrawNumbers{Draw: planned, Signature: forged})
	}
	w.Operator.Beacon = p
	s := &central.Schedule{Operator: w.Operator, Clock: w.Clock}
	p.down = true
	if _, err := s.Step(w.Context()); err == nil || generatorOf(w).Numbers != nil {
		t.Fatalf("a beacon that does not answer: %v", err)
	}
	p.down = false
	_, err := s.Step(w.Context())
	must(w, err)
	v := generatorOf(w)
	if v.Numbers == nil || v.Signature != sign(chosen.Round) || p.asked != 2 {
		t.Fatalf("%+v, asked %d times", v, p.asked)
	}
	w.Why("generator.drawn", operator, central.DrawNumbers{Draw: planned, Signature: sign(chosen.Round)})
	w.Why("generator.drawn", enterer1, central.ContributeDraw{Draw: planned, Value: strings.Repeat("ab", 32), Why: "other numbers"})
	other := *v.Numbers
	other.Extra = []int{other.Extra[0]%10 + 1}
	w.Why("generator.numbers", enterer1, central.EnterResult{Draw: planned, Version: 1, Round: 1, Entry: other})
	other = *v.Numbers
	other.Joker = "0 000 000"
	w.Why("generator.others", enterer1, central.EnterResult{Draw: planned, Version: 1, Round: 1, Entry: other})
	other = *v.Numbers
	other.Codes = nil
	w.Why("generator.others", enterer1, central.EnterResult{Draw: planned, Version: 1, Round: 1, Entry: other})
	if n := len(v.Numbers.Codes["loto"]); n != 10 || v.Numbers.Joker == "" {
		t.Errorf("%d codes, Joker+ %q", n, v.Numbers.Joker)
	}
	w.Why("generator.drawn", central.SystemPrincipal, central.DrawCodes{Draw: planned, Codes: v.Numbers.Codes})
	typed(w, v.Numbers)
	finishPlanned(w, s)

	var file bytes.Buffer
	must(w, (&central.Log{Store: w.Store, Signer: w.Keys.Log, Operator: "tirage.example"}).WriteDraw(w.Context(), &file, planned, w.Operator.OpenSecret))
	report := verify.Draw(bytes.NewReader(file.Bytes()), logKeys(w), &p.chain)
	if verify.Draw(bytes.NewReader(file.Bytes()), logKeys(w)).OK() {
		t.Error("a beacon of the operator's own is taken for the public one")
	}
	if !report.OK() || !strings.Contains(fmt.Sprint(report), string(verify.CheckNumbers)) {
		t.Errorf("%v\n%s", report, file.String()[:600])
	}
	// Other numbers, another round, another key: each is found.
	for from, to := range map[string]string{
		fmt.Sprintf(`"round":%d`, chosen.Round):            fmt.Sprintf(`"round":%d`, chosen.Round+1),
		`"extra":[` + fmt.Sprint(v.Numbers.Extra[0]) + `]`: `"extra":[` + fmt.Sprint(v.Numbers.Extra[0]%10+1) + `]`,
		v.Signature:                sign(chosen.Round + 1),
		v.Numbers.Joker:            "0 000 000",
		v.Numbers.Codes["loto"][3]: v.Numbers.Codes["loto"][4],
		p.chain.PublicKey[:20]:     strings.Repeat("8", 20),
	} {
		forged := bytes.Replace(file.Bytes(), []byte(from), []byte(to), 1)
		if bytes.Equal(forged, file.Bytes()) {
			t.Errorf("%s does not stand in the file", from)
		}
		if report := verify.Draw(bytes.NewReader(forged), logKeys(w), &p.chain); report.OK() {
			t.Errorf("%s for %s is not found", to, from)
		}
	}
}

// finishPlanned records, counts, approves, pays and publishes the planned draw.
func finishPlanned(w *storetest.World, s *central.Schedule) {
	w.Helper()
	step := func(n int) {
		w.Helper()
		for range n {
			_, err := s.Step(w.Context())
			must(w, err)
		}
	}
	step(3)
	w.Do("staff/officer2", central.ApproveDraw{Draw: planned, Version: 1})
	step(2)
	_, err := w.Operator.Publish(w.Context(), planned, "staff/operator")
	must(w, err)
	w.CheckBooks()
}

// Where the beacon fails two people stand in for it, neither alone nor before it was waited for: no draw is stuck.
func TestTwoPeopleStandInForTheBeacon(t *testing.T) {
	w, p, chosen := generatedDraw(t)
	w.Do(officer, central.AttendDraw{Draw: planned})
	w.Clock.Set(chosen.Appears.Add(central.FallbackAfter))
	first, second := strings.Repeat("0f", 32), strings.Repeat("e1", 32)
	contribute := func(value string) central.ContributeDraw {
		return central.ContributeDraw{Draw: planned, Value: value, Why: "the beacon does not answer"}
	}
	w.Why("generator.value", enterer1, contribute("0f"))
	w.Why("draw.why", enterer1, central.ContributeDraw{Draw: planned, Value: first})
	w.Why("role.forbidden", officer, contribute(first))
	w.Why("role.forbidden", operator, contribute(first))
	w.Do(enterer1, contribute(first))
	w.Why("generator.twice", enterer1, contribute(second))
	w.Why("generator.equal", enterer2, contribute(first))
	if v := generatorOf(w); v.Numbers != nil || len(v.People) != 1 {
		t.Fatalf("%+v", v)
	}
	w.Why("generator.undrawn", enterer1, typing(9, 36, 5, 21, 39))
	var drawn central.NumbersDrawn
	storetest.Result(w, w.Do(enterer2, contribute(second)), &drawn)
	// Who brought a value controls nothing of the draw, whatever role they have been given since.
	w.Do("staff/admin", central.SetStaffRole{Name: "enterer", Role: "officer", Why: "test"})
	w.Why("room.hands", enterer1, central.AttendDraw{Draw: planned})
	w.Do("staff/admin", central.SetStaffRole{Name: "enterer", Role: "enterer", Why: "test"})
	w.Why("generator.undrawn", enterer1, central.EnterResult{Draw: planned, Version: 1, Round: 1, Entry: central.EntryBody{Main: drawn.Main, Extra: drawn.Extra, Joker: drawn.Joker}})
	w.Why("generator.codes", central.SystemPrincipal, central.DrawCodes{Draw: planned})
	for range 2 { // once and no more
		must(w, w.Operator.DrawCodes(w.Context(), planned))
	}
	typed(w, generatorOf(w).Numbers)
	finishPlanned(w, &central.Schedule{Operator: w.Operator, Clock: w.Clock})
	var file bytes.Buffer
	must(w, (&central.Log{Store: w.Store, Signer: w.Keys.Log, Operator: "tirage.example"}).WriteDraw(w.Context(), &file, planned, w.Operator.OpenSecret))
	if report := verify.Draw(bytes.NewReader(file.Bytes()), logKeys(w), &p.chain); !report.OK() {
		t.Errorf("%v", report)
	}
}

// An unconfirmed proposal changes nothing: balls are drawn.
func TestUnconfirmedGeneratorIsBalls(t *testing.T) {
	p := newParties(t)
	w := storetest.NewWorld(t, &mem.Store{}, withRoom, func(c *central.Config) { c.Beacon = &p.chain })
	staffed(w)
	planLoto(w)
	w.Do(operator, central.UseGenerator{Draw: planned, Why: "the machine is being repaired"})
	w.Why("role.forbidden", operator, central.ConfirmGenerator{Draw: planned})
	sellPlanned(w)
	w.Why("generator.late", officer, central.ConfirmGenerator{Draw: planned})
	w.Clock.Set(instant(w, "2018-10-29 20:45:00"))
	w.Do(operator, checkRoom)
	w.Do(officer, central.AttendDraw{Draw: planned})
	w.Why("generator.none", operator, central.DrawNumbers{Draw: planned, Signature: strings.Repeat("00", 48)})
	typed(w, &central.EntryBody{Main: []int{9, 36, 5, 21, 39}, Extra: []int{6}})
	finishPlanned(w, &central.Schedule{Operator: w.Operator, Clock: w.Clock})
}

// logKeys verifies what the log's key signs.
func logKeys(w *storetest.World) note.Verifiers {
	w.Helper()
	v, err := note.NewVerifier(w.Keys.Public(central.RoleLog))
	must(w, err)
	return note.VerifierList(v)
}
