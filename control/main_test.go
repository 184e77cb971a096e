package main

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// TestMain lets this binary stand for the built program: the program that pays runs it as its control.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "check" {
		os.Exit(run(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
	}
	code := m.Run()
	if built.folder != "" {
		os.RemoveAll(built.folder)
	}
	os.Exit(code)
}

// root is the folder of the program that sells and pays. Nothing of it is linked in here: it is built and run.
const root = ".."

// built is that program, built once.
var built struct {
	once   sync.Once
	folder string
	err    error
}

// program builds the program that sells and pays, and returns its path.
func program(t *testing.T) string {
	t.Helper()
	built.once.Do(func() {
		if built.folder, built.err = os.MkdirTemp("", "control-test-"); built.err == nil {
			built.err = build(filepath.Join(built.folder, "tirage"))
		}
	})
	if built.err != nil {
		t.Fatal(built.err)
	}
	return filepath.Join(built.folder, "tirage")
}

// build builds the program, with further flags of go build.
func build(to string, flags ...string) error {
	cmd := exec.Command("go", append(append([]string{"build", "-o", to}, flags...), "./cmd/tirage")...)
	cmd.Dir, cmd.Env = root, append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

// evening runs a scenario of the program and returns the folder of its sealed files and the operator's public key.
func evening(t *testing.T, tirage, scenario string, flags ...string) (folder, key string, err error) {
	t.Helper()
	folder, db := t.TempDir(), filepath.Join(t.TempDir(), "tirage.db")
	args := append([]string{"evening", filepath.Join(root, "testdata", "evenings", scenario+".txt"), "--seed", "1", "--db", db, "--sealed", folder}, flags...)
	out, err := exec.Command(tirage, args...).CombinedOutput()
	if err != nil {
		return folder, "", fmt.Errorf("%s: %w: %s", scenario, err, out)
	}
	keys, err := os.ReadFile(filepath.Join(db+".keys", "operator.key"))
	if err != nil {
		t.Fatal(err)
	}
	_, key, _ = strings.Cut(strings.TrimSpace(string(keys)), "\n")
	return folder, key, nil
}

// sealedEvening is an evening that must go well.
func sealedEvening(t *testing.T, scenario string, flags ...string) (folder, key string) {
	t.Helper()
	folder, key, err := evening(t, program(t), scenario, flags...)
	if err != nil {
		t.Fatal(err)
	}
	return folder, key
}

// says runs the command and returns what it printed and its status.
func says(args ...string) (out string, status int) {
	var b bytes.Buffer
	status = run(context.Background(), append([]string{"check"}, args...), &b, &b)
	return b.String(), status
}

var scenarios = []string{"euromillions-2018-11-02", "euromillions-exceptional", "euromillions-multiples", "grandloto-2018", "loto-2020-06-22", "loto-half-sold", "loto-multiples"}

// Every shipped evening agrees, signatures included; and the program takes this control's word for it, before the draw and after it.
func TestEvenings(t *testing.T) {
	for _, scenario := range scenarios {
		t.Run(scenario, func(t *testing.T) {
			t.Parallel()
			folder, key := sealedEvening(t, scenario, "--control", os.Args[0])
			out, status := says("--operator", key, folder)
			if status != agrees || !strings.Contains(out, "agrees, signatures of the operator verified") || !strings.Contains(out, "27 of 27 checks found nothing") {
				t.Errorf("status %d: %s", status, out)
			}
			if out, status := says("--json", "--of", "sales", folder); status != agrees || !strings.Contains(out, `"agrees":true,"signed":false`) || strings.Contains(out, `"count"`) {
				t.Errorf("status %d: %s", status, out)
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	folder, key := sealedEvening(t, "loto-half-sold")
	const draw = "loto-2019-03-10"
	other := t.TempDir()
	for _, name := range []string{".manifest", ".plays.parquet", ".packs.parquet"} {
		copyFile(t, filepath.Join(folder, draw+name), filepath.Join(other, "loto-2019-03-11"+name))
	}
	for _, c := range []struct {
		want string
		args []string
	}{
		{"no draw: accepted a file of a draw", nil},
		{"accepted a file of a draw", []string{"plays.csv"}},
		{"no such file", []string{filepath.Join(folder, "loto-2019-03-12.manifest")}},
		{"accepted one of draw loto-2019-03-11", []string{other}},
		{`--of "gains": accepted`, []string{"--of", "gains", folder}},
		{"--sign: accepted with --of", []string{"--sign", "x", folder}},
		{"it is not signed by tirage-operator", []string{"--operator", otherKey(t), folder}},
		{"the public key is damaged", []string{"--operator", "x" + key, folder}},
		{"a key is needed in the form", []string{"--operator", "key", folder}},
	} {
		if out, status := says(c.args...); status != notTried || !strings.Contains(out, c.want) {
			t.Errorf("%q: status %d, %s; want %s", c.args, status, out, c.want)
		}
	}
	if _, status := says("-h"); status != notTried {
		t.Error("help is no verdict")
	}
	var b bytes.Buffer
	if status := run(t.Context(), nil, &b, &b); status != notTried || !strings.Contains(b.String(), "control check") {
		t.Errorf("status %d, %s", status, &b)
	}
}

// otherKey is a public key of the operator's name with which nothing was signed.
func otherKey(t *testing.T) string {
	t.Helper()
	public, _, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	const name = "tirage-operator"
	return fmt.Sprintf("%s+%08x+%s", name, keyHash(name, public), base64.StdEncoding.EncodeToString(append([]byte{algorithm}, public...)))
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	b, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, b, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func FuzzReadPaper(f *testing.F) {
	f.Add([]byte("{}\n\n— a b\n"), "")
	f.Add([]byte("{}\n\n— tirage-operator AAAA\n"), "tirage-operator+00000000+AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")
	f.Fuzz(func(_ *testing.T, signed []byte, key string) {
		var m manifest
		_ = readPaper(signed, key, &m) // whatever it says, it does not panic
	})
}
