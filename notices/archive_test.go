package notices_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"tirage/archive"
	"tirage/central"
	"tirage/evening"
	"tirage/internal/covers"
	"tirage/notices"
	"tirage/store/mem"
	"tirage/vault"
)

// facts are what a settlement is given of a past draw: nothing that it is to work out.
type facts struct {
	game, day string
	drawn     string // "7-44-37-48-38+7", in the order of drawing
	winners   []int64
	jackpot   int64 // announced, in euros
	codes     []string
	joker     string
}

// scenario writes the draw as an evening on which nothing was sold here.
func (f *facts) scenario() string {
	var b strings.Builder
	fmt.Fprintf(&b, "draw %s %s reconstructed\nopens %[2]s 08:00\ncloses %[2]s 20:15\njackpot %d\nresult %s\n", f.game, f.day, f.jackpot, f.drawn)
	for codes := range slices.Chunk(f.codes, 10) {
		fmt.Fprintf(&b, "winning-codes %s %s\n", f.game, strings.Join(codes, ", "))
	}
	fmt.Fprintf(&b, "joker %s\n", f.joker)
	for i, n := range f.winners {
		if n > 0 {
			fmt.Fprintf(&b, "elsewhere r%d %d\n", i+1, n)
		}
	}
	return b.String()
}

// settle takes a draw from its opening to the published notice, on a store of its own.
func settle(t *testing.T, f *facts) *central.Notice {
	t.Helper()
	s, err := evening.Parse(f.day, []byte(f.scenario()))
	if err != nil {
		t.Fatal(err)
	}
	o := evening.Options{Store: &mem.Store{}, Entropy: &evening.Rehearsal{Seed: 1}}
	if o.Keys, err = vault.New(o.Entropy); err != nil {
		t.Fatal(err)
	}
	if _, err := evening.Run(t.Context(), s, o); err != nil {
		t.Fatalf("%s of %s: %v", f.game, f.day, err)
	}
	snap, err := o.Store.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	list, err := notices.Published(t.Context(), snap)
	if err != nil || len(list) != 1 {
		t.Fatalf("%s of %s: %d notices, %v", f.game, f.day, len(list), err)
	}
	return list[0]
}

// factsOf keeps of a published row what was known before the settlement. The jackpot is announced in millions, and its parts are rounded up to the euro.
func factsOf(d *archive.Draw) *facts {
	const million = 1_000_000
	f := &facts{game: d.Game, day: d.Date, codes: d.Codes.List, joker: d.Joker}
	f.drawn = strings.Trim(strings.ReplaceAll(fmt.Sprint(d.Balls), " ", "-"), "[]") + fmt.Sprintf("+%d", d.Extras[0])
	for _, r := range d.Ranks {
		f.winners = append(f.winners, r.Winners)
	}
	f.jackpot = int64(d.Ranks[0].Gain/100) * max(1, d.Ranks[0].Winners) / million * million
	return f
}

// Every draw of Loto, Super Loto and Grand Loto de Noël of the formula of 2017, settled here from its numbers, winner counts, announced jackpot, codes and
// number of Joker+ alone: the files made of the notices are the published ones, byte for byte.
func TestPublishedArchives(t *testing.T) {
	covers.Covers(t, "P9")
	dir := covers.SharedData(t)
	draws := 0
	for _, name := range []string{"superloto_201703.csv", "grandloto_201712_201812.csv", "loto_201703.csv"} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		f, err := archive.Read(name, bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		var list []*central.Notice
		for i := range f.Draws {
			list = append(list, settle(t, factsOf(&f.Draws[i])))
		}
		got, err := notices.CSV(f.Game, list)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, data) {
			t.Errorf("%s differs (-published +ours):\n%.2000s", name, cmp.Diff(strings.Split(string(data), "\n"), strings.Split(string(got), "\n")))
		}
		draws += len(list)
	}
	t.Logf("%d draws settled here: their archives are the published files", draws)
	if draws != 316 {
		t.Errorf("%d draws, want 316", draws)
	}
}

// Golden rows, typed from what was published: they need no file.
func TestGoldenRows(t *testing.T) {
	noel := strings.Split("A 0000 0001,"+codes("C", 99), ",")
	for _, c := range []struct {
		facts
		want string
	}{
		{facts{"loto", "2019-02-25", "7-44-37-48-38+7", []int64{0, 0, 48, 181, 1732, 9799, 27734, 151855, 433301}, 4_000_000, strings.Split("R 3329 7084,J 3818 3823,A 1155 6066,P 3526 8298,W 0926 6084,R 2639 7097,S 2510 7376,O 2415 6017,Q 4947 7534,Q 1765 2471", ","), "5 031 606"},
			"2019024;LUNDI   ;25/02/2019;27/04/2019;7;44;37;48;38;7;7-37-38-44-48+7;0;4000000;0;100000;48;1000;181;500;1732;50;9799;20;27734;10;151855;5;433301;2,2;10;20000;R 3329 7084,J 3818 3823,A 1155 6066,P 3526 8298,W 0926 6084,R 2639 7097,S 2510 7376,O 2415 6017,Q 4947 7534,Q 1765 2471;5 031 606;eur;\n"},
		{facts{"grandloto", "2017-12-22", "21-29-10-34-20+9", []int64{0, 0, 74, 663, 3459, 31769, 51260, 471623, 678474}, 20_000_000, noel, "0 123 456"},
			"2017001;VENDREDI;22/12/2017;21/02/2018;21;29;10;34;20;9;10-20-21-29-34+9;0;20000000;0;200000;74;10540,5;663;3549,7;3459;275,7;31769;137,5;51260;73,8;471623;36,6;678474;12,3;100;20000;" + strings.Join(noel, ",") + ";0 123 456;eur;\n"},
		// Ten million over three winners: each part is rounded up to the euro.
		{facts{"loto", "2018-11-03", "1-2-3-4-5+6", []int64{3, 0, 1, 1, 1, 1, 1, 1, 1}, 10_000_000, []string{"A 0000 0001"}, "0 000 009"},
			"2018132;SAMEDI  ;03/11/2018;03/01/2019;1;2;3;4;5;6;1-2-3-4-5+6;3;3333334;0;100000;1;1000;1;500;1;50;1;20;1;10;1;5;1;2,2;1;20000;A 0000 0001;0 000 009;eur;\n"},
	} {
		n := settle(t, &c.facts)
		row, err := notices.Row(n, nil)
		if err != nil {
			t.Fatal(err)
		}
		if string(row) != c.want {
			t.Errorf("%s of %s:\ngot  %swant %s", c.game, c.day, row, c.want)
		}
	}
}

func codes(letter string, n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("%s 0000 %04d", letter, i)
	}
	return strings.Join(list, ",")
}
