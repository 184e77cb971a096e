package tidy

import (
	"slices"
	"strconv"
	"strings"
)

// control is the independent control system: it reads sealed files and nothing else of ours.
const control = "control"

// layer is one top-level folder and the others that its code may import.
type layer struct {
	folder string
	may    []string
	all    bool // may import every folder but cmd
}

var (
	pure  = []string{"rules", "games", "fairness", "ledger", "logbook"}
	inner = append(slices.Clone(pure), "verify", "central")
)

// layers is the direction of imports, inside to outside. A folder always may import itself.
var layers = []layer{
	{folder: "rules"},
	{folder: "games", may: []string{"rules"}},
	{folder: "fairness", may: []string{"rules"}},
	{folder: "ledger", may: []string{"rules"}},
	{folder: "logbook", may: []string{"rules"}},
	// What a stranger checks: nothing of the system that it checks.
	{folder: "verify", may: []string{"rules", "games", "fairness", "logbook"}},
	// The page of the permissions is what the register goes by.
	{folder: "central", may: append(slices.Clone(pure), "verify", "docs")},
	// Adapters: each knows the inside, none knows another.
	{folder: "store", may: inner},
	{folder: "sealed", may: inner},
	{folder: "archive", may: inner},
	{folder: "vault", may: inner},
	{folder: "identity", may: inner},
	{folder: "banlist", may: inner},
	{folder: "payments", may: inner},
	{folder: "mail", may: inner},
	{folder: "drand", may: inner},
	// Tests what the generators give: floats, as statistics have them.
	{folder: "rngaudit", may: []string{"rules", "games", "fairness"}},
	// Notices are written in the operator's own format, too.
	{folder: "notices", may: append(slices.Clone(inner), "archive", "internal")},
	// Prints what proves a play: from the file that strangers check.
	{folder: "receipts", may: []string{"rules", "logbook", "verify", "internal"}},
	// Writes what people read in other programs.
	{folder: "exports", may: append(slices.Clone(inner), "internal")},
	// Rebuilds the tables from the log alone, to compare.
	{folder: "audit", may: inner},
	// Gathers what proves a draw, in the forms that others read.
	{folder: "evidence", may: append(slices.Clone(inner), "notices")},
	// Speaks for the desk, which is no technology either.
	{folder: "web", may: append(slices.Clone(inner), "identity", "notices", "receipts", "exports", "audit")},
	// Runs scenarios on whatever store it is given.
	{folder: "evening", may: append(slices.Clone(inner), "vault")},
	// Where everything meets.
	{folder: "server", all: true},
	{folder: "demo", all: true},
	{folder: "sim", all: true},
	{folder: "bench", all: true},
	{folder: "soak", all: true},
	{folder: "cmd", all: true},
	// What checks and describes the project.
	{folder: "docs"},
	{folder: "internal", may: []string{"docs"}},
	{folder: control},
}

// direction checks the imports of one file.
func (c *checker) direction(s *source) {
	i := slices.IndexFunc(layers, func(l layer) bool { return l.folder == s.folder })
	if i < 0 {
		c.report(s.name, 1, "folder %s has no place in the direction of imports: give it a row in internal/tidy/direction.go", s.folder)
		return
	}
	if s.folder == control && !c.has(control+"/go.mod") {
		c.report(s.name, 1, "control is a module of its own: accepted with control/go.mod")
	}
	if s.test && s.folder != control {
		return
	}
	for _, spec := range s.file.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue // the parser accepts no such import
		}
		if why := layers[i].refuses(imported); why != "" {
			c.reportAt(s, spec.Pos(), "%s imports %s: %s", s.folder, imported, why)
		}
	}
}

// refuses says why a file of the layer may not import a package, "" if it may.
func (l layer) refuses(imported string) string {
	of, ours := strings.CutPrefix(imported, module+"/")
	if !ours {
		if first, _, _ := strings.Cut(imported, "/"); l.folder == "rules" && strings.Contains(first, ".") {
			return "accepted the standard library and rules"
		}
		return ""
	}
	folder, _, _ := strings.Cut(of, "/")
	switch {
	case folder == l.folder || slices.Contains(l.may, folder):
		return ""
	case of == "internal/covers":
		return "it is for tests"
	case l.all && folder != "cmd" && folder != control:
		return ""
	case l.all:
		return "accepted every folder but cmd and control"
	case len(l.may) == 0:
		return "accepted nothing of ours but " + l.folder
	}
	return "accepted " + strings.Join(append([]string{l.folder}, l.may...), ", ")
}
