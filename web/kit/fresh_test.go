package kit

import (
	"bytes"
	"go/format"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/a-h/templ"
	"github.com/a-h/templ/generator"
	parser "github.com/a-h/templ/parser/v2"
)

// The Go code of each template is what the template gives: make templ writes it.
func TestGeneratedFilesAreFresh(t *testing.T) {
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".templ") {
			return err
		}
		file, err := parser.Parse(path)
		if err != nil {
			return err
		}
		var b bytes.Buffer
		if _, err := generator.Generate(file, &b, generator.WithFileName(filepath.Base(path)), generator.WithVersion(templ.Version())); err != nil {
			return err
		}
		want, err := format.Source(b.Bytes())
		if err != nil {
			return err
		}
		got, err := os.ReadFile(strings.TrimSuffix(path, ".templ") + "_templ.go")
		if err != nil {
			return err
		}
		if !bytes.Equal(bytes.TrimSpace(got), bytes.TrimSpace(want)) {
			t.Errorf("%s has changed since its Go code was made: make templ", path)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
