package evidence_test

import (
	"archive/zip"
	"bytes"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"tirage/central"
	"tirage/evening"
	"tirage/evidence"
	"tirage/sealed"
	"tirage/store/mem"
	"tirage/testdata/evenings"
	"tirage/vault"
)

const draw = "loto-2020-06-22"

// made is the archive of the evening of 22 June 2020 and what is needed to make others.
type made struct {
	keys evidence.Keys
	file []byte
	pack evidence.Pack
}

func newArchive(t *testing.T) *made {
	t.Helper()
	s, err := evening.Parse(evenings.Loto20200622File, evenings.Loto20200622)
	if err != nil {
		t.Fatal(err)
	}
	o := evening.Options{Store: &mem.Store{}, Entropy: &evening.Rehearsal{Seed: 1}}
	if o.Keys, err = vault.New(o.Entropy); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	o.Archive = &sealed.Archive{Dir: dir, Pseudonym: o.Keys.Pseudonym}
	if _, err := evening.Run(t.Context(), s, o); err != nil {
		t.Fatal(err)
	}
	snap, err := o.Store.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { snap.Close() })
	m := &made{
		keys: evidence.Keys{Operator: o.Keys.Public(central.RoleOperator), Control: o.Keys.Public(central.RoleControl)},
		pack: evidence.Pack{Snapshot: snap, Draw: draw, Sealed: dir, Signer: o.Keys.Operator},
	}
	var b bytes.Buffer
	if err := evidence.Write(t.Context(), &b, m.pack); err != nil {
		t.Fatal(err)
	}
	m.file = b.Bytes()
	return m
}

func (m *made) verify(file []byte) (*evidence.Index, error) {
	return evidence.Verify(bytes.NewReader(file), int64(len(file)), m.keys)
}

// rewrite makes the archive anew with its files changed; a file changed to nil is left out.
func (m *made) rewrite(t *testing.T, change func(name string, text []byte) []byte) []byte {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(m.file), int64(len(m.file)))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if text = change(f.Name, text); text == nil {
			continue
		}
		to, err := w.Create(f.Name)
		if err == nil {
			_, err = to.Write(text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// An archive verifies with the public keys alone, and the same draw gives the same bytes.
func TestArchiveVerifies(t *testing.T) {
	m := newArchive(t)
	index, err := m.verify(m.file)
	if err != nil {
		t.Fatal(err)
	}
	if index.Draw != draw || index.Version != 1 || len(index.Files) != 8+7+4 {
		t.Errorf("%+v", index)
	}
	var again bytes.Buffer
	if err := evidence.Write(t.Context(), &again, m.pack); err != nil || !bytes.Equal(again.Bytes(), m.file) {
		t.Errorf("written again it is another file, %v", err)
	}
	other := m.keys
	other.Operator, other.Control = other.Control, other.Operator
	if _, err := evidence.Verify(bytes.NewReader(m.file), int64(len(m.file)), other); err == nil {
		t.Error("it verifies with other keys")
	}
	p := m.pack
	p.Draw = "loto-2020-06-23"
	if err := evidence.Write(t.Context(), io.Discard, p); err == nil {
		t.Error("a draw that is not published has an archive")
	}
	p = m.pack
	p.Sealed = t.TempDir()
	if err := evidence.Write(t.Context(), io.Discard, p); err == nil {
		t.Error("an archive without sealed files")
	}
}

// One bit of any file, a file left out, and one put in are found by name.
func TestEveryFileIsBound(t *testing.T) {
	m := newArchive(t)
	rng := rand.New(rand.NewPCG(1, 2))
	index, err := m.verify(m.file)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range index.Files {
		flipped := m.rewrite(t, func(name string, text []byte) []byte {
			if name == f.Name {
				text[rng.IntN(len(text))] ^= 1 << rng.IntN(8)
			}
			return text
		})
		lost := m.rewrite(t, func(name string, text []byte) []byte {
			if name == f.Name {
				return nil
			}
			return text
		})
		for what, file := range map[string][]byte{"a bit changed": flipped, "left out": lost} {
			if _, err := m.verify(file); err == nil || !strings.Contains(err.Error(), f.Name) {
				t.Errorf("%s, %s: %v", f.Name, what, err)
			}
		}
	}
	flipped := m.rewrite(t, func(name string, text []byte) []byte {
		if name == "index.note" {
			text[rng.IntN(len(text)/2)] ^= 1
		}
		return text
	})
	if _, err := m.verify(flipped); err == nil || !strings.Contains(err.Error(), "index.note") {
		t.Errorf("the index changed: %v", err)
	}
	renamed := bytes.ReplaceAll(bytes.Clone(m.file), []byte("notice/notice.pdf"), []byte("notice/notice.pdx"))
	if _, err := m.verify(renamed); err == nil || !strings.Contains(err.Error(), "notice/notice.pd") {
		t.Errorf("a file put in: %v", err)
	}
}

// Garbage is refused, not panicked at.
func FuzzVerify(f *testing.F) {
	f.Add([]byte("PK\x05\x06" + strings.Repeat("\x00", 18)))
	f.Fuzz(func(_ *testing.T, file []byte) {
		_, _ = evidence.Verify(bytes.NewReader(file), int64(len(file)), evidence.Keys{})
	})
}
