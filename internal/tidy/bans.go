package tidy

import (
	"go/ast"
	"go/token"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var (
	// without a clock: their time is an argument.
	noClock = []string{"rules", "fairness", "ledger", "logbook", "central"}
	// without the world: everything is an argument.
	noWorld = []string{"rules", "fairness", "ledger", "logbook"}
	// exact: amounts are cents, odds are rationals.
	noFloat = []string{"rules", "ledger", "central"}
)

// world are the packages by which code reaches outside itself; a pattern ends in "/..." for those below it.
var world = []string{"os", "os/...", "net", "net/...", "syscall", "crypto/rand", "database/sql", "database/sql/...", "log", "log/..."}

var (
	reads = []string{"Now", "Since", "Until"}
	waits = []string{"Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker"}

	// floatTypes and floatFuncs are told by name: a selector with such a name makes or takes a floating-point number
	// whatever package it is of (big.Float, strconv.ParseFloat, Rat.Float64).
	floatTypes = []string{"float32", "float64", "complex64", "complex128"}
	floatFuncs = []string{"Float", "Float32", "Float64", "NewFloat", "ParseFloat", "FormatFloat", "AppendFloat", "SetFloat64"}
	floatWord  = regexp.MustCompile(`\b(?:float|complex)(?:32|64|128)\b`)
	// integers are the constants of package math that are no floating-point numbers.
	integers = regexp.MustCompile(`^(?:MaxInt|MinInt|MaxUint)(?:8|16|32|64)?$`)
)

// bans checks one file of code for what its folder must not use.
func (c *checker) bans(s *source) {
	names := c.bannedImports(s)
	tags := map[*ast.BasicLit]bool{}
	ast.Inspect(s.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Field:
			tags[n.Tag] = true
		case *ast.SelectorExpr:
			c.selector(s, names, n)
		case *ast.Ident:
			if in(s, noFloat) && slices.Contains(floatTypes, n.Name) {
				c.reportAt(s, n.Pos(), "%s in %s: accepted money.Cents, integers and big.Rat", n.Name, s.folder)
			}
		case *ast.BasicLit:
			if !tags[n] {
				c.literal(s, n)
			}
		}
		return true
	})
	if in(s, noFloat) {
		c.floatComments(s)
	}
}

func in(s *source, folders []string) bool { return slices.Contains(folders, s.folder) }

// bannedImports checks the imports and returns the names under which packages stand in the file.
func (c *checker) bannedImports(s *source) map[string]string {
	names := map[string]string{}
	for _, spec := range s.file.Imports {
		imported, _ := strconv.Unquote(spec.Path.Value)
		name := path.Base(imported)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		names[name] = imported
		random := imported == "math/rand" || strings.HasPrefix(imported, "math/rand/")
		switch {
		case name == "." && (imported == "time" || imported == "math"):
			c.reportAt(s, spec.Pos(), "import . %q hides what is used of it: accepted under a name", imported)
		case random && s.folder != "sim" && s.folder != "bench":
			c.reportAt(s, spec.Pos(), "%s can be predicted: accepted crypto/rand through a port, or in sim, bench and tests", imported)
		case in(s, noWorld) && slices.ContainsFunc(world, func(p string) bool { return matches(p, imported) }):
			c.reportAt(s, spec.Pos(), "%s imports %s: %s is pure, what it needs is an argument", s.folder, imported, s.folder)
		}
	}
	return names
}

// matches reports whether a package is meant by a pattern of [world].
func matches(pattern, imported string) bool {
	if dir, below := strings.CutSuffix(pattern, "..."); below {
		return strings.HasPrefix(imported, dir)
	}
	return pattern == imported
}

func (c *checker) selector(s *source, names map[string]string, n *ast.SelectorExpr) {
	of := ""
	if x, ok := n.X.(*ast.Ident); ok {
		of = names[x.Name]
	}
	name := n.Sel.Name
	switch {
	case of == "time" && in(s, noClock) && slices.Contains(reads, name):
		c.reportAt(s, n.Pos(), "time.%s in %s: accepted a time that is an argument, or the port Clock", name, s.folder)
	case of == "time" && in(s, noWorld) && slices.Contains(waits, name):
		c.reportAt(s, n.Pos(), "time.%s in %s: %s is pure and waits for nothing", name, s.folder, s.folder)
	case in(s, noFloat) && slices.Contains(floatFuncs, name),
		in(s, noFloat) && of == "math" && !integers.MatchString(name):
		c.reportAt(s, n.Pos(), "%s is floating point in %s: accepted money.Cents, integers and big.Rat", name, s.folder)
	}
}

func (c *checker) literal(s *source, n *ast.BasicLit) {
	switch n.Kind {
	case token.FLOAT, token.IMAG:
		if in(s, noFloat) {
			c.reportAt(s, n.Pos(), "literal %s in %s: accepted integers and big.Rat", n.Value, s.folder)
		}
	case token.STRING:
		if text, err := strconv.Unquote(n.Value); err == nil && s.folder != "store" && s.folder != control && isSQL(text) {
			c.reportAt(s, n.Pos(), "SQL in %s: accepted in store alone", s.folder)
		}
	}
}

// floatComments finds the type names in comments, where they would pass for a description of the code.
func (c *checker) floatComments(s *source) {
	for _, group := range s.file.Comments {
		for _, comment := range group.List {
			for i, line := range strings.Split(comment.Text, "\n") {
				if word := floatWord.FindString(line); word != "" {
					c.report(s.name, s.line(comment.Pos())+i, "%s in a comment of %s: accepted \"floating point\"", word, s.folder)
				}
			}
		}
	}
}

// sql finds statements: a verb in capitals that opens the text, a whole statement in capitals within it, or a text
// that as a whole is a statement in small letters. "select a draw" is English.
var sql = regexp.MustCompile(`^\s*(?:SELECT|INSERT|UPDATE|DELETE)\b` +
	`|\b(?:INSERT\s+INTO|DELETE\s+FROM|UPDATE\s+\S+\s+SET)\b|\bSELECT\b(?s:.)*\bFROM\b` +
	`|^\s*(?i:insert\s+into\s|delete\s+from\s|update\s+\S+\s+set\s|select\s(?s:.)+\sfrom\s)`)

func isSQL(text string) bool { return sql.MatchString(text) }

// sqlFile checks where a file of SQL stands; control reads sealed files with SQL of its own.
func (c *checker) sqlFile(name string) {
	if folder, _, _ := strings.Cut(name, "/"); folder != "store" && folder != control {
		c.report(name, 1, "a file of SQL: accepted in store alone")
	}
}
