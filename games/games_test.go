package games

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tirage/internal/covers"
	"tirage/rules/combin"
	"tirage/rules/rulebook"
)

// mustVersion returns an embedded rulebook.
func mustVersion(t *testing.T, version string) *rulebook.Rulebook {
	t.Helper()
	r, err := Version(version)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestEveryFileOfTheFolderIsListed(t *testing.T) {
	var found []string
	for _, game := range Games() {
		names, err := filepath.Glob(game + "/*.toml")
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, names...)
	}
	var listed []string
	for _, r := range All() {
		listed = append(listed, filepath.Join(r.Header.Game, r.Header.Effective+".toml"))
	}
	slices.Sort(found)
	if !slices.Equal(found, listed) {
		t.Errorf("in the folder %v, listed %v", found, listed)
	}
}

func TestAllIsSortedAndHoldsEveryGame(t *testing.T) {
	versions := make([]string, 0, len(All()))
	for _, r := range All() {
		versions = append(versions, r.Header.Version())
	}
	want := strings.Fields(`donuts@2019-06-25 etoileplus@2016-09-27 etoileplus@2020-02-04
		euromillions@2016-09-27 euromillions@2018-10-29 euromillions@2020-02-04
		fortynine@2019-06-25 grandloto@2017-03-06 grandloto@2018-10-29 jokerplus@2017-03-06
		loto@2017-03-06 loto@2018-10-29 loto@2019-11-04
		mymillion@2016-09-27 mymillion@2018-10-29 superloto@2017-03-06 superloto@2018-10-29`)
	if !slices.Equal(versions, want) {
		t.Errorf("versions %v, want %v", versions, want)
	}
}

// The second before a day of effect follows the old version, its first second the new one: Paris wall time, on nights of
// summer time, winter time and the change between them.
func TestVersionChangesAtMidnightInParis(t *testing.T) {
	covers.Covers(t, "P3")
	for _, c := range []struct{ game, instant, want string }{
		{"loto", "2018-10-28T23:59:59+01:00", "loto@2017-03-06"},
		{"loto", "2018-10-29T00:00:00+01:00", "loto@2018-10-29"},
		{"loto", "2018-10-28T22:59:59Z", "loto@2017-03-06"},
		{"loto", "2018-10-28T23:00:00Z", "loto@2018-10-29"},
		{"loto", "2018-10-28T22:00:00Z", "loto@2017-03-06"}, // midnight by the summer time that ended that morning
		{"loto", "2018-10-28T02:30:00+02:00", "loto@2017-03-06"},
		{"loto", "2018-10-28T02:30:00+01:00", "loto@2017-03-06"},
		{"superloto", "2018-10-28T22:59:59Z", "superloto@2017-03-06"},
		{"superloto", "2018-10-28T23:00:00Z", "superloto@2018-10-29"},
		{"grandloto", "2018-10-28T22:59:59Z", "grandloto@2017-03-06"},
		{"grandloto", "2018-10-28T23:00:00Z", "grandloto@2018-10-29"},
		{"euromillions", "2018-10-28T22:59:59Z", "euromillions@2016-09-27"},
		{"euromillions", "2018-10-28T23:00:00Z", "euromillions@2018-10-29"},
		{"mymillion", "2018-10-28T22:59:59Z", "mymillion@2016-09-27"},
		{"mymillion", "2018-10-28T23:00:00Z", "mymillion@2018-10-29"},
		{"loto", "2019-11-03T22:59:59Z", "loto@2018-10-29"},
		{"loto", "2019-11-03T23:00:00Z", "loto@2019-11-04"},
		{"loto", "2019-11-04T00:00:00-05:00", "loto@2019-11-04"},
		{"euromillions", "2020-02-03T22:59:59Z", "euromillions@2018-10-29"},
		{"euromillions", "2020-02-03T23:00:00Z", "euromillions@2020-02-04"},
		{"etoileplus", "2020-02-03T22:59:59Z", "etoileplus@2016-09-27"},
		{"etoileplus", "2020-02-03T23:00:00Z", "etoileplus@2020-02-04"},
		{"etoileplus", "2016-09-26T22:00:00Z", "etoileplus@2016-09-27"}, // summer time: two hours ahead
		{"jokerplus", "2030-01-01T00:00:00Z", "jokerplus@2017-03-06"},
	} {
		instant, err := time.Parse(time.RFC3339, c.instant)
		if err != nil {
			t.Fatal(err)
		}
		r, err := At(c.game, instant)
		if err != nil {
			t.Errorf("%s at %s: %v", c.game, c.instant, err)
		} else if got := r.Header.Version(); got != c.want {
			t.Errorf("%s at %s: %s, want %s", c.game, c.instant, got, c.want)
		}
	}
}

func TestUnknownGameDayAndVersionSayWhatIsAccepted(t *testing.T) {
	for _, c := range []struct {
		find func() (*rulebook.Rulebook, error)
		want []string
	}{
		{func() (*rulebook.Rulebook, error) { return InForce("keno", "2018-10-29") }, []string{`"keno"`, "accepted: ", "etoileplus, euromillions, ", "superloto"}},
		{func() (*rulebook.Rulebook, error) { return InForce("loto", "2017-03-05") }, []string{"2017-03-05", "accepted: 2017-03-06"}},
		{func() (*rulebook.Rulebook, error) { return At("etoileplus", time.Unix(0, 0)) }, []string{"1970-01-01", "accepted: 2016-09-27"}},
		{func() (*rulebook.Rulebook, error) { return InForce("loto", "2018-02-30") }, []string{"2018-02-30", "accepted: a day that exists, as YYYY-MM-DD"}},
		{func() (*rulebook.Rulebook, error) { return InForce("loto", "29/10/2018") }, []string{"29/10/2018", "YYYY-MM-DD"}},
		{func() (*rulebook.Rulebook, error) { return Version("loto@2018-10-28") }, []string{"loto@2018-10-28", "accepted: loto@2017-03-06, loto@2018-10-29, loto@2019-11-04"}},
		{func() (*rulebook.Rulebook, error) { return Version("keno") }, []string{"keno", "accepted: ", "etoileplus"}},
	} {
		_, err := c.find()
		if err == nil {
			t.Errorf("no error, want %q", c.want)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("error %q lacks %q", err, want)
			}
		}
	}
}

func TestDigestIsThatOfTheFile(t *testing.T) {
	for _, r := range All() {
		data, err := os.ReadFile(filepath.Join(r.Header.Game, r.Header.Effective+".toml"))
		if err != nil {
			t.Fatal(err)
		}
		if sum := sha256.Sum256(data); r.Digest != sum {
			t.Errorf("%s: digest %s, want %s", r.Header.Version(), hex.EncodeToString(r.Digest[:]), hex.EncodeToString(sum[:]))
		}
	}
}

func TestLoadReadsAnExternalFile(t *testing.T) {
	r, err := Load(os.DirFS("."), "loto/2018-10-29.toml")
	if err != nil {
		t.Fatal(err)
	}
	if r.Digest != mustVersion(t, "loto@2018-10-29").Digest {
		t.Error("the same file has another digest")
	}
	if r, err = LoadFile("loto/2018-10-29.toml"); err != nil || r.Header.Version() != "loto@2018-10-29" {
		t.Errorf("the file of the machine: %v", err)
	}
	if _, err := LoadFile("loto"); err == nil {
		t.Error("a folder was read")
	}
	if _, err := Load(os.DirFS("."), "loto/2001-01-01.toml"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("absent file: %v", err)
	}
}

// Art. packs@2018-10-29:1 and 3: what the text complements, since when, and where it is published.
func TestHeadersOfTheTextOf29October2018(t *testing.T) {
	covers.Covers(t, "P1", "P2", "P3", "P81")
	for _, c := range []struct{ game, base, made, jo string }{
		{"loto", "règlement de La Française des jeux dénommé Loto®", "2008-09-10", "2008-09-23"},
		{"superloto", "règlement de La Française des jeux dénommé Loto®", "2008-09-10", "2008-09-23"},
		{"grandloto", "règlement de La Française des jeux dénommé Loto®", "2008-09-10", "2008-09-23"},
		{"euromillions", "règlement de l'offre de jeux dénommée « Euro Millions-My Million » et du jeu « Etoile+ »", "2004-01-06", "2004-01-27"},
		{"mymillion", "règlement de l'offre de jeux dénommée « Euro Millions-My Million » et du jeu « Etoile+ »", "2004-01-06", "2004-01-27"},
	} {
		h := mustVersion(t, c.game+"@2018-10-29").Header
		if h.BaseText != c.base || h.Made != c.made || h.JO != c.jo {
			t.Errorf("%s complements %q of %s, JO %s", c.game, h.BaseText, h.Made, h.JO)
		}
		if want := []rulebook.Amendment{{JO: "2018-03-07"}}; !slices.Equal(h.Amendments, want) {
			t.Errorf("%s: amendments %v, want %v", c.game, h.Amendments, want)
		}
		if h.Effective != "2018-10-29" || weekday(t, h.Effective) != time.Monday {
			t.Errorf("%s: in force from %s, want Monday 29 October 2018", c.game, h.Effective)
		}
		if h.Publish != "Journal officiel de la République française" {
			t.Errorf("%s: published in %q", c.game, h.Publish)
		}
	}
}

func weekday(t *testing.T, day string) time.Weekday {
	t.Helper()
	d, err := time.Parse(time.DateOnly, day)
	if err != nil {
		t.Fatal(err)
	}
	return d.Weekday()
}

func TestArticlesRenumberedAndRepealed(t *testing.T) {
	covers.Covers(t, "P43", "P77", "P79")
	loto := map[string]string{"14.8": "14.9", "14.9": "14.10", "14.10": "14.11", "14.11": "14.12", "14.12": "14.13", "14.13": "14.14"}
	euro := map[string]string{"3.4.2.6": "3.4.2.7", "3.4.2.7": "3.4.2.8", "3.4.2.8": "3.4.2.9"}
	for _, r := range All() {
		h := r.Header
		var renumbered map[string]string
		var repealed []string
		if h.Effective == "2018-10-29" {
			renumbered = loto
			if h.Regulation == "euromillions" {
				renumbered, repealed = euro, []string{"4.3.3"}
			}
		}
		if !maps.Equal(h.Renumbered, renumbered) {
			t.Errorf("%s renumbers %v, want %v", h.Version(), h.Renumbered, renumbered)
		}
		if !slices.Equal(h.Repealed, repealed) {
			t.Errorf("%s repeals %v, want %v", h.Version(), h.Repealed, repealed)
		}
	}
	if p := mustVersion(t, "loto@2018-10-29").Pack; p.Article != "14.8" {
		t.Errorf("packs stand in article %q, want the new 14.8", p.Article)
	}
	if p := mustVersion(t, "euromillions@2020-02-04").Pack; p.Article != "3.4.2.6" {
		t.Errorf("packs stand in article %q, want the new 3.4.2.6", p.Article)
	}
}

// Packs come on 29 October 2018 and stay.
func TestPacksByVersion(t *testing.T) {
	for _, r := range All() {
		want := r.Header.Effective >= "2018-10-29" && r.Header.Game != "etoileplus" && r.Ladder == nil
		if got := r.Pack != nil; got != want {
			t.Errorf("%s: packs %v, want %v", r.Header.Version(), got, want)
		}
		if r.Pack != nil && slices.Contains(r.Pack.Channels, "shop") {
			t.Errorf("%s: packs at points of sale", r.Header.Version())
		}
	}
	for version, want := range map[string][3]string{
		"loto@2018-10-29":         {"loto/reserve", "loto/reserve", ""},
		"superloto@2018-10-29":    {"loto/reserve", "loto/reserve", ""},
		"grandloto@2018-10-29":    {"loto/reserve", "loto/reserve", ""},
		"euromillions@2018-10-29": {"euromillions/reserve", "mymillion/reserve", "euromillions/reserve"},
		"mymillion@2018-10-29":    {"", "mymillion/reserve", ""},
	} {
		p := mustVersion(t, version).Pack
		if got := [3]string{p.ReserveRanks, p.ReserveCode, p.ReserveEuroCode}; got != want {
			t.Errorf("%s: unsold shares give their gains to %q, want %q", version, got, want)
		}
	}
}

func TestFormatsSold(t *testing.T) {
	loto, euro := mustVersion(t, "loto@2018-10-29"), mustVersion(t, "euromillions@2018-10-29")
	for _, c := range []struct {
		r          *rulebook.Rulebook
		f          combin.Format
		sale, pack bool
	}{
		{loto, combin.Format{Main: 5, Extra: 1}, true, true},
		{loto, combin.Format{Main: 6, Extra: 10}, true, true},
		{loto, combin.Format{Main: 7, Extra: 8}, true, true},
		{loto, combin.Format{Main: 7, Extra: 9}, false, true},
		{loto, combin.Format{Main: 8, Extra: 4}, false, true},
		{loto, combin.Format{Main: 9, Extra: 1}, true, true},
		{loto, combin.Format{Main: 9, Extra: 10}, false, true},
		{loto, combin.Format{Main: 10, Extra: 1}, false, false},
		{loto, combin.Format{Main: 5, Extra: 0}, false, false},
		{euro, combin.Format{Main: 5, Extra: 2}, true, true},
		{euro, combin.Format{Main: 6, Extra: 12}, true, true},
		{euro, combin.Format{Main: 10, Extra: 12}, false, true},
		{euro, combin.Format{Main: 5, Extra: 1}, false, false},
		{euro, combin.Format{Main: 11, Extra: 2}, false, false},
	} {
		if got := c.r.SaleFormat(c.f); got != c.sale {
			t.Errorf("%s: %v sold %v, want %v", c.r.Header.Version(), c.f, got, c.sale)
		}
		if got := c.r.PackFormat(c.f); got != c.pack {
			t.Errorf("%s: %v in a pack %v, want %v", c.r.Header.Version(), c.f, got, c.pack)
		}
	}
	if mustVersion(t, "loto@2017-03-06").PackFormat(combin.Format{Main: 5, Extra: 1}) {
		t.Error("a pack before 29 October 2018")
	}
}

func TestPrices(t *testing.T) {
	for _, c := range []struct {
		version, grid, want string
	}{
		{"loto@2018-10-29", "1-2-3-4-5+1", "2.20"},
		{"loto@2018-10-29", "1-2-3-4-5-6-7+1-2-3-4-5-6-7-8", "369.60"},
		{"superloto@2018-10-29", "1-2-3-4-5+1", "3.00"},
		{"grandloto@2018-10-29", "1-2-3-4-5-6+1-2", "60.00"},
		{"euromillions@2018-10-29", "1-2-3-4-5+1-2", "2.50"},
		{"euromillions@2018-10-29", "1-2-3-4-5-6+1-2-3-4-5-6-7-8-9-10-11-12", "990.00"},
		{"etoileplus@2016-09-27", "1-2-3-4-5+1-2-3", "3.00"},
		{"loto@2018-10-29", "1-2-3-4+1", "0.00"},
	} {
		grid, err := combin.Parse(c.grid)
		if err != nil {
			t.Fatal(err)
		}
		if got := mustVersion(t, c.version).PriceOf(grid).String(); got != c.want {
			t.Errorf("%s %s: %s €, want %s", c.version, c.grid, got, c.want)
		}
	}
}

// The bounds of the zones as the text prints them, and the counts of codes that they make.
func TestZonesOfTheCodes(t *testing.T) {
	for _, c := range []struct {
		version, series             string
		random, sequential, unused  int64
		lastRandom, firstSequential string
	}{
		{"loto@2018-10-29", "loto", 2_182_147_231, 417_852_769, 0, "V 8214 7230", "V 8214 7231"},
		{"superloto@2018-10-29", "superloto", 2_182_147_231, 417_852_769, 0, "V 8214 7230", "V 8214 7231"},
		{"grandloto@2018-10-29", "grandloto", 2_182_147_231, 417_852_769, 0, "V 8214 7230", "V 8214 7231"},
		{"mymillion@2018-10-29", "mymillion", 5_673_582_801, 1_086_417_199, 0, "VV 358 2800", "VV 358 2801"},
		{"euromillions@2018-10-29", "euromillions", 680_000_000, 119_999_999, 1, "F VZZ 99999", "F WBB 00001"},
	} {
		s, ok := mustVersion(t, c.version).Series(c.series)
		if !ok {
			t.Fatalf("%s has no series %s", c.version, c.series)
		}
		var unused int64
		for _, r := range s.Unused {
			unused += r.Len()
		}
		if s.Random.Len() != c.random || s.Sequential.Len() != c.sequential || unused != c.unused {
			t.Errorf("%s: %d random, %d sequential, %d unused codes", c.version, s.Random.Len(), s.Sequential.Len(), unused)
		}
		if got := s.Format(s.Random.Last); got != c.lastRandom {
			t.Errorf("%s: last random code %s, want %s", c.version, got, c.lastRandom)
		}
		if got := s.Format(s.Sequential.First); got != c.firstSequential {
			t.Errorf("%s: first sequential code %s, want %s", c.version, got, c.firstSequential)
		}
		if s.RandomUpTo != 10 {
			t.Errorf("%s: random codes up to %d, want 10", c.version, s.RandomUpTo)
		}
		if euro := c.series == "euromillions"; s.Exceptional != euro || s.Free != euro {
			t.Errorf("%s: exceptional %v, free %v", c.version, s.Exceptional, s.Free)
		}
	}
	if _, ok := mustVersion(t, "loto@2018-10-29").Series("mymillion"); ok {
		t.Error("Loto has a series mymillion")
	}
}

// Confidences are those of the fact sheets: what nobody at hand states is never said to be text.
func TestConfidences(t *testing.T) {
	for _, c := range []struct {
		version, path, article string
		confidence             rulebook.Confidence
	}{
		{"loto@2018-10-29", "pack.formats", "loto@2018-10-29:14.8", rulebook.Text},
		{"loto@2018-10-29", "codes.1.sequential", "loto@2018-10-29:3", rulebook.Text},
		{"loto@2018-10-29", "codes.1.random", "loto@2018-10-29:3", rulebook.Inferred},
		{"loto@2018-10-29", "prizes.ranks.3.gain", "loto@2018-10-29:8.1.1.2", rulebook.Verified},
		{"loto@2018-10-29", "prizes.jackpot.max_rolls", "loto@2018-10-29:8.1.1.2", rulebook.Press},
		{"loto@2018-10-29", "sale.max_identical", "décret 78-1067:15", rulebook.Press},
		{"loto@2018-10-29", "sale.price", "", rulebook.Press},
		{"loto@2019-11-04", "pack.formats", "loto@2018-10-29:14.8", rulebook.Text},
		{"superloto@2018-10-29", "codes.1.sequential", "loto@2018-10-29:3", rulebook.Text},
		{"euromillions@2018-10-29", "header.repealed", "packs@2018-10-29:2", rulebook.Text},
		{"euromillions@2018-10-29", "pack.reserve_euro_code", "euromillions@2018-10-29:3.4.2.6", rulebook.Inferred},
		{"mymillion@2018-10-29", "pack.reserve_code", "euromillions@2018-10-29:3.4.2.6", rulebook.Text},
		{"mymillion@2018-10-29", "funds.1.title", "euromillions@2018-10-29:5.3.2", rulebook.Text},
		{"euromillions@2018-10-29", "sale.formats", "", rulebook.Assumed},
		{"jokerplus@2017-03-06", "digits.stakes.1.gains", "", rulebook.Assumed},
		{"jokerplus@2017-03-06", "digits.length", "", rulebook.Verified},
	} {
		facts := mustVersion(t, c.version).Facts
		i := slices.IndexFunc(facts, func(f rulebook.Fact) bool { return f.Path == c.path })
		if i < 0 {
			t.Errorf("%s has no fact %s", c.version, c.path)
			continue
		}
		if f := facts[i]; f.Article != c.article || f.Confidence != c.confidence {
			t.Errorf("%s %s: article %q, %s; want %q, %s", c.version, c.path, f.Article, f.Confidence, c.article, c.confidence)
		}
	}
}

func TestUnitsOfTheFacts(t *testing.T) {
	for _, c := range []struct{ version, path, value, unit string }{
		{"loto@2018-10-29", "sale.price", "2.20", "€"},
		{"loto@2018-10-29", "prizes.ranks.2.gain", "100_000", "€"},
		{"loto@2018-10-29", "prizes.winners_share", "54.75", "%"},
		{"loto@2018-10-29", "prizes.ranks.2.ways", "9", ""},
		{"loto@2018-10-29", "header.effective", "2018-10-29", ""},
		{"jokerplus@2017-03-06", "digits.stakes.2.gains", "500_000, 100_000, 10_000, 2_000, 200, 20, 4", "€"},
	} {
		facts := mustVersion(t, c.version).Facts
		i := slices.IndexFunc(facts, func(f rulebook.Fact) bool { return f.Path == c.path })
		if i < 0 || facts[i].Value != c.value || facts[i].Unit != c.unit {
			t.Errorf("%s: no fact %s = %s %s", c.version, c.path, c.value, c.unit)
		}
	}
}

// Every value has a fact of its own, on a line of the file, and the facts stand in the order of the file.
func TestFactsOfEveryValue(t *testing.T) {
	for _, r := range All() {
		seen := map[string]bool{}
		last := 0
		for _, f := range r.Facts {
			if seen[f.Path] || f.Line < last || !f.Confidence.Known() {
				t.Errorf("%s: %+v", r.Header.Version(), f)
			}
			seen[f.Path], last = true, f.Line
		}
		for _, path := range []string{"header.effective", "header.base", "header.source"} {
			if !seen[path] {
				t.Errorf("%s: no fact for %s", r.Header.Version(), path)
			}
		}
	}
}
