//go:build !js

package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tirage/internal/covers"
)

// files writes the shared vectors to a folder, has each checked, and returns the folder with the key.
func files(t *testing.T) (dir, key string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(covers.Root(t), "verify", "testdata", "vectors.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all struct {
		Key     string
		Vectors []struct {
			Name, Kind, Text, EN string
			OK                   bool
		}
	}
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	for _, v := range all.Vectors {
		if err := os.WriteFile(filepath.Join(dir, v.Name), []byte(v.Text), 0o600); err != nil {
			t.Fatal(err)
		}
		want := exitWrong
		if v.OK {
			want = 0
		}
		args := []string{v.Kind, "--lang", "en", "--key", all.Key, filepath.Join(dir, v.Name)}
		if code, out, errs := verified(args...); code != want || out != v.EN || errs != "" {
			t.Errorf("%s: exit %d\n%s%s", v.Name, code, out, errs)
		}
	}
	return dir, all.Key
}

func verified(args ...string) (code int, out, errs string) {
	var o, e bytes.Buffer
	code = run(args, &o, &e)
	return code, o.String(), e.String()
}

// The program says of every shared vector what is written down, with the exit code.
func TestVectors(t *testing.T) {
	dir, key := files(t)
	receipt := filepath.Join(dir, "receipt of a play")
	pub := filepath.Join(dir, "key")
	if err := os.WriteFile(pub, []byte(key+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, out, _ := verified("receipt", "--key", pub, "--lang", "fr", receipt); code != 0 || !strings.HasPrefix(out, "Ce reçu est authentique.\n") {
		t.Errorf("key in a file, in French: %d %s", code, out)
	}
	var report struct {
		Kind string
		Play struct{ ID string }
	}
	code, out, _ := verified("receipt", "--key", key, "--json", receipt)
	if err := json.Unmarshal([]byte(out), &report); err != nil || code != 0 || report.Kind != "receipt" || report.Play.ID == "" {
		t.Errorf("as JSON: %d %s", code, out)
	}
	for _, args := range [][]string{
		{}, {"receipt"}, {"receipt", receipt}, {"receipt", "--key", "x", receipt}, {"receipt", "--key", key, receipt, receipt},
		{"receipt", "--key", key, dir + "/none"}, {"other", "--key", key, receipt}, {"round"}, {"receipt", "--none"},
	} {
		if code, out, errs := verified(args...); code != exitInput || out != "" || errs == "" {
			t.Errorf("%q: exit %d %s%s", args, code, out, errs)
		}
	}
}

// The verifier shares nothing with the system that it checks but the rules, the games, the derivations and the form of the log.
func TestImports(t *testing.T) {
	cmd := exec.Command("go", "list", "-deps", "tirage/cmd/verify")
	cmd.Dir = covers.Root(t)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	accepted := []string{"rules", "games", "fairness", "logbook", "verify"}
	for _, name := range strings.Fields(string(out)) {
		ours, ok := strings.CutPrefix(name, "tirage/")
		folder, _, _ := strings.Cut(ours, "/")
		if ok && ours != "cmd/verify" && !slices.Contains(accepted, folder) {
			t.Errorf("it imports %s: accepted %q", name, accepted)
		}
		if name == "net" || name == "net/http" || name == "database/sql" {
			t.Errorf("it imports %s: it is to be offline and without a database", name)
		}
	}
}

// The program is small enough to be sent by mail.
func TestSize(t *testing.T) {
	const most = 15 << 20
	bin := filepath.Join(t.TempDir(), "verify")
	cmd := exec.Command("go", "build", "-o", bin, "tirage/cmd/verify")
	cmd.Dir = covers.Root(t)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	info, err := os.Stat(bin)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes", info.Size())
	if info.Size() >= most {
		t.Errorf("%d bytes, accepted less than %d", info.Size(), most)
	}
}
