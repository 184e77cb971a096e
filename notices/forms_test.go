package notices_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"tirage/central"
	"tirage/notices"
	"tirage/rules/money"
)

// euroNotice is an imagined notice with everything that one may hold.
func euroNotice() *central.Notice {
	n := &central.Notice{
		Draw: "euromillions-2018-11-02", Game: "euromillions", Day: "2018-11-02", Version: 1, Rules: "euromillions@2018-10-29",
		Main: []int{44, 5, 37, 15, 17}, Extra: []int{11, 7},
		Codes: map[string][]string{"mymillion": {"JB 358 0425"}, "euromillions": {"F WBB 00001", "F TJX 18583"}},
		Gains: map[string]int64{"mymillion": 100_000_000, "euromillions": 100_000_000}, Claims: "2019-01-01",
	}
	for i, winners := range []int64{1, 2, 13, 49, 1055, 2091, 2164, 29872, 45644, 96543, 146471, 627533, 1369528} {
		n.Ranks = append(n.Ranks, central.NoticeRank{Rank: i + 1, Winners: winners, Gain: money.Cents(8702120200 / (i*i*i + 1))})
	}
	add := central.NoticeAddOn{Game: "etoileplus", Rules: "etoileplus@2016-09-27"}
	for i := range 10 {
		add.Ranks = append(add.Ranks, central.NoticeRank{Rank: i + 1, Winners: int64(i), Gain: 410})
	}
	n.AddOns = append(n.AddOns, add)
	return n
}

// Every form says the same: numbers, winners, gains to the cent, codes, the last day of payment. The same notice gives the same bytes.
func TestForms(t *testing.T) {
	n := euroNotice()
	for lang, want := range map[notices.Lang][]string{
		notices.French: {
			`lang="fr"`, "vendredi 2 novembre 2018", "5 – 15 – 17 – 37 – 44", "44 – 5 – 37 – 15 – 17", "7 – 11", "87\u00a0021\u00a0202,00\u00a0€", "1\u00a0369\u00a0528",
			"1\u00a0000\u00a0000,00\u00a0€", "JB 358 0425", "F WBB 00001", "Étoile", "mardi 1er janvier 2019", "2 &#43; 1",
		},
		notices.English: {`lang="en"`, "Friday 2 November 2018", "€87,021,202.00", "1,369,528", "Tuesday 1 January 2019"},
	} {
		page, err := notices.HTML(n, lang)
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range want {
			if !strings.Contains(string(page), w) {
				t.Errorf("the page in %s lacks %q:\n%s", lang, w, page)
			}
		}
		doc, err := notices.PDF(n, lang)
		if err != nil {
			t.Fatal(err)
		}
		again, err := notices.PDF(n, lang)
		if err != nil || !bytes.Equal(doc, again) || !bytes.HasPrefix(doc, []byte("%PDF-1.")) {
			t.Errorf("two documents of one notice differ (%d and %d bytes), %v", len(doc), len(again), err)
		}
	}
	text, err := notices.JSON(n)
	if err != nil {
		t.Fatal(err)
	}
	var back central.Notice
	if err := json.Unmarshal(text, &back); err != nil || back.Ranks[0].Gain != n.Ranks[0].Gain || back.Codes["mymillion"][0] != "JB 358 0425" {
		t.Errorf("%+v, %v", back, err)
	}
	row, err := notices.Row(n, nil)
	if err != nil || !strings.HasPrefix(string(row), "2018088;VENDREDI;02/11/2018;;02/01/2019;44;5;37;15;17;11;7;-5-15-17-37-44-;-7-11-;;1;87021202;;2;") ||
		!strings.HasSuffix(string(row), ";0;4,1;1;4,1;2;4,1;3;4,1;4;4,1;5;4,1;6;4,1;7;4,1;8;4,1;9;4,1;JB3580425;F WBB 00001,F TJX 18583;\n") {
		t.Errorf("%s, %v", row, err)
	}
}

// What a notice says is never taken for markup, and a notice that cannot be right is refused.
func TestNoticeThatIsWrong(t *testing.T) {
	n := euroNotice()
	n.Codes["mymillion"] = []string{"<script>"}
	page, err := notices.HTML(n, notices.French)
	if err != nil || strings.Contains(string(page), "<script>") {
		t.Errorf("%s, %v", page, err)
	}
	if _, err := notices.HTML(n, "de"); err == nil {
		t.Error("a notice in German")
	}
	for name, change := range map[string]func(*central.Notice){
		"day": func(n *central.Notice) { n.Day = "2/11/2018" }, "claims": func(n *central.Notice) { n.Claims = "" },
		"numbers": func(n *central.Notice) { n.Main = []int{5, 5} }, "ranks": func(n *central.Notice) { n.Ranks = n.Ranks[1:] },
	} {
		n := euroNotice()
		change(n)
		if row, err := notices.Row(n, nil); err == nil {
			t.Errorf("%s: written as %s", name, row)
		}
	}
	if text, err := notices.CSV("loto", []*central.Notice{n}); err == nil {
		t.Errorf("an archive of no draw: %s", text)
	}
}
