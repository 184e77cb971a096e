package identity

import (
	"context"
	"errors"
	"strings"
	"testing"
)

func TestPasswords(t *testing.T) {
	p := NewPasswords(Params{Time: 1, Memory: 64, Threads: 1})
	ctx := t.Context()
	hash := func(password, request string) string {
		h, err := p.Hash(ctx, password, request)
		if err != nil {
			t.Fatal(err)
		}
		return string(h)
	}
	a := hash("caf\u00e9 et croissant", "r1")
	if !strings.HasPrefix(a, "$argon2id$v=19$m=64,t=1,p=1$") {
		t.Errorf("%s", a)
	}
	if a != hash("caf\u00e9 et croissant", "r1") || a == hash("caf\u00e9 et croissant", "r2") || a == hash("other", "r1") {
		t.Error("a hash follows from the password and the request")
	}
	for password, want := range map[string]bool{"caf\u00e9 et croissant": true, "cafe\u0301 et croissant": true, "cafe et croissant": false, "": false} {
		if ok, err := p.Check(ctx, a, password); ok != want || err != nil {
			t.Errorf("%q: %v, %v", password, ok, err)
		}
	}
	// Of a player who does not exist nothing is right, not even what the stand-in was made of.
	if ok, err := p.Check(ctx, "", "nobody's"); ok || err != nil {
		t.Errorf("%v, %v", ok, err)
	}
	// Hashes of other costs are checked with theirs.
	b, err := NewPasswords(Params{Time: 2, Memory: 128, Threads: 2}).Hash(ctx, "password", "r")
	if err != nil {
		t.Fatal(err)
	}
	if ok, err := p.Check(ctx, string(b), "password"); !ok || err != nil {
		t.Errorf("%v, %v", ok, err)
	}
}

func TestCosts(t *testing.T) {
	p := NewPasswords(Costs)
	h, err := p.Hash(t.Context(), "password", "r")
	if err != nil || !strings.HasPrefix(string(h), "$argon2id$v=19$m=65536,t=3,p=4$") {
		t.Errorf("%q, %v", string(h), err)
	}
}

func TestDamagedHashes(t *testing.T) {
	p := NewPasswords(Params{Time: 1, Memory: 64, Threads: 1})
	good := p.dummy
	for _, s := range []string{
		"x", "$argon2id$", strings.Replace(good, "argon2id", "argon2i", 1), strings.Replace(good, "v=19", "v=16", 1), strings.Replace(good, "m=64", "m=4194304", 1),
		strings.Replace(good, "m=64", "m=1", 1), strings.Replace(good, "t=1", "t=0", 1), strings.Replace(good, "t=1", "t=99", 1), strings.Replace(good, "p=1", "p=0", 1),
		strings.Replace(good, "p=1", "p=300", 1), good + "$", good[:len(good)-1], strings.Replace(good, "$AAAA", "$****", 1),
	} {
		if ok, err := p.Check(t.Context(), s, "nobody's"); ok || !errors.Is(err, errPHC) {
			t.Errorf("%q: %v, %v", s, ok, err)
		}
	}
}

// Who waits for a place gives up with the request.
func TestSlots(t *testing.T) {
	p := NewPasswords(Params{Time: 1, Memory: 64, Threads: 1})
	for range cap(p.slots) {
		p.slots <- struct{}{}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.Check(ctx, "", "password"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := p.Hash(ctx, "password", "r"); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func FuzzParsePHC(f *testing.F) {
	f.Add(NewPasswords(Params{Time: 1, Memory: 64, Threads: 1}).dummy)
	f.Add("$argon2id$v=19$m=65536,t=3,p=4$AAAAAAAAAAAAAAAAAAAAAA$AAAA")
	f.Fuzz(func(t *testing.T, s string) {
		if c, salt, err := parsePHC(s); err == nil && (c.Memory > maxMemory || c.Time > maxTime || c.Threads > maxThreads || len(salt) != saltSize) {
			t.Errorf("%q is read as %+v", s, c)
		}
	})
}
