package articles

import (
	"bufio"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Module is the path of the module whose code is scanned.
const Module = "tirage"

// Place is a line of a file; the file is named from the root of the module.
type Place struct {
	File string `json:"file"`
	Line int    `json:"line"`
}

func (p Place) String() string { return fmt.Sprintf("%s:%d", p.File, p.Line) }

// Code says where the code of a module names articles.
type Code struct {
	Files  int                // Go files scanned
	Places map[string][]Place // article → where comments name it
}

// unread are the top-level folders whose comments count for nothing: they check or describe the project, and quote
// articles as examples.
var unread = []string{"docs", "internal"}

// ModuleRoot returns the folder of the module, found from dir upwards by its go.mod.
func ModuleRoot(dir string) (string, error) {
	start, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for at := start; ; at = filepath.Dir(at) {
		if declaresModule(filepath.Join(at, "go.mod")) {
			return at, nil
		}
		if at == filepath.Dir(at) {
			return "", fmt.Errorf("no go.mod of module %s in %s or a folder above", Module, start)
		}
	}
}

func declaresModule(file string) bool {
	f, err := os.Open(file)
	if err != nil {
		return false
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if strings.TrimSpace(lines.Text()) == "module "+Module {
			return true
		}
	}
	return false
}

// Scan reads the comments of the Go code under root: every .go file but tests, testdata, hidden folders, nested
// modules and the folders that only check the project.
func Scan(root fs.FS) (Code, error) {
	code := Code{Places: map[string][]Place{}}
	err := fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != "." && skipped(root, name):
			return fs.SkipDir
		case entry.IsDir() || path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		code.Files++
		return code.scanFile(root, name)
	})
	return code, err
}

func skipped(root fs.FS, dir string) bool {
	base := path.Base(dir)
	if base == "testdata" || base[0] == '.' || base[0] == '_' || slices.Contains(unread, dir) {
		return true
	}
	_, err := fs.Stat(root, path.Join(dir, "go.mod"))
	return err == nil
}

func (c *Code) scanFile(root fs.FS, name string) error {
	text, err := fs.ReadFile(root, name)
	if err != nil {
		return err
	}
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, text, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err // names file and line
	}
	for _, group := range file.Comments {
		for _, comment := range group.List {
			first := files.Position(comment.Pos()).Line
			for i, line := range strings.Split(comment.Text, "\n") {
				for _, article := range namedIn(line) {
					c.Places[article] = append(c.Places[article], Place{name, first + i})
				}
			}
		}
	}
	return nil
}

var (
	citation   = regexp.MustCompile(`\bArt\. (` + article + `(?:(?:, | and )` + article + `)*)`)
	anyArticle = regexp.MustCompile(article)
)

// namedIn returns the articles that a line of a comment names, each once.
func namedIn(line string) []string {
	var articles []string
	for _, found := range citation.FindAllStringSubmatch(line, -1) {
		articles = append(articles, anyArticle.FindAllString(found[1], -1)...)
	}
	slices.Sort(articles)
	return slices.Compact(articles)
}
