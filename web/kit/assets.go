package kit

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
)

// Assets are files served under names that change with their contents, so that a browser keeps them for ever:
//
//	var art = kit.NewAssets("/donuts/assets/", files, kit.Files)
//	art.Path("game.js")    // "/donuts/assets/game.Zo3K1xYw9cE.js"
//	mux.Handle("GET /donuts/assets/", art)
//
// A style sheet names another file of the set as url(name), a module imports it as "./name"; both become the names served. Files that are not in
// the set are looked for in the others that it was made with.
type Assets struct {
	prefix string
	others []*Assets
	files  map[string]*asset // by name
	served map[string]*asset // by path
}

type asset struct {
	path, kind string
	plain      []byte
	packed     func() *packing
}

// packing is a file as it is sent, nil where packing gains nothing.
type packing struct{ brotli, gzip []byte }

var kinds = map[string]string{
	".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml", ".woff2": "font/woff2", ".txt": "text/plain; charset=utf-8",
	".png": "image/png", ".webp": "image/webp", ".wasm": "application/wasm", ".json": "application/json",
}

// NewAssets reads the files of a tree, whose folders are no part of their names. It panics on a file that names one that is missing: that is a fault of
// the program which its first test shows.
func NewAssets(prefix string, tree fs.FS, others ...*Assets) *Assets {
	a := &Assets{prefix: prefix, others: others, files: map[string]*asset{}, served: map[string]*asset{}}
	raw := map[string][]byte{}
	err := fs.WalkDir(tree, ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw[path.Base(p)], err = fs.ReadFile(tree, p)
		return err
	})
	if err != nil {
		panic(err)
	}
	for name := range raw {
		a.add(name, raw, nil)
	}
	return a
}

var references = map[string]*regexp.Regexp{
	".css": regexp.MustCompile(`url\(([a-z0-9-]+\.[a-z0-9]+)\)`),
	".js":  regexp.MustCompile(`"\./([a-z0-9_-]+\.[a-z0-9]+)"`),
}

// add gives a file its path, after those that it names.
func (a *Assets) add(name string, raw map[string][]byte, above []string) string {
	if f := a.files[name]; f != nil {
		return f.path
	}
	body, ok := raw[name]
	if !ok {
		for _, o := range a.others {
			if f := o.files[name]; f != nil {
				return f.path
			}
		}
		panic(fmt.Sprintf("assets: %v name %s, which is missing", above, name))
	}
	if len(above) > len(raw) {
		panic(fmt.Sprintf("assets: %v name each other", above))
	}
	ext := path.Ext(name)
	if ref := references[ext]; ref != nil {
		body = ref.ReplaceAllFunc(body, func(m []byte) []byte {
			named := string(ref.FindSubmatch(m)[1])
			p := a.add(named, raw, append(above, name))
			if ext == ".css" {
				return []byte("url(" + p + ")")
			}
			return []byte(strconv.Quote(p))
		})
	}
	sum := sha256.Sum256(body)
	f := &asset{
		path: a.prefix + strings.TrimSuffix(name, ext) + "." + base64.RawURLEncoding.EncodeToString(sum[:8]) + ext, kind: kinds[ext], plain: body,
	}
	f.packed = sync.OnceValue(f.pack)
	a.files[name], a.served[f.path] = f, f
	return f.path
}

// Path returns the path of a file of the set, or else of the others that it was made with. It panics when there is none.
func (a *Assets) Path(name string) string {
	if f := a.files[name]; f != nil {
		return f.path
	}
	for _, o := range a.others {
		if f := o.files[name]; f != nil {
			return f.path
		}
	}
	panic("assets: no file " + name)
}

// pack compresses a file as small as it gets; fonts and pictures are compressed already.
func (f *asset) pack() *packing {
	switch path.Ext(f.path) {
	case ".woff2", ".png", ".webp":
		return nil
	}
	var br, gz bytes.Buffer
	b := brotli.NewWriterLevel(&br, brotli.BestCompression)
	z, err := gzip.NewWriterLevel(&gz, gzip.BestCompression)
	if err != nil {
		panic(err) // the level is a constant
	}
	for _, w := range []interface {
		Write([]byte) (int, error)
		Close() error
	}{b, z} {
		_, _ = w.Write(f.plain) // to memory
		_ = w.Close()
	}
	if br.Len() >= len(f.plain) {
		return nil
	}
	return &packing{br.Bytes(), gz.Bytes()}
}

// ServeHTTP serves a file of the set by its path.
func (a *Assets) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f := a.served[r.URL.Path]
	if f == nil {
		http.Error(w, "there is no such file", http.StatusNotFound)
		return
	}
	h := w.Header()
	h.Set("Content-Type", f.kind)
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("X-Content-Type-Options", "nosniff")
	body := f.plain
	if p := f.packed(); p != nil {
		h.Set("Vary", "Accept-Encoding")
		switch accepted := r.Header.Get("Accept-Encoding"); {
		case accepts(accepted, "br"):
			h.Set("Content-Encoding", "br")
			body = p.brotli
		case accepts(accepted, "gzip"):
			h.Set("Content-Encoding", "gzip")
			body = p.gzip
		}
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = w.Write(body) // who is gone needs no answer
}

// accepts reports whether a list of encodings has one that is not ruled out.
func accepts(list, encoding string) bool {
	for one := range strings.SplitSeq(list, ",") {
		name, quality, _ := strings.Cut(strings.TrimSpace(one), ";")
		if name == encoding {
			q := strings.ReplaceAll(quality, " ", "")
			return q != "q=0" && q != "q=0.0" && q != "q=0.00" && q != "q=0.000"
		}
	}
	return false
}
