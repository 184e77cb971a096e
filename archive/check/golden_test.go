package check

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"tirage/archive"
	"tirage/games"
	"tirage/rules/money"
	"tirage/rules/prize"
)

// published is a draw as the sheets of facts give it: winners and gains by rank, in euros.
type published struct {
	game, date, numbers string
	cycle               string
	winners, gains      string
}

// The published draws of ../shared/rules/euromillions.md and loto.md, and the Loto draw of 14 August 2021, where ranks 3 and 4 are merged.
var (
	euroGoldens = []published{
		{archive.EuroMillions, "2016-10-28", "10 16 19 23 43 + 2 8", "1",
			"1 5 8 112 1332 4187 2846 55816 59837 127410 273843 834733 1759886",
			"17375733 317750.6 46254.8 1616.0 144.9 64.3 53.7 12.6 12.4 11.0 7.2 7.1 4.1"},
		{archive.EuroMillions, "2018-02-23", "10 17 18 28 47 + 3 7", "1",
			"2 5 16 172 1994 6898 3890 98958 90759 179067 486402 1322556 2594009",
			"88862248 485787.2 35357.9 1608.8 148.0 59.7 60.0 10.8 12.5 12.0 6.2 6.9 4.3"},
		{archive.EuroMillions, "2018-10-19", "1 3 29 47 48 + 3 12", "5", // rank 2 empty
			"0 0 2 38 569 1174 1489 17937 29325 68260 96546 468942 1114658",
			"0 0 692976.8 3370.1 240.0 162.4 72.6 27.7 17.9 14.5 14.5 9.0 4.6"},
		{archive.EuroMillions, "2018-11-02", "5 15 17 37 44 + 7 11", "1",
			"1 2 13 49 1055 2091 2164 29872 45644 96543 146471 627533 1369528",
			"87021202 616939.4 22106.4 2868.7 142.1 100.0 54.8 18.2 12.6 11.3 10.5 7.3 4.1"},
		{archive.EuroMillions, "2020-02-04", "21 23 33 35 47 + 6 7", "",
			"0 4 9 47 659 1573 1461 22081 32479 61757 116314 473901 910511",
			"0 155596.4 16162.4 963.9 126.6 56.0 42.4 14.0 10.6 10.4 6.7 5.1 4.3"},
		{archive.EuroMillions, "2020-04-14", "6 29 34 35 40 + 4 11", "", // rank 3 empty
			"0 1 0 11 249 580 630 9521 12558 29444 56431 205136 488245",
			"0 357319.7 0 9956.6 192.4 87.3 56.5 18.6 15.8 12.5 7.9 6.8 4.6"},
	}
	reachesCap = published{archive.EuroMillions, "2019-09-24", "2 33 42 47 48 + 1 2", "20",
		"0 3 16 52 1068 2515 2566 38002 53715 121412 211329 824779 1862827",
		"0 5012664.0 28674.3 4315.5 224.1 132.8 73.8 22.9 17.1 14.3 11.6 8.9 4.8"}
	lotoGoldens = []published{
		{archive.GrandLoto, "2017-12-22", "10 20 21 29 34 + 9", "",
			"0 0 74 663 3459 31769 51260 471623 678474", "20000000 200000 10540.5 3549.7 275.7 137.5 73.8 36.6 12.3"},
		{archive.GrandLoto, "2018-12-25", "5 20 31 36 44 + 5", "",
			"0 4 94 713 4107 33375 61901 502554 870296", "15000000 248000 6228.7 3232.1 247.8 126.7 57.2 30.2 9.2"},
		{archive.Loto, "2021-08-14", "4 28 42 49 35 + 7", "",
			"0 1 134 447 3163 18754 43780 274397 692759", "14000000 208298.8 403.1 403.1 34.6 21 7 4.4 2.2"},
	}
)

// csv prints draws of one game as the operator does.
func csv(draws ...published) string {
	euro := draws[0].game == archive.EuroMillions
	main := strings.Fields("annee_numero_de_tirage jour_de_tirage date_de_tirage numéro_de_tirage_dans_le_cycle boule_1 boule_2 boule_3 boule_4 boule_5")
	extra, rank, rapport := []string{"numero_chance"}, "nombre_de_gagnant_au_rang%d", "rapport_du_rang%d"
	if euro {
		extra, rank, rapport = []string{"etoile_1", "etoile_2"}, rank+"_Euro_Millions_en_europe", rapport+"_Euro_Millions"
	}
	lines := []string{strings.Join(append(main, extra...), ";")}
	for k := range strings.Fields(draws[0].winners) {
		lines[0] += fmt.Sprintf(";"+rank+";"+rapport, k+1, k+1)
	}
	weekdays := []string{"DI", "LU", "MA", "ME", "JE", "VE", "SA"}
	for i, d := range draws {
		day, err := time.Parse(time.DateOnly, d.date)
		if err != nil {
			panic(err)
		}
		cells := []string{fmt.Sprint(i + 1), weekdays[day.Weekday()], day.Format("02/01/2006"), d.cycle}
		cells = append(cells, strings.Fields(strings.ReplaceAll(d.numbers, "+", ""))...)
		gains := strings.Fields(d.gains)
		for k, w := range strings.Fields(d.winners) {
			cells = append(cells, w, strings.ReplaceAll(gains[k], ".", ","))
		}
		lines = append(lines, strings.Join(cells, ";")+";")
	}
	return strings.Join(lines, "\n") + "\n"
}

// checked reads and checks archives given as text, each of one game.
func checked(t testing.TB, texts ...string) *Report {
	t.Helper()
	var files []*archive.File
	for i, text := range texts {
		f, err := archive.Read(fmt.Sprintf("loto%d.csv", i), strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	return Files(files, games.InForce)
}

// TestGoldens explains each published draw on its own.
func TestGoldens(t *testing.T) {
	for _, d := range slices.Concat(euroGoldens, lotoGoldens) {
		f := checked(t, csv(d)).Files[0]
		if f.Game != d.game || f.Tally != (Tally{Draws: 1, Explained: 1}) {
			t.Errorf("%s %s: %s %v %v", d.game, d.date, f.Game, f.Tally, f.Faults)
		}
	}
}

// TestCase43CountsThatFitNoFund: a second export of the same draws has 0.4 % of the winners less. No fund gives its gains: it is refused, and beside the
// first export the difference is told.
func TestCase43CountsThatFitNoFund(t *testing.T) {
	for _, d := range append(slices.Clone(euroGoldens), lotoGoldens[2]) {
		other := d
		var fewer []string
		for w := range strings.FieldsSeq(d.winners) {
			var n int64
			if _, err := fmt.Sscan(w, &n); err != nil {
				t.Fatal(err)
			}
			fewer = append(fewer, fmt.Sprint(n-n*4/1000))
		}
		other.winners = strings.Join(fewer, " ")
		f := checked(t, csv(other)).Files[0]
		if f.Tally != (Tally{Draws: 1, Contradicted: 1}) {
			t.Errorf("%s: %v", d.date, f.Tally)
		}
		both := checked(t, csv(d), csv(other))
		first, second := both.Files[0], both.Files[1]
		if first.Explained != 1 || second.Contradicted != 1 || !both.Contradicted() {
			t.Errorf("%s: together %v and %v", d.date, first.Tally, second.Tally)
		}
		if len(second.Events) != 1 || second.Events[0].Kind != Oddity {
			t.Errorf("%s: events %v", d.date, second.Events)
		}
	}
}

// TestOverflow tests the draw of 24 September 2019, whose jackpot reached the cap: alone it can't be tested, with the carry of before it is explained.
func TestOverflow(t *testing.T) {
	f := checked(t, csv(reachesCap)).Files[0]
	if f.Untestable != 1 || !strings.Contains(f.Faults[0].Why, "rank 2 pays 130") {
		t.Errorf("alone: %v %v", f.Tally, f.Faults)
	}
	for carry, want := range map[money.Cents]Verdict{189_603_712_00: Explained, 189_603_000_00: Contradicted, 189_605_000_00: Contradicted} {
		d := f.draws[0]
		p := pot{last: &draw{Draw: &archive.Draw{Date: "2019-09-20"}, rules: d.rules}, cap: 190 * million, capKnown: true}
		c := prize.Cycle{Position: 19, Carry: carry, Cap: p.cap}
		p.start("2019-07-01", c)
		p.low.Carry, p.high.Carry = carry-100_00, carry+100_00
		p.step(d)
		if d.verdict != want {
			t.Errorf("carry %v: %s %s", carry, d.verdict, d.why)
		}
		if want == Explained && (p.high.Capped != 1 || p.low.Carry != 190*million) {
			t.Errorf("next %+v", p.high)
		}
	}
}

// TestUnfollowedJackpot lists a jackpot that no draw before it predicts.
func TestUnfollowedJackpot(t *testing.T) {
	f := checked(t, csv(euroGoldens[3])).Files[0]
	if len(f.Jackpots) != 1 || f.Jackpots[0].Predicted() || f.Jackpots[0].Why != "the draws before are not in these files" {
		t.Errorf("jackpots %v", f.Jackpots)
	}
}

// TestUntestable: no counts, no rulebook, a rule that is not known.
func TestUntestable(t *testing.T) {
	noCounts := euroGoldens[0]
	noCounts.winners = strings.Join(slices.Repeat([]string{"0"}, 13), " ")
	early := euroGoldens[0]
	early.date = "2015-10-30"
	later := lotoGoldens[0]
	later.date = "2020-12-25"
	for _, c := range []struct {
		d    published
		want string
	}{
		{noCounts, "every count of winners is zero: none is published"},
		{early, "euromillions has no rulebook for 2015-10-30"},
		{later, "the rule of grandloto from 2019-11-04 on is not known"},
	} {
		f := checked(t, csv(c.d)).Files[0]
		if f.Untestable != 1 || !strings.Contains(f.Faults[0].Why, c.want) {
			t.Errorf("%v %v, want %s", f.Tally, f.Faults, c.want)
		}
	}
}
