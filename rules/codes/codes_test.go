package codes_test

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tirage/internal/covers"
	"tirage/rules/codes"
)

const (
	letters    = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	consonants = "BCDFGHJKLMNPQRSTVWXZ"
	digits     = "0123456789"
)

// alphabets joins groups of equal alphabets: 8 times digits, and so on.
func alphabets(groups ...any) []string {
	var as []string
	for i := 0; i < len(groups); i += 2 {
		for range groups[i].(int) {
			as = append(as, groups[i+1].(string))
		}
	}
	return as
}

// series builds a series whose zones are given by their printed bounds.
func series(t testing.TB, id, layout string, as []string, bounds [4]string) codes.Series {
	t.Helper()
	s := codes.Series{ID: id, Layout: layout, Alphabets: as, RandomUpTo: 10}
	for i, o := range []*int64{&s.Random.First, &s.Random.Last, &s.Sequential.First, &s.Sequential.Last} {
		ordinal, err := s.Parse(bounds[i])
		if err != nil {
			t.Fatal(err)
		}
		*o = ordinal
	}
	if err := s.Check(); err != nil {
		t.Fatal(err)
	}
	return s
}

func loto(t testing.TB) codes.Series {
	return series(t, "loto", "# #### ####", alphabets(1, letters, 8, digits),
		[4]string{"A 0000 0000", "V 8214 7230", "V 8214 7231", "Z 9999 9999"})
}

func myMillion(t testing.TB) codes.Series {
	return series(t, "mymillion", "## ### ####", alphabets(2, letters, 7, digits),
		[4]string{"AA 000 0000", "VV 358 2800", "VV 358 2801", "ZZ 999 9999"})
}

// euroMillions has its random zone below W from 00001 on, as its sequential zone starts (inferred).
func euroMillions(t testing.TB) codes.Series {
	s := series(t, "euromillions", "F ### #####", alphabets(3, consonants, 5, digits),
		[4]string{"F BBB 00001", "F VZZ 99999", "F WBB 00001", "F ZZZ 99999"})
	s.Exceptional, s.Free = true, true
	return s
}

func all(t testing.TB) []codes.Series {
	return []codes.Series{loto(t), myMillion(t), euroMillions(t)}
}

func ordinal(t testing.TB, s codes.Series, printed string) int64 {
	t.Helper()
	o, err := s.Parse(printed)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// The counts of rules/loto.md and rules/euromillions.md.
func TestBoundsOfTheText(t *testing.T) {
	l, m, e := loto(t), myMillion(t), euroMillions(t)
	for _, c := range []struct {
		what      string
		got, want int64
	}{
		{"Loto", l.Size(), 2_600_000_000},
		{"Loto A 0000 0000–V 8214 7230", l.Random.Len(), 2_182_147_231},
		{"Loto V 8214 7231–Z 9999 9999", l.Sequential.Len(), 417_852_769},
		{"Loto zones", l.Random.Len() + l.Sequential.Len(), l.Size()},
		{"My Million", m.Size(), 6_760_000_000},
		{"My Million AA 000 0000–VV 358 2800", m.Random.Len(), 5_673_582_801},
		{"My Million VV 358 2801–ZZ 999 9999", m.Sequential.Len(), 1_086_417_199},
		{"My Million zones", m.Random.Len() + m.Sequential.Len(), m.Size()},
		{"Euro Millions", e.Size(), 20 * 20 * 20 * 100_000},
		{"Euro Millions F WBB 00001–F ZZZ 99999", e.Sequential.Len(), 3*20*20*100_000 - 1},
	} {
		if c.got != c.want {
			t.Errorf("%s: %d codes, want %d", c.what, c.got, c.want)
		}
	}
}

func TestFormatParse(t *testing.T) {
	l, m, e := loto(t), myMillion(t), euroMillions(t)
	for _, c := range []struct {
		s       codes.Series
		ordinal int64
		printed string
	}{
		{l, 0, "A 0000 0000"},
		{l, 9, "A 0000 0009"},
		{l, 99_999_999, "A 9999 9999"},
		{l, 100_000_000, "B 0000 0000"},
		{l, 2_182_147_230, "V 8214 7230"},
		{l, 2_182_147_231, "V 8214 7231"},
		{l, 2_599_999_999, "Z 9999 9999"},
		{m, 0, "AA 000 0000"},
		{m, 9_999_999, "AA 999 9999"},
		{m, 10_000_000, "AB 000 0000"},
		{m, 5_673_582_800, "VV 358 2800"},
		{m, 6_759_999_999, "ZZ 999 9999"},
		{e, 0, "F BBB 00000"},
		{e, 17 * 400 * 100_000, "F WBB 00000"}, // 17 consonants from B to V stand before W
		{e, 799_999_999, "F ZZZ 99999"},
	} {
		if got := c.s.Format(c.ordinal); got != c.printed {
			t.Errorf("%s: Format(%d) = %q, want %q", c.s.ID, c.ordinal, got, c.printed)
		}
		for _, printed := range []string{c.printed, strings.ReplaceAll(c.printed, " ", ""), strings.ReplaceAll(c.printed, " ", "\u00a0"), " " + c.printed + "  "} {
			if got, err := c.s.Parse(printed); err != nil || got != c.ordinal {
				t.Errorf("%s: Parse(%q) = %d, %v, want %d", c.s.ID, printed, got, err, c.ordinal)
			}
		}
	}
}

func TestFormatOutside(t *testing.T) {
	l := loto(t)
	for _, c := range []struct {
		ordinal int64
		want    string
	}{{-1, "loto(-1)"}, {2_600_000_000, "loto(2600000000)"}} {
		got := l.Format(c.ordinal)
		if got != c.want {
			t.Errorf("Format(%d) = %q, want %q", c.ordinal, got, c.want)
		}
		if _, err := l.Parse(got); err == nil {
			t.Errorf("Parse(%q) is accepted", got)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	l, m, e := loto(t), myMillion(t), euroMillions(t)
	for _, c := range []struct {
		s             codes.Series
		printed, want string
	}{
		{l, "", `code "": 0 characters found, accepted 9, from A 0000 0000 to Z 9999 9999`},
		{l, "V 8214 723", `code "V 8214 723": 8 characters found, accepted 9, from A 0000 0000 to Z 9999 9999`},
		{l, "V 8214 723O", `code "V 8214 723O": 'O' found as character 9, accepted one of 0123456789`},
		{l, "v 8214 7230", `code "v 8214 7230": 'v' found as character 1, accepted one of ABCDEFGHIJKLMNOPQRSTUVWXYZ`},
		{l, "V\t82147230", `code "V\t82147230": 10 characters found, accepted 9, from A 0000 0000 to Z 9999 9999`},
		{l, "V-8214-7230", `code "V-8214-7230": 11 characters found, accepted 9, from A 0000 0000 to Z 9999 9999`},
		{l, "É 8214 7230", `code "É 8214 7230": 'É' found as character 1, accepted one of ABCDEFGHIJKLMNOPQRSTUVWXYZ`},
		{m, "V 8214 7230", `code "V 8214 7230": '8' found as character 2, accepted one of ABCDEFGHIJKLMNOPQRSTUVWXYZ`},
		{e, "G WBB 00001", `code "G WBB 00001": 'G' found as character 1, accepted 'F'`},
		{e, "F WAB 00001", `code "F WAB 00001": 'A' found as character 3, accepted one of BCDFGHJKLMNPQRSTVWXZ`},
	} {
		if _, err := c.s.Parse(c.printed); err == nil || err.Error() != c.want {
			t.Errorf("%s: %q:\n got %v\nwant %s", c.s.ID, c.printed, err, c.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"V 8214 7231", "V82147231", "VV 358 2800", "F WBB 00001", "FTJX18583", "", "É"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, printed string) {
		for _, s := range all(t) {
			o, err := s.Parse(printed)
			if err != nil {
				continue
			}
			plain := strings.NewReplacer(" ", "", "\u00a0", "", "\u202f", "")
			if again := s.Format(o); plain.Replace(again) != plain.Replace(printed) {
				t.Errorf("%s: %q is read as %d, which is %q", s.ID, printed, o, again)
			}
		}
	})
}

// The eight codes drawn in France on 28 October 2016 (rules/euromillions.md): seven of the random zone, one of the sequential.
func TestCodesDrawnInFrance(t *testing.T) {
	e := euroMillions(t)
	for printed, zone := range map[string]codes.Zone{
		"FTJX18583": codes.RandomZone, "FFMN69169": codes.RandomZone, "FDRS96604": codes.RandomZone, "FWBC50471": codes.SequentialZone,
		"FGXR37189": codes.RandomZone, "FCLN76899": codes.RandomZone, "FJPC95117": codes.RandomZone, "FVZX54546": codes.RandomZone,
	} {
		if !e.Zone(zone).Contains(ordinal(t, e, printed)) {
			t.Errorf("%s is not in the %v zone", printed, zone)
		}
	}
}

// Every code of the published archives is a code of its series.
func TestCodesOfTheArchives(t *testing.T) {
	dir := covers.SharedData(t)
	for _, c := range []struct {
		s            codes.Series
		file, column string
		want         int
	}{
		{loto(t), "loto_201703.csv", "codes_gagnants", 3100},
		{myMillion(t), "euromillions_201609_4.csv", "numero_My_Million", 253},
	} {
		f, err := os.Open(filepath.Join(dir, c.file))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		r := csv.NewReader(f)
		r.Comma, r.FieldsPerRecord, r.LazyQuotes = ';', -1, true
		rows, err := r.ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		column, read := -1, 0
		for i, name := range rows[0] {
			if name == c.column {
				column = i
			}
		}
		for _, row := range rows[1:] {
			for printed := range strings.SplitSeq(row[column], ",") {
				if strings.TrimSpace(printed) == "" {
					continue
				}
				ordinal(t, c.s, printed)
				read++
			}
		}
		if read < c.want {
			t.Errorf("%s: %d codes read, want at least %d", c.file, read, c.want)
		}
		t.Logf("%s: %d codes", c.file, read)
	}
}

func TestCheckRefuses(t *testing.T) {
	for _, c := range []struct {
		what   string
		change func(*codes.Series)
		want   string
	}{
		{"no id", func(s *codes.Series) { s.ID = "" }, `codes "": no id, accepted a name such as loto`},
		{"layout too short", func(s *codes.Series) { s.Layout = "# #### ###" },
			`codes "loto": layout "# #### ###" has 8 places #, accepted one for each of its 9 alphabets, at least one`},
		{"no place", func(s *codes.Series) { s.Layout, s.Alphabets = "F", nil },
			`codes "loto": layout "F" has 0 places #, accepted one for each of its 0 alphabets, at least one`},
		{"layout not ASCII", func(s *codes.Series) { s.Layout = "é# #### ####" },
			`codes "loto": layout "é# #### ####": accepted are the printable characters of ASCII`},
		{"empty alphabet", func(s *codes.Series) { s.Alphabets[1] = "" }, `codes "loto": alphabet 2 is empty`},
		{"twice", func(s *codes.Series) { s.Alphabets[0] = "ABA" }, `codes "loto": alphabet 1 holds 'A' twice`},
		{"space", func(s *codes.Series) { s.Alphabets[0] = "A B" },
			`codes "loto": alphabet 1 holds ' ', accepted are the printable characters of ASCII but the space and #`},
		{"too many", func(s *codes.Series) { s.Layout, s.Alphabets = strings.Repeat("#", 40), alphabets(40, digits) },
			`codes "loto": more than 72057594037927936 codes, accepted at most that`},
		{"negative limit", func(s *codes.Series) { s.RandomUpTo = -1 }, `codes "loto": random up to -1 codes, accepted 0 or more`},
		{"zone outside", func(s *codes.Series) { s.Sequential.Last++ },
			`codes "loto": sequential zone 2182147231–2600000000 leaves the series, accepted 0 (A 0000 0000) to 2599999999 (Z 9999 9999)`},
		{"empty zone", func(s *codes.Series) { s.Random.First, s.Random.Last = 5, 4 },
			`codes "loto": random zone is empty: it starts at A 0000 0005 and ends at A 0000 0004`},
		{"zones that meet", func(s *codes.Series) { s.Random.Last++ },
			`codes "loto": V 8214 7231–V 8214 7231 is in both zones, accepted in one`},
	} {
		s := loto(t)
		c.change(&s)
		if err := s.Check(); err == nil || err.Error() != c.want {
			t.Errorf("%s:\n got %v\nwant %s", c.what, err, c.want)
		}
	}
}
