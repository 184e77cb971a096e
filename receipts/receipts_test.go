package receipts_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"tirage/receipts"
	"tirage/verify"
)

var file = &verify.ReceiptFile{
	Format: verify.ReceiptFormat,
	Play: &verify.Play{ID: "0-12", At: time.Date(2018, 10, 29, 18, 0, 0, 0, time.UTC), Cents: 1320, Draws: []verify.DrawPlay{{
		Draw: "loto-2018-10-29", Rules: "loto@2018-10-29", PrizeRules: "loto@2018-10-29", Cents: 1320, Combinations: 600, Pack: "600/3", Shares: 2, SharePrice: 660, PackShares: 200,
		Grids: []verify.Grid{{Grid: "5-9-21-36-39-40+5", Quick: true}},
		Codes: []verify.CodeRun{{Series: "loto", Count: 2, First: "A 0000 0001", Last: "A 0000 0002"}},
	}}},
	Leaf: &verify.Leaf{Node: 0, Index: 12, Salt: []byte("salt"), Body: `{"a":1}`, Checkpoint: "tirage.example/log/0\n13\nroot\n\n— tirage.example sig\n"},
}

// The same receipt gives the same document, one for each language, and an unknown language is refused in words.
func TestPDF(t *testing.T) {
	var docs [][]byte
	for _, lang := range []receipts.Lang{receipts.French, receipts.English} {
		first, err := receipts.PDF(file, "https://tirage.example", lang)
		if err != nil {
			t.Fatal(err)
		}
		second, err := receipts.PDF(file, "https://tirage.example", lang)
		if err != nil || !bytes.Equal(first, second) || !bytes.HasPrefix(first, []byte("%PDF-")) {
			t.Errorf("%s: %d and %d bytes, %v", lang, len(first), len(second), err)
		}
		docs = append(docs, first)
	}
	if bytes.Equal(docs[0], docs[1]) {
		t.Error("one document for both languages")
	}
	if _, err := receipts.PDF(file, "https://tirage.example", "de"); err == nil || !strings.Contains(err.Error(), `accepted "fr" and "en"`) {
		t.Error(err)
	}
}

// What the code of a receipt holds leads back to the play and to the hash of its leaf; what is no such link is refused.
func TestLink(t *testing.T) {
	link := receipts.Link(file, "https://tirage.example/")
	if want := "https://tirage.example/plays/loto-2018-10-29/0-12#" + receipts.Hash(file); link != want {
		t.Errorf("%s, want %s", link, want)
	}
	for _, c := range [][3]string{{link, "0-12", receipts.Hash(file)}, {" 0-12 ", "0-12", ""}, {"https://tirage.example/plays/loto-2018-10-29/3-7", "3-7", ""}} {
		if play, hash, err := receipts.ParseLink(c[0]); play != c[1] || hash != c[2] || err != nil {
			t.Errorf("%q: %q %q %v", c[0], play, hash, err)
		}
	}
	for _, bad := range []string{"", "0-", "-1-2", "0-012", "a-b", "https://tirage.example/plays/", "0-12-3", "\x00", "0-99999999999999999999"} {
		if play, _, err := receipts.ParseLink(bad); err == nil {
			t.Errorf("%q is read as play %q", bad, play)
		}
	}
	code, err := receipts.QR(link)
	if err != nil {
		t.Fatal(err)
	}
	for _, corner := range [][2]int{{0, 0}, {code.Size - 1, 0}, {0, code.Size - 1}} {
		if !code.Dark(corner[0], corner[1]) {
			t.Errorf("no finder at %v", corner)
		}
	}
	if path := code.Path(); !strings.HasPrefix(path, "M0 0h7v1H0z") {
		t.Errorf("path %.40s", path)
	}
}

func FuzzParseLink(f *testing.F) {
	f.Add("0-12")
	f.Add("https://tirage.example/plays/loto-2018-10-29/0-12#00")
	f.Fuzz(func(t *testing.T, text string) {
		play, _, err := receipts.ParseLink(text)
		if err != nil {
			return
		}
		if again, _, err := receipts.ParseLink(play); again != play || err != nil {
			t.Errorf("%q: play %q is read as %q, %v", text, play, again, err)
		}
	})
}
