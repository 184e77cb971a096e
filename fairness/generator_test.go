package fairness

import (
	"slices"
	"strconv"
	"testing"

	"tirage/rules/codes"
	"tirage/rules/combin"
)

// What a generator draws is what the second implementation draws.
func TestGeneratorVectors(t *testing.T) {
	for i, v := range readVectors(t).Drawn {
		s, err := ParseSecret(v.Secret)
		if err != nil {
			t.Fatal(err)
		}
		g := Generator{Secret: s, Draw: v.Draw, Public: v.Public}
		if got := g.Numbers(combin.Matrix{Main: v.Matrix[0], MainOf: v.Matrix[1], Extra: v.Matrix[2], ExtraOf: v.Matrix[3]}).String(); got != v.Grid {
			t.Errorf("drawn %d: %s, the reference says %s", i, got, v.Grid)
		}
		if got := g.Digits("jokerplus", 7); got != v.Number {
			t.Errorf("drawn %d: number %s, the reference says %s", i, got, v.Number)
		}
		won, err := g.Codes("loto", issuedCodes(t, v.Issued), v.Count)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, w := range won {
			got = append(got, strconv.FormatInt(w.Number, 10))
		}
		if !slices.Equal(got, v.Codes) {
			t.Errorf("drawn %d: codes %v, the reference says %v", i, got, v.Codes)
		}
	}
}

func issuedCodes(t *testing.T, n int64) *codes.Issued {
	t.Helper()
	var runs []codes.Run
	if n > 0 {
		runs = []codes.Run{{Zone: codes.SequentialZone, Start: 0, Count: n}}
	}
	issued, err := codes.NewIssued(runs)
	if err != nil {
		t.Fatal(err)
	}
	return issued
}

// Each of the values that a draw hangs on changes all that is drawn: secret, draw, round, value, either hand and their order.
func TestGeneratorHangsOnEverything(t *testing.T) {
	value := [32]byte{1}
	base := Generator{Secret: Secret{1}, Draw: "loto-2023-09-16", Public: FromBeacon("52db", 1000, value)}
	others := map[string]Generator{
		"secret": {Secret: Secret{2}, Draw: base.Draw, Public: base.Public},
		"draw":   {Secret: base.Secret, Draw: "loto-2023-09-18", Public: base.Public},
		"chain":  {Secret: base.Secret, Draw: base.Draw, Public: FromBeacon("53db", 1000, value)},
		"round":  {Secret: base.Secret, Draw: base.Draw, Public: FromBeacon("52db", 1001, value)},
		"value":  {Secret: base.Secret, Draw: base.Draw, Public: FromBeacon("52db", 1000, [32]byte{2})},
		"hands":  {Secret: base.Secret, Draw: base.Draw, Public: FromHands([HandsSize]byte{1}, [HandsSize]byte{2})},
		"turned": {Secret: base.Secret, Draw: base.Draw, Public: FromHands([HandsSize]byte{2}, [HandsSize]byte{1})},
	}
	m := combin.Matrix{Main: 5, MainOf: 49, Extra: 1, ExtraOf: 10}
	seen := map[string]string{base.Numbers(m).String() + base.Digits("jokerplus", 7): "base"}
	for name, g := range others {
		drawn := g.Numbers(m).String() + g.Digits("jokerplus", 7)
		if seen[drawn] != "" {
			t.Errorf("%s draws what %s draws: %s", name, seen[drawn], drawn)
		}
		seen[drawn] = name
	}
}
