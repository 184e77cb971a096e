package tidy

import (
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"
)

const (
	// maxLines is the length up to which a Go file needs no reason: what a reader holds in mind.
	maxLines = 500
	// topLines is how far down the reason for more may stand.
	topLines = 30
)

var longFile = regexp.MustCompile(`(?m)^// long file: \S`)

// length checks that a long file says why it is long.
func (c *checker) length(s *source) {
	lines := strings.SplitAfter(strings.TrimSuffix(s.text, "\n"), "\n")
	if s.generated || len(lines) <= maxLines {
		return
	}
	top := strings.Join(lines[:topLines], "")
	if !longFile.MatchString(top) {
		c.report(s.name, maxLines+1, "%d lines: accepted %d, or a line \"// long file: reason\" within the first %d", len(lines), maxLines, topLines)
	}
}

// The words are put together here so that this file does not hold them.
var open = regexp.MustCompile(`\b(?:TO` + `DO|FIX` + `ME|X` + `XX)\b|(?i:not` + ` implemented)`)

// foreign are files of others that stand here as they came: a test compares them with where they came from.
var foreign = []string{"web/verify/assets/wasm_exec.js", "web/office/assets/uplot.js"}

// openWords finds the words that leave work for later in a file that ships.
func (c *checker) openWords(name, text string) {
	if slices.Contains(foreign, name) {
		return
	}
	for i, line := range strings.Split(text, "\n") {
		if word := open.FindString(line); word != "" {
			c.report(name, i+1, "%q leaves work open: accepted finished code; a known hole is written as BUG", word)
		}
	}
}

var textFiles = []string{".go", ".md", ".toml", ".sql", ".templ", ".js", ".css", ".html", ".sh", ".yml", ".yaml"}

// isText reports whether a file is text of ours: by its ending, or because it stands where scripts stand.
func isText(name string) bool {
	dir := path.Dir(name)
	return slices.Contains(textFiles, path.Ext(name)) || name == "Makefile" || dir == ".ci" || dir == "scripts"
}

// packageComments checks that each package says what it is.
func (c *checker) packageComments() {
	type pkg struct{ dir, name string }
	first := map[pkg]*source{} // the file to blame
	said := map[pkg]bool{}
	for _, s := range c.sources {
		p := pkg{path.Dir(s.name), s.file.Name.Name}
		if strings.HasSuffix(s.name, "_test.go") || s.generated && first[p] != nil {
			continue
		}
		if first[p] == nil {
			first[p] = s
		}
		if s.file.Doc != nil && strings.HasPrefix(s.file.Doc.Text(), opening(p.name)) {
			said[p] = true
		}
	}
	for p, s := range first {
		if !said[p] {
			c.reportAt(s, s.file.Package, "package %s has no package comment: accepted one that begins %q", p.name, opening(p.name))
		}
	}
}

// opening is how the comment of a package begins.
func opening(name string) string {
	if name == "main" {
		return "Command "
	}
	return "Package " + name + " "
}

// dependencies checks that DEPENDENCIES.md explains each module that code imports.
func (c *checker) dependencies() error {
	if !c.has("go.mod") {
		return nil
	}
	b, err := fs.ReadFile(c.tree, "go.mod")
	if err != nil {
		return err
	}
	mod, err := modfile.ParseLax("go.mod", b, nil)
	if err != nil {
		return err // names file and line
	}
	page, err := fs.ReadFile(c.tree, "DEPENDENCIES.md")
	if err != nil {
		return err
	}
	for _, r := range mod.Require {
		if s, line := c.importer(r.Mod.Path); s != nil && !strings.Contains(string(page), "`"+r.Mod.Path+"`") {
			c.report(s.name, line, "module %s is imported and DEPENDENCIES.md does not explain it: accepted with a row there", r.Mod.Path)
		}
	}
	return nil
}

// importer returns the first file that imports a package of the module, and the line.
func (c *checker) importer(mod string) (*source, int) {
	for _, s := range c.sources {
		for _, spec := range s.file.Imports {
			imported, _ := strconv.Unquote(spec.Path.Value)
			if s.folder != control && (imported == mod || strings.HasPrefix(imported, mod+"/")) {
				return s, s.line(spec.Pos())
			}
		}
	}
	return nil, 0
}
