package beacon_test

import (
	"encoding/hex"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/cloudflare/circl/sign/bls"
	"tirage/fairness/beacon"
)

// What the League of Entropy published of quicknet.
const quicknetInfo = `{"public_key":"83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
"period":3,"genesis_time":1692803367,"hash":"52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
"groupHash":"f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e","schemeID":"bls-unchained-g1-rfc9380","metadata":{"beaconID":"quicknet"}}`

// Rounds that quicknet published.
var published = []struct {
	round                 int64
	at                    string
	signature, randomness string
}{
	{1000, "2023-08-23T15:59:24Z", "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39", "fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd"},
	{1001, "2023-08-23T15:59:27Z", "b33bf3667cbd5a82de3a24b4e0e9fe5513cc1a0e840368c6e31f5fcfa79bea03f73896b25883abf2853d10337fb8fa41", ""},
	{657413, "2023-09-15T11:00:03Z", "b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b", "fc1873a13f3545aeade8401532ef5519920652eee6b0d2b19ca12643b87b3587"},
}

func signatureOf(t *testing.T, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// The rounds of quicknet are those that its key signed, at the time that its clock says; each is the first one after the second before.
func TestPublishedRounds(t *testing.T) {
	for _, p := range published {
		signature := signatureOf(t, p.signature)
		if err := beacon.Quicknet.Check(p.round, signature); err != nil {
			t.Errorf("round %d: %v", p.round, err)
		}
		if value := beacon.Randomness(signature); p.randomness != "" && hex.EncodeToString(value[:]) != p.randomness {
			t.Errorf("round %d has the value %x", p.round, value)
		}
		at := beacon.Quicknet.Time(p.round)
		if at.Format(time.RFC3339) != p.at {
			t.Errorf("round %d at %v", p.round, at)
		}
		for ago := time.Second; ago <= 3*time.Second; ago += time.Second {
			if got := beacon.Quicknet.RoundAfter(at.Add(-ago)); got != p.round {
				t.Errorf("after %v comes round %d, not %d", at.Add(-ago), got, p.round)
			}
		}
		if got := beacon.Quicknet.RoundAfter(at); got != p.round+1 {
			t.Errorf("at %v the next round is %d", at, got)
		}
	}
	if beacon.Quicknet.RoundAfter(time.Unix(beacon.Quicknet.Genesis-1, 0)) != 0 {
		t.Error("a round before the chain began")
	}
}

// No bit of a signature can be another, no round have that of another; what is no point of the curve is refused and nothing worse.
func TestForgedRounds(t *testing.T) {
	signature := signatureOf(t, published[0].signature)
	for i := range len(signature) * 8 {
		if i%7 != 0 && i > 16 {
			continue // a pairing takes milliseconds
		}
		forged := append([]byte(nil), signature...)
		forged[i/8] ^= 1 << (i % 8)
		if beacon.Quicknet.Check(1000, forged) == nil {
			t.Errorf("bit %d flipped: accepted", i)
		}
	}
	for round, s := range map[int64][]byte{1001: signature, 0: signature, -1000: signature, 1000: nil} {
		if beacon.Quicknet.Check(round, s) == nil {
			t.Errorf("round %d with %x: accepted", round, s)
		}
	}
	for _, s := range [][]byte{signature[:47], append([]byte{0}, signature...), make([]byte, 48), append([]byte{0xc0}, make([]byte, 47)...)} {
		if beacon.Quicknet.Check(1000, s) == nil {
			t.Errorf("signature %x: accepted", s)
		}
	}
}

// The hash of quicknet is that of its fields, so no other key comes under its name.
func TestParseChain(t *testing.T) {
	c, err := beacon.ParseChain([]byte(quicknetInfo))
	if err != nil || *c != *beacon.Quicknet {
		t.Fatalf("%+v %v", c, err)
	}
	for name, change := range map[string]func(*beacon.Info){
		"period":  func(i *beacon.Info) { i.Period = 30 },
		"genesis": func(i *beacon.Info) { i.Genesis++ },
		"scheme":  func(i *beacon.Info) { i.SchemeID = "pedersen-bls-chained" },
		"hash":    func(i *beacon.Info) { i.Hash = strings.Repeat("0", 64) },
		"group":   func(i *beacon.Info) { i.GroupHash = "00" },
		"beacon":  func(i *beacon.Info) { i.Metadata.BeaconID = "other" },
		"no hex":  func(i *beacon.Info) { i.PublicKey = "g" },
		"key":     func(i *beacon.Info) { i.PublicKey = published[0].signature },
	} {
		var i beacon.Info
		if err := json.Unmarshal([]byte(quicknetInfo), &i); err != nil {
			t.Fatal(err)
		}
		change(&i)
		text, err := json.Marshal(i)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := beacon.ParseChain(text); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	for _, text := range []string{"", "{", "[]", strings.Repeat(" ", 1<<15)} {
		if _, err := beacon.ParseChain([]byte(text)); err == nil {
			t.Errorf("%.20q: accepted", text)
		}
	}
}

// A chain of our own, of the same scheme: its rounds are its own.
func TestOwnChain(t *testing.T) {
	key, err := bls.KeyGen[bls.KeyG2SigG1]([]byte(strings.Repeat("k", 32)), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	public, err := key.PublicKey().MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	own := &beacon.Chain{Hash: strings.Repeat("1", 64), PublicKey: hex.EncodeToString(public), Genesis: 1, Period: 30}
	signature := bls.Sign(key, beacon.Message(7))
	if err := own.Check(7, signature); err != nil {
		t.Error(err)
	}
	if beacon.Quicknet.Check(7, signature) == nil {
		t.Error("quicknet takes the round of another chain")
	}
}
