// Package games holds the rulebooks: one TOML file per game and day of effect, embedded, each value with its article and its
// confidence. It reads and checks them, and says which one is in force.
//
//	r, err := games.At("loto", soldAt)             // by the instant, Europe/Paris
//	r, err := games.InForce("loto", "2018-10-28")  // by the day: loto@2017-03-06
//	r, err := games.Version("loto@2018-10-29")     // by name, as a play records it
//
// # The file
//
//	[prizes]
//	model      = "fixed"
//	article    = "8.1.1.2"      # the provenance of every value of this table and of the tables inside …
//	confidence = "verified"
//	ranks = [
//	  { rank = 1, hits = ["5+1"], ways = 1 },
//	  { rank = 2, hits = ["5+0"], ways = 9, gain = 100_000 },
//	]
//
//	[prizes.jackpot]
//	start     = 2_000_000
//	max_rolls = { v = 34, confidence = "press", note = "never reached" } # … unless a value has its own
//
// article is the number in the regulation that the header names, as that version numbers it; "packs@2018-10-29:2" (the text
// that brings in the packs) or "décret 78-1067:15" is an article of another text, "none" says that no article at hand states
// the value. confidence is
// text (stated by a legal text at hand), verified (recomputed on the operator's published results), press, inferred (our
// reading) or assumed (ours). A value without both is refused.
//
// Amounts are in euros and proportions in per cent, decimals of at most two places that are read digit by digit and never as
// binary fractions. Days are TOML dates. Formats are "7x1-8" (7 numbers, 1 to 8 extra numbers), hits "4+1", codes as they are
// printed; in the layout of a series "@" is one of its letters and "#" a digit. The tables are:
//
//	header      game, title, regulation, base, made, jo, [amendments] made jo, effective, publication, source, repealed,
//	            [renumbered] old = new, [notes] text
//	matrix      main, main_of, extra, extra_of, total
//	sale        price, [price_parts] game = part, formats, max_combinations, max_identical, group_max, with, add_ons
//	prizes      model, gain_step, merge_inverted, winners_share, endowment, booster, booster_late,
//	            [ranks] rank hits ways gain share late_share, [jackpot] start after_win step round_up max_rolls
//	            late_from cap cap_step cap_max cap_draws must_be_won
//	codes       series, layout, letters, random_up_to, random, sequential, unused, exceptional, free, [prize] codes gain
//	pack        formats, channels, excludes, formulas, reserve_ranks, reserve_code, reserve_euro_code
//	calendar    weekdays, sale_days, close, draw, claim_days, unclaimed
//	funds       account, title
//	digits      length, winners_share, endowment, [stakes] stake gains
//	ladder      base, rounding, gauge, full_gauge, cap, [first] certain value, [urn] good bad, [band] min max,
//	            [kinds] name weight, [levels] items stable star values pays printed misprint
//	rounds      abandon_days floor_seconds, of a ladder
//
// # Faults
//
// A file with an unknown key, a key twice, a value of the wrong type or without provenance, or whose numbers do not add up is
// refused. The error is an [*Error]: one line for each fault, file:line: what was found; what is accepted.
//
// # Versions
//
// A file is never edited to follow an amendment: the amendment is a new file, listed in all.go. A version is in force from its
// first day of effect at 00:00:00 Europe/Paris until the next one.
package games

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"time"
	_ "time/tzdata" // Europe/Paris on machines without a zone database

	"tirage/rules/rulebook"
)

// Paris is the time zone of every day and hour of the regulations.
var Paris = func() *time.Location {
	paris, err := time.LoadLocation("Europe/Paris")
	if err != nil {
		panic(err) // time/tzdata is linked in
	}
	return paris
}()

// All returns every embedded rulebook, by game, the oldest version first. They are shared: nobody changes them.
func All() []*rulebook.Rulebook { return slices.Clone(all()) }

// all reads the embedded files once. A fault in them is a fault of the program.
var all = sync.OnceValue(func() []*rulebook.Rulebook {
	var books []*rulebook.Rulebook
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		r, err := Load(files, name)
		if err != nil {
			return err
		}
		if want := path.Join(r.Header.Game, r.Header.Effective) + ".toml"; name != want {
			return fmt.Errorf("%s holds %s; accepted: %s", name, r.Header.Version(), want)
		}
		books = append(books, r)
		return nil
	})
	if err != nil {
		panic(fmt.Sprintf("games: %v", err))
	}
	return books
})

// Games returns the names of the games, sorted.
func Games() []string {
	var names []string
	for _, r := range all() {
		names = append(names, r.Header.Game)
	}
	return slices.Compact(names)
}

// Versions returns the versions of a game, the oldest first.
func Versions(game string) ([]*rulebook.Rulebook, error) {
	var versions []*rulebook.Rulebook
	for _, r := range all() {
		if r.Header.Game == game {
			versions = append(versions, r)
		}
	}
	if versions == nil {
		return nil, fmt.Errorf("game %.40q; accepted: %s", game, strings.Join(Games(), ", "))
	}
	return versions, nil
}

// InForce returns the version of a game in force on a calendar day of Europe/Paris, YYYY-MM-DD: the last one whose first day of
// effect has come.
func InForce(game, day string) (*rulebook.Rulebook, error) {
	versions, err := Versions(game)
	if err != nil {
		return nil, err
	}
	if _, err := time.Parse(time.DateOnly, day); err != nil {
		return nil, fmt.Errorf("day %.40q; accepted: a day that exists, as YYYY-MM-DD", day)
	}
	for _, r := range slices.Backward(versions) {
		if r.Header.Effective <= day {
			return r, nil
		}
	}
	return nil, fmt.Errorf("%s has no rulebook for %s; accepted: %s, the first day of its first version, or later", game, day, versions[0].Header.Effective)
}

// At returns the version of a game in force at an instant. A version takes effect at 00:00:00 Europe/Paris: what is sold a second
// before follows the version before.
//
// Art. packs@2018-10-29:1 (« à compter du lundi 29 octobre 2018 »).
func At(game string, t time.Time) (*rulebook.Rulebook, error) {
	return InForce(game, t.In(Paris).Format(time.DateOnly))
}

// Version returns the rulebook with this name: "loto@2018-10-29".
func Version(version string) (*rulebook.Rulebook, error) {
	game, _, _ := strings.Cut(version, "@")
	versions, err := Versions(game)
	if err != nil {
		return nil, fmt.Errorf("version %.60q: %w", version, err)
	}
	var names []string
	for _, r := range versions {
		if r.Header.Version() == version {
			return r, nil
		}
		names = append(names, r.Header.Version())
	}
	return nil, fmt.Errorf("version %.60q; accepted: %s", version, strings.Join(names, ", "))
}
