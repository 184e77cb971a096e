package verify_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"flag"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tirage/internal/covers"
	"tirage/vault"
	"tirage/web"
	page "tirage/web/verify"
)

var update = flag.Bool("update", false, "build assets/verify.wasm.gz anew")

// build makes the module as anybody can.
func build(t *testing.T) []byte {
	t.Helper()
	out := filepath.Join(t.TempDir(), "verify.wasm")
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w -buildid=", "-o", out, "./cmd/verify")
	cmd.Dir = covers.Root(t)
	cmd.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "GOFLAGS=")
	if log, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, log)
	}
	module, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return module
}

// The module that is served is what the source gives, byte for byte, so that nobody has to believe it.
func TestWASM(t *testing.T) {
	module := build(t)
	if *update {
		var b bytes.Buffer
		w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(module); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("assets/verify.wasm.gz", b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		t.Logf("%d bytes, %d packed", len(module), b.Len())
		return
	}
	served, err := page.Module()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(served, module) {
		t.Errorf("assets/verify.wasm.gz (%d bytes) is not what the source gives (%d bytes): run go generate ./web/verify and commit it", len(served), len(module))
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "wasm_exec.js"))
	if err != nil {
		t.Skip("this Go has no lib/wasm/wasm_exec.js to compare with")
	}
	ours, err := os.ReadFile("assets/wasm_exec.js")
	if err != nil || !bytes.Equal(ours, theirs) {
		t.Errorf("assets/wasm_exec.js is not that of this Go: copy it and run go generate ./web/verify (%v)", err)
	}
}

// Case 44: the page says of every shared vector what the program says, in both languages.
func TestCase44ThePageSaysWhatTheProgramSays(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("no node is installed: the module cannot be run here")
	}
	module, err := page.Module()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "verify.wasm")
	if err := os.WriteFile(file, module, 0o600); err != nil {
		t.Fatal(err)
	}
	assets, err := filepath.Abs("assets")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(covers.Root(t), "verify", "testdata", "vectors.json")
	var all struct {
		Vectors []struct {
			Name   string
			OK     bool
			FR, EN string
		}
	}
	data, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(data, &all)
	}
	if err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(node, "testdata/run.cjs", assets, file, path).Output()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<20)
	next := func() (name, text string, ok bool) {
		var a struct {
			Name, Text string
			OK         bool
		}
		if !lines.Scan() || json.Unmarshal(lines.Bytes(), &a) != nil {
			t.Fatalf("the module ended early: %s", out)
		}
		return a.Name, a.Text, a.OK
	}
	for _, v := range all.Vectors {
		for _, want := range []string{v.FR, v.EN} {
			if name, text, ok := next(); name != v.Name || ok != v.OK || text != want {
				t.Errorf("%s: the page says\n%sthe program says\n%s", v.Name, text, want)
			}
		}
	}
	if _, text, ok := next(); ok || !strings.Contains(text, "no public key") {
		t.Errorf("without a key: %q", text)
	}
	t.Logf("%d vectors in two languages", len(all.Vectors))
}

// The page runs WebAssembly and loads nothing from elsewhere, says the same in both languages, and gives the operator's key. Only this page may run it.
func TestPage(t *testing.T) {
	h, err := page.New(&web.Host{Clock: vault.SystemClock{}, LogKey: "tirage-log+00000000+AAAA"})
	if err != nil {
		t.Fatal(err)
	}
	get := func(path, accept string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodGet, path, nil)
		r.Header.Set("Accept-Language", accept)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w
	}
	for accept, want := range map[string]string{"en-GB,en": "<h1>Verify</h1>", "fr-FR": "<h1>Vérifier</h1>"} {
		w := get("/verify/", accept)
		body := w.Body.String()
		if w.Code != 200 || !strings.Contains(body, want) || !strings.Contains(body, "tirage-log+00000000+AAAA") || !strings.Contains(body, `<html lang="`+accept[:2]+`"`) {
			t.Errorf("%s: %d\n%s", accept, w.Code, body)
		}
		csp := w.Header().Get("Content-Security-Policy")
		if !strings.Contains(csp, "script-src 'self' 'wasm-unsafe-eval'") || strings.Contains(csp, "unsafe-inline") || strings.Contains(csp, "'unsafe-eval'") || !strings.Contains(csp, "default-src 'none'") {
			t.Errorf("policy %q", csp)
		}
		if strings.Contains(body, " style=") || strings.Contains(body, "onclick") {
			t.Error("the page has code or style in line, which its policy refuses")
		}
	}
	if w := get("/verify/verify.wasm", ""); w.Code != 200 || !bytes.HasPrefix(w.Body.Bytes(), []byte("\x00asm")) || w.Header().Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("the module: %d, %d bytes", w.Code, w.Body.Len())
	}
	for _, path := range []string{"/verify/verify.wasm.gz", "/verify/assets/verify.wasm.gz", "/verify/x", "/verify/../verify.go"} {
		if w := get(path, ""); w.Code == 200 {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
}
