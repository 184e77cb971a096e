package archive

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// lotoHeader and lotoRow are the draw of 25 February 2019 as the operator prints it, cut after rank 2.
const (
	lotoHeader = "annee_numero_de_tirage;jour_de_tirage;date_de_tirage;date_de_forclusion;boule_1;boule_2;boule_3;boule_4;boule_5;numero_chance;" +
		"combinaison_gagnante_en_ordre_croissant;nombre_de_gagnant_au_rang1;rapport_du_rang1;nombre_de_gagnant_au_rang2;rapport_du_rang2;" +
		"nombre_de_codes_gagnants;rapport_codes_gagnants;codes_gagnants;numero_jokerplus;devise;"
	lotoRow = "2019024;LUNDI   ;25/02/2019;27/04/2019;7;44;37;48;38;7;7-37-38-44-48+7;0;4000000;0;100000;10;20000;" +
		"R 3329 7084,J 3818 3823,A 1155 6066,P 3526 8298,W 0926 6084,R 2639 7097,S 2510 7376,O 2415 6017,Q 4947 7534,Q 1765 2471;5 031 606;eur;"

	euroHeader = "annee_numero_de_tirage;jour_de_tirage;date_de_tirage;numéro_de_tirage_dans_le_cycle;date_de_forclusion;" +
		"boule_1;boule_2;boule_3;boule_4;boule_5;etoile_1;etoile_2;boules_gagnantes_en_ordre_croissant;etoiles_gagnantes_en_ordre_croissant;" +
		"nombre_de_gagnant_au_rang1_Euro_Millions_en_france;nombre_de_gagnant_au_rang1_Euro_Millions_en_europe;rapport_du_rang1_Euro_Millions;" +
		"nombre_de_gagnant_au_rang1_Etoile+;rapport_du_rang1_Etoile+;numero_My_Million;numero_Tirage_Exceptionnel_Euro_Millions"
	euroRow = "2016087;VENDREDI;28/10/2016;1;28/12/2016;10;16;43;23;19;8;2;-10-16-19-23-43-;-2-8-;0;1;17375733;0;0;JC8700352;F TJX 18583,F FMN 69169;"
)

func mustRead(t *testing.T, name, text string) *File {
	t.Helper()
	f, err := Read(name, strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestTraps reads one draw in every dress that the files give it: it must stay the same draw.
func TestTraps(t *testing.T) {
	facts := func(f *File) Draw {
		d := f.Draws[0]
		d.Cells, d.RowEndsOpen, d.Line, d.Cycle.Text = nil, false, 0, ""
		return d
	}
	loto, euro := facts(mustRead(t, "a.csv", lotoHeader+"\n"+lotoRow+"\n")), facts(mustRead(t, "a.csv", euroHeader+"\n"+euroRow+"\n"))
	reversed := func(text string) string { // columns in the opposite order: they are found by name
		var lines []string
		for line := range strings.SplitSeq(text, "\n") {
			cs, _ := cells(line)
			var back []string
			for i := len(cs) - 1; i >= 0; i-- {
				back = append(back, cs[i])
			}
			lines = append(lines, strings.Join(back, ";"))
		}
		return strings.Join(lines, "\n")
	}
	for _, c := range []struct {
		name string
		want Draw
		text string
	}{
		{"header without the last ;", loto, strings.TrimSuffix(lotoHeader, ";") + "\n" + lotoRow},
		{"row without the last ;", loto, lotoHeader + "\n" + strings.TrimSuffix(lotoRow, ";")},
		{"CRLF and a byte order mark", loto, "\ufeff" + lotoHeader + "\r\n" + lotoRow + "\r\n"},
		{"blank lines and empty rows", loto, lotoHeader + "\n\n" + lotoRow + "\n;;;;\n\n"},
		{"columns in another order", loto, reversed(lotoHeader + "\n" + lotoRow)},
		{"date dd/mm/yy", loto, lotoHeader + "\n" + strings.Replace(lotoRow, "25/02/2019", "25/02/19", 1)},
		{"date yyyymmdd", loto, lotoHeader + "\n" + strings.NewReplacer("25/02/2019", "20190225", "27/04/2019", "20190427").Replace(lotoRow)},
		{"weekday of two letters", loto, lotoHeader + "\n" + strings.Replace(lotoRow, "LUNDI   ", "LU", 1)},
		{"two decimals", loto, lotoHeader + "\n" + strings.Replace(lotoRow, "4000000", "4000000,00", 1)},
		{"one decimal", loto, lotoHeader + "\n" + strings.Replace(lotoRow, ";100000;", ";100000,0;", 1)},
		{"decimal point", loto, lotoHeader + "\n" + strings.Replace(lotoRow, ";100000;", ";100000.00;", 1)},
		{"UTF-8", euro, euroHeader + "\n" + euroRow},
		{"Latin-1", euro, strings.Replace(euroHeader, "é", "\xe9", 1) + "\n" + euroRow},
		{"singular name of the exceptional column", euro, strings.Replace(euroHeader, "Exceptionnel_Euro_Millions", "Exceptionnel_Euro_Million", 1) + "\n" + euroRow},
	} {
		f, err := Read("a.csv", strings.NewReader(c.text))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if diff := cmp.Diff(c.want, facts(f)); diff != "" {
			t.Errorf("%s:\n%s", c.name, diff)
		}
	}
	if loto.Codes.Count != 10 || len(loto.Codes.List) != 10 || loto.Codes.List[9] != "Q 1765 2471" || loto.Codes.Gain != 20_000_00 {
		t.Errorf("codes %+v", loto.Codes)
	}
	if !slicesEqual(loto.Balls, 7, 44, 37, 48, 38) || loto.Weekday != time.Monday || loto.Deadline != "2019-04-27" {
		t.Errorf("draw %+v", loto)
	}
	if len(euro.EuroCodes.List) != 2 || euro.EuroCodes.List[0] != "F TJX 18583" {
		t.Errorf("codes Euro Millions %+v", euro.EuroCodes)
	}
}

func slicesEqual(got []int, want ...int) bool { return fmt.Sprint(got) == fmt.Sprint(want) }

// TestEmptyCodes reads a list of 99 commas: a hundred codes were drawn, none is printed.
func TestEmptyCodes(t *testing.T) {
	text := strings.Replace(lotoRow, ";10;20000;", ";100;20000;", 1)
	from, to := strings.Index(text, "R 3329"), strings.Index(text, ";5 031 606")
	f := mustRead(t, "noel.csv", lotoHeader+"\n"+text[:from]+strings.Repeat(",", 99)+text[to:])
	if c := f.Draws[0].Codes; f.Game != GrandLoto || c.Count != 100 || len(c.List) != 0 || !c.Listed {
		t.Errorf("game %s, codes %+v", f.Game, c)
	}
}

// TestSuperJackpotText reads words in the numeric column of the cycle.
func TestSuperJackpotText(t *testing.T) {
	f := mustRead(t, "e.csv", euroHeader+"\n"+strings.Replace(euroRow, ";1;28/12", ";Super Jackpot et tirages suivants;28/12", 1))
	if c := f.Draws[0].Cycle; !c.Super || c.Position != 0 {
		t.Errorf("cycle %+v", c)
	}
}

// TestNoEuropeanCounts reads a draw whose European counts are all zero, as that of 31 January 2020: it gives no winners.
func TestNoEuropeanCounts(t *testing.T) {
	f := mustRead(t, "e.csv", euroHeader+"\n"+strings.Replace(euroRow, ";0;1;17375733;", ";0;0;17375733;", 1))
	if f.Draws[0].Counted() {
		t.Error("a draw without European counts passes for counted")
	}
}

// TestOrder gives the same draws, oldest first, whatever the order of the file.
func TestOrder(t *testing.T) {
	next := strings.NewReplacer("2019024", "2019025", "LUNDI   ", "MERCREDI", "25/02/2019", "27/02/2019").Replace(lotoRow)
	for _, rows := range []string{lotoRow + "\n" + next, next + "\n" + lotoRow} {
		ds := mustRead(t, "l.csv", lotoHeader+"\n"+rows).ByDate()
		if ds[0].Date != "2019-02-25" || ds[1].Date != "2019-02-27" {
			t.Errorf("%s, then %s", ds[0].Date, ds[1].Date)
		}
	}
}

// TestCase42IdentifiersChangeShape keys on game and date: identifiers of three shapes, and even one that comes twice, are three draws;
// two rows of one day are refused.
func TestCase42IdentifiersChangeShape(t *testing.T) {
	row := func(id, weekday, date string) string {
		return strings.NewReplacer("2019024", id, "LUNDI   ", weekday, "25/02/2019", date).Replace(lotoRow) + "\n"
	}
	f := mustRead(t, "l.csv", lotoHeader+"\n"+
		row("2018156", "SAMEDI", "29/12/2018")+row("20199001", "MARDI", "01/01/2019")+row("24001", "MERCREDI", "02/01/2019")+row("24001", "SAMEDI", "05/01/2019"))
	keys := make(map[Key]bool)
	for i := range f.Draws {
		keys[f.Draws[i].Key()] = true
	}
	if len(keys) != 4 || !keys[Key{Loto, "2019-01-05"}] {
		t.Errorf("keys %v", keys)
	}
	_, err := Read("l.csv", strings.NewReader(lotoHeader+"\n"+row("2019001", "MARDI", "01/01/2019")+row("20199001", "MARDI", "01/01/19")))
	if err == nil || !strings.Contains(err.Error(), "l.csv:3: column date_de_tirage: found a second draw of 2019-01-01") {
		t.Errorf("two draws of one day: %v", err)
	}
}

// TestGameByContent tells the games of the Loto family apart by what was drawn; the name of the file decides only where the content is silent.
func TestGameByContent(t *testing.T) {
	noCodes := strings.Replace(lotoHeader, "nombre_de_codes_gagnants", "autre", 1)
	for _, c := range []struct{ file, header, codes, last, want string }{
		{"superloto.csv", lotoHeader, "10", "2,2", Loto},
		{"loto.csv", lotoHeader, "50", "3", SuperLoto},
		{"loto.csv", lotoHeader, "100", "12,3", GrandLoto},
		{"loto.csv", lotoHeader, "20", "3", SuperLoto},
		{"loto.csv", noCodes, "", "9,2", GrandLoto},
		{"superloto_201703.csv", lotoHeader, "7", "1", SuperLoto},
		{"grandloto_2017.csv", lotoHeader, "7", "1", GrandLoto},
		{"loto_201703.csv", lotoHeader, "7", "1", Loto},
	} {
		text := strings.Replace(lotoRow, "100000;10;", c.last+";"+c.codes+";", 1)
		if c.header == noCodes { // the list alone is left: make it silent too
			text = text[:strings.Index(text, "R 3329")] + text[strings.Index(text, ";5 031"):]
		}
		if got := mustRead(t, c.file, c.header+"\n"+text).Game; got != c.want {
			t.Errorf("%s, %s codes, last rank %s: %s, want %s", c.file, c.codes, c.last, got, c.want)
		}
	}
	silent := strings.Replace(lotoRow, "100000;10;", "1;7;", 1)
	if _, err := Read("x.csv", strings.NewReader(lotoHeader+"\n"+silent)); err == nil {
		t.Error("a file that says nothing of its game is read")
	}
}

// TestErrors names file, line, column, what was found and what is accepted.
func TestErrors(t *testing.T) {
	swap := func(from, to string) string { return lotoHeader + "\n" + strings.Replace(lotoRow, from, to, 1) }
	for _, c := range []struct{ text, want string }{
		{swap("25/02/2019", "31/02/2019"), `l.csv:2: column date_de_tirage: found "31/02/2019", accepted a day as dd/mm/yyyy, dd/mm/yy or yyyymmdd`},
		{swap("LUNDI   ", "LUNEDI"), `l.csv:2: column jour_de_tirage: found "LUNEDI", accepted LUNDI to DIMANCHE, whole or cut to two letters`},
		{swap("LUNDI   ", "MARDI"), `l.csv:2: column jour_de_tirage: found "MARDI", accepted LUNDI, the weekday of 2019-02-25`},
		{swap(";44;", ";54;"), `l.csv:2: column boule_2: found "54", accepted a number of 1 to 49`},
		{swap(";44;", ";7;"), `l.csv:2: column boule_1: found number 7 stands twice, accepted different numbers`},
		{swap("7-37-38", "7-37-39"), `l.csv:2: column combinaison_gagnante_en_ordre_croissant: found "7-37-39-44-48+7", accepted the numbers drawn, ascending: [7 37 38 44 48 7]`},
		{swap(";0;4000000", ";-1;4000000"), `l.csv:2: column nombre_de_gagnant_au_rang1: found "-1", accepted a number of winners, 0 to 1000000000`},
		{swap("4000000", "4e6"), `l.csv:2: column rapport_du_rang1: found "4e6", accepted euros such as 26429 or 29272,9 or 13000000,00`},
		{swap("R 3329 7084", "r33297084"), `column codes_gagnants: found "r33297084,J 3818`},
		{swap("2019024;", "2019024;;"), `l.csv:2: found 21 cells, accepted 20, as in the header, with or without a last ';'`},
		{strings.Replace(lotoHeader, "boule_3", "boule_x", 1), `accepted a header with the column boule_3`},
		{strings.Replace(lotoHeader, "numero_chance", "chance", 1), `accepted a header with the column numero_chance (Loto, Super Loto, Grand Loto) or etoile_1 (Euro Millions)`},
		{strings.ReplaceAll(lotoHeader, "rapport_du_rang", "gain"), `accepted a header with the column rapport_du_rang1`},
		{strings.Replace(lotoHeader, "boule_3", "boule_2", 1), `accepted each column once; "boule_2" stands twice`},
		{lotoHeader, `l.csv: found no draw, accepted a header and one row or more`},
		{"", `l.csv:1: found the header ""`},
		{strings.Repeat("x;", 500), `l.csv:1: found 500 columns, accepted at most 400`},
	} {
		_, err := Read("l.csv", strings.NewReader(c.text))
		var e *Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got  %v\nwant %s", err, c.want)
		}
	}
}

// FuzzRead feeds text to the reader: no panic; what is read has its facts, and its bytes come again from what was kept.
func FuzzRead(f *testing.F) {
	f.Add(lotoHeader + "\n" + lotoRow + "\n")
	f.Add(strings.Replace(euroHeader, "é", "\xe9", 1) + "\r\n" + euroRow)
	f.Fuzz(func(t *testing.T, text string) {
		file, err := Read("fuzz.csv", strings.NewReader(text))
		if err != nil {
			return
		}
		again, err := Read("fuzz.csv", strings.NewReader(string(rebuild(file))))
		if err != nil {
			t.Fatalf("rebuilt text: %v", err)
		}
		for i := range file.Draws {
			d, e := file.Draws[i], again.Draws[i]
			d.Line, e.Line = 0, 0 // blank lines are lost
			if diff := cmp.Diff(d, e); diff != "" {
				t.Fatal(diff)
			}
			if len(d.Balls) != 5 || d.Game == "" || len(d.Date) != len(dayForm) || len(d.Ranks) == 0 {
				t.Fatalf("draw %+v", d)
			}
		}
	})
}
