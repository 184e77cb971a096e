package central_test

import (
	"os"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"
	"tirage/central"
	"tirage/sealed"
	"tirage/store/mem"
	"tirage/store/storetest"
	"tirage/vault"
)

// controlVariable names the built program of the folder control; `make control` sets it.
const controlVariable = "TIRAGE_CONTROL"

// Random evenings of every table under the independent control: it reads the sealed file alone and counts what the operator counts, before the draw and after
// it, or the evening would be held.
func TestRandomEveningsUnderControl(t *testing.T) {
	program := os.Getenv(controlVariable)
	if program == "" {
		t.Skipf("%s is not set: make control", controlVariable)
	}
	rapid.Check(t, func(rt *rapid.T) {
		n := drawNight(rt)
		dir, err := os.MkdirTemp(t.TempDir(), "")
		if err != nil {
			rt.Fatal(err)
		}
		keys, err := vault.Open(filepath.Join(dir, "keys"), &storetest.Entropy{Seed: 1})
		if err != nil {
			rt.Fatal(err)
		}
		w := storetest.NewWorld(rapidTB{t, rt}, &mem.Store{}, func(c *central.Config) { c.Sealer, c.Verifier = keys, keys.Verifier() })
		defer w.Register.Close()
		archive := &sealed.Archive{Dir: dir, Pseudonym: keys.Pseudonym}
		w.Keys, w.Operator.Sealer, w.Operator.Signer, w.Operator.Archive = keys, keys, keys.Operator, archive
		w.Operator.Control = &sealed.Control{Archive: archive, Program: program, Key: filepath.Join(dir, "keys", "control.key"), Operator: keys.Public(central.RoleOperator)}
		n.play(rt, w)
	})
}
