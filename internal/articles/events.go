package articles

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Mark opens what a test prints to declare sentences: "covers: P27 P28".
const Mark = "covers: "

// Event is one line of the output of `go test -json` (go doc test2json), as far as it is used here.
type Event struct {
	Action  string // run, output, pass, fail, skip, build-output …
	Package string
	Test    string // "" for what concerns the whole package; "TestA/b" for a subtest
	Output  string
}

// maxEvent bounds one line of the run's output, in bytes: test2json cuts the output of tests far below.
const maxEvent = 1 << 20

// ParseEvent reads one line of the output of `go test -json`.
func ParseEvent(line []byte) (Event, error) {
	var e Event
	if err := json.Unmarshal(line, &e); err != nil || e.Action == "" {
		return Event{}, fmt.Errorf("found %.60q: accepted a line of the output of go test -json, such as {\"Action\":\"pass\",…}", line)
	}
	return e, nil
}

// ReadEvents calls do for each line of the output of `go test -json`; name is the file that errors cite.
func ReadEvents(name string, r io.Reader, do func(Event) error) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxEvent)
	n := 0
	for lines.Scan() {
		n++
		e, err := ParseEvent(lines.Bytes())
		if err == nil {
			err = do(e)
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", name, n, err)
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s:%d: %w", name, n+1, err)
	}
	return nil
}

// Tests is what a run of tests says of the sentences.
type Tests struct {
	Passed, Failed, Skipped int                 // tests and subtests, by final action
	Declared                map[string][]string // sentence id → tests that declared it and passed, "package.Test", sorted
}

// declaration is a line that covers.Covers printed: the testing package puts file and line of the caller before it.
var declaration = regexp.MustCompile(`^\s*\S+\.go:\d+: ` + Mark + `(.*?)\s*$`)

// ReadTests reads the output of a `go test -json` run; name is the file that errors cite. A test counts as passed if it
// passed every time that the run ran it.
func ReadTests(name string, r io.Reader) (Tests, error) {
	final := map[string]string{}      // test → its action; "fail" stays
	declared := map[string][]string{} // test → ids
	err := ReadEvents(name, r, func(e Event) error {
		if e.Test == "" {
			return nil
		}
		test := e.Package + "." + e.Test
		switch e.Action {
		case "pass", "skip", "fail":
			if final[test] != "fail" {
				final[test] = e.Action
			}
		case "output":
			if found := declaration.FindStringSubmatch(e.Output); found != nil {
				return declare(declared, test, found[1])
			}
		}
		return nil
	})
	if err != nil {
		return Tests{}, err
	}
	return sumUp(final, declared), nil
}

func declare(declared map[string][]string, test, list string) error {
	for _, id := range strings.Fields(list) {
		if !Known(id) {
			return fmt.Errorf("%s declares sentence %.40q: accepted the ids of docs/sentences.md", test, id)
		}
		declared[test] = append(declared[test], id)
	}
	return nil
}

func sumUp(final map[string]string, declared map[string][]string) Tests {
	t := Tests{Declared: map[string][]string{}}
	for _, test := range slices.Sorted(maps.Keys(final)) {
		switch final[test] {
		case "pass":
			t.Passed++
			ids := slices.Sorted(slices.Values(declared[test]))
			for _, id := range slices.Compact(ids) {
				t.Declared[id] = append(t.Declared[id], test)
			}
		case "fail":
			t.Failed++
		case "skip":
			t.Skipped++
		}
	}
	return t
}
