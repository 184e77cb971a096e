package identity_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tirage/central"
	"tirage/identity"
	"tirage/store/mem"
	"tirage/store/sql"
	"tirage/store/storetest"
)

// cheap costs next to nothing.
var cheap = identity.Params{Time: 1, Memory: 64, Threads: 1}

// list is a ban list that a test sets.
type list struct {
	w      *storetest.World
	banned bool
	err    error
}

func (l *list) Ask(_ context.Context, p *central.Person) (string, error) {
	if l.err != nil {
		return "", l.err
	}
	return central.SignPaper(central.Clearance{Person: p.Digest(), Banned: l.banned, List: "list", At: l.w.Clock.Now().UnixMicro()}, l.w.Keys.BanList)
}

type office struct {
	*storetest.World
	*identity.Desk
	list *list
}

func open(t *testing.T, store central.Store) *office {
	o := &office{list: &list{}}
	o.World = storetest.NewWorld(t, store, func(c *central.Config) {
		c.OnCommit = func(d []central.Done) { o.Sessions.Committed(d) }
	})
	o.list.w = o.World
	o.Desk = &identity.Desk{
		Register: o.World.Register, Store: store, Entropy: &storetest.Entropy{Seed: 5}, BanList: o.list, Passwords: identity.NewPasswords(cheap),
		Sessions: identity.NewSessions(store, o.Clock),
	}
	return o
}

var zoe = identity.Form{Given: "Zoé", Family: "Noël", Birth: "1980-02-29", Email: "Zoe@example.org", Password: "correct horse battery"}

// join signs zoe up and confirms her identity.
func (o *office) join() int64 {
	o.Helper()
	r, err := o.SignUp(o.Context(), "key", zoe)
	if err != nil {
		o.Fatal(err)
	}
	var created central.PlayerCreated
	storetest.Result(o.World, r, &created)
	o.Do("staff/care", central.VerifyIdentity{Player: created.Player, Evidence: "passport"})
	if _, err := o.Desk.Confirm(o.Context(), "staff/officer", "confirm", created.Player); err != nil {
		o.Fatal(err)
	}
	return created.Player
}

func (o *office) login() *identity.LoggedIn {
	o.Helper()
	in, err := o.Desk.Login(o.Context(), zoe.Email, zoe.Password)
	if err != nil {
		o.Fatal(err)
	}
	return in
}

func reason(err error) string {
	if r := new(central.Refusal); errors.As(err, &r) {
		return r.Reason
	}
	return fmt.Sprint(err)
}

func TestSignUpAndLogin(t *testing.T) {
	o := open(t, &mem.Store{})
	for password, want := range map[string]string{"": "password.length", "short": "password.length", strings.Repeat("x", 257): "password.length", "\xff123456789": "password.length", "zoe@EXAMPLE.org": "password.email"} {
		f := zoe
		f.Password = password
		if _, err := o.SignUp(t.Context(), "short", f); reason(err) != want || password != "" && strings.Contains(err.Error(), password) {
			t.Errorf("password of %d bytes: %v", len(password), err)
		}
	}
	player := o.join()
	// The same request again is the same account, another password under its key is another request.
	if r, err := o.SignUp(t.Context(), "key", zoe); err != nil || !r.Replayed {
		t.Errorf("%+v, %v", r, err)
	}
	f := zoe
	f.Password += "!"
	if _, err := o.SignUp(t.Context(), "key", f); reason(err) != "key.reused" {
		t.Error(err)
	}
	if _, err := o.SignUp(t.Context(), "another", zoe); reason(err) != "account.email_taken" {
		t.Error(err)
	}
	in := o.login()
	if in.Player != player || !in.Play || in.Why != nil {
		t.Errorf("%+v", in)
	}
	s, err := o.Sessions.Check(t.Context(), in.Token)
	if err != nil || s.Player != player || s.ID != in.Session || s.Play != 1 {
		t.Errorf("%+v, %v", s, err)
	}
	if err := o.Logout(t.Context(), in.Token); err != nil {
		t.Error(err)
	}
	if _, err := o.Sessions.Check(t.Context(), in.Token); reason(err) != "session.none" {
		t.Errorf("after the logout: %v", err)
	}
	if err := o.Logout(t.Context(), in.Token); err != nil {
		t.Error(err)
	}
}

// An address that nobody has and a wrong password get one answer, attempt after attempt, and are locked alike (P7).
func TestOneAnswer(t *testing.T) {
	o := open(t, &mem.Store{})
	o.join()
	for i := range 7 {
		_, known := o.Desk.Login(t.Context(), zoe.Email, "wrong password")
		_, unknown := o.Desk.Login(t.Context(), "nobody@example.org", "wrong password")
		if known == nil || unknown == nil || known.Error() != unknown.Error() || strings.Contains(known.Error(), "wrong password") && i > 5 {
			t.Fatalf("attempt %d: %v and %v", i+1, known, unknown)
		}
		want := "login.failed"
		if i >= 5 {
			want = "login.locked"
		}
		if reason(known) != want {
			t.Errorf("attempt %d: %v, want %s", i+1, known, want)
		}
	}
	// Not even the right password gets in while the address is locked.
	if _, err := o.Desk.Login(t.Context(), zoe.Email, zoe.Password); reason(err) != "login.locked" {
		t.Error(err)
	}
	o.Clock.Set(o.Clock.Now().Add(30 * time.Second))
	o.login()
	if _, err := o.Desk.Login(t.Context(), zoe.Email, "wrong password"); reason(err) != "login.failed" {
		t.Errorf("after a success: %v", err)
	}
}

// Without an answer of the ban list, and for those whom it names or who are excluded, the session is not for play.
func TestNotForPlay(t *testing.T) {
	o := open(t, &mem.Store{})
	player := o.join()
	me := central.PlayerPrincipal(player)
	o.list.err = errors.New("the list cannot be read")
	in := o.login()
	if in.Play || in.Why.Reason != "banlist.unavailable" {
		t.Errorf("%+v", in.Why)
	}
	if s, err := o.Sessions.Check(t.Context(), in.Token); err != nil || s.Play != 0 {
		t.Errorf("%+v, %v", s, err)
	}
	o.list.err = nil
	o.login()
	o.Do(me, central.ExcludePlayer{Player: player, Hours: 24})
	if in := o.login(); in.Play || in.Why.Reason != "player.excluded" {
		t.Errorf("%+v", in.Why)
	}
	o.Clock.Set(o.Clock.Now().Add(24 * time.Hour))
	o.list.banned = true
	if in := o.login(); in.Play || in.Why.Reason != "player.banned" {
		t.Errorf("%+v", in.Why)
	}
	o.Why("player.banned", me, central.RequestDeposit{Player: player, Cents: 100})
	if _, err := o.Acknowledge(t.Context(), "ack", player); central.CodeOf(err) == "" {
		t.Error("a banned player goes on")
	}
	o.list.banned = false
	if in := o.login(); !in.Play {
		t.Errorf("%+v", in.Why)
	}
}

func TestSessionEnds(t *testing.T) {
	o := open(t, &mem.Store{})
	player := o.join()
	first, second := o.login(), o.login()
	begin := o.Clock.Now()
	check := func(token, want string) {
		t.Helper()
		_, err := o.Sessions.Check(t.Context(), token)
		if err == nil && want == "" {
			return
		}
		if reason(err) != want {
			t.Fatalf("%v, want %q", err, want)
		}
	}
	for _, token := range []string{"", "x", strings.Repeat("A", 64), first.Token[:63], first.Token + "A", first.Token[:32] + second.Token[32:]} {
		check(token, "session.none")
	}
	if list, err := o.Sessions.List(t.Context(), player); err != nil || len(list) != 2 || list[0].Session.ID != second.Session {
		t.Errorf("%+v, %v", list, err)
	}
	// Used, it lasts; idle, it ends.
	for i := range 4 {
		o.Clock.Set(begin.Add(time.Duration(i+1) * 29 * time.Minute))
		check(first.Token, "")
		if err := o.Sessions.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	check(second.Token, "session.none")
	if list, err := o.Sessions.List(t.Context(), player); err != nil || len(list) != 1 || list[0].Session.ID != first.Session {
		t.Errorf("%+v, %v", list, err)
	}
	// Another node knows of its use, to the minute.
	other := identity.NewSessions(o.Desk.Store, o.Clock)
	o.Clock.Set(o.Clock.Now().Add(29 * time.Minute))
	if _, err := other.Check(t.Context(), first.Token); err != nil {
		t.Errorf("on another node: %v", err)
	}
	o.Clock.Set(o.Clock.Now().Add(2 * time.Minute))
	check(first.Token, "session.none")
	// At most twelve hours, however much it is used.
	third := o.login()
	for range 24 {
		o.Clock.Set(o.Clock.Now().Add(29 * time.Minute))
		check(third.Token, "")
	}
	o.Clock.Set(o.Clock.Now().Add(24 * time.Minute))
	check(third.Token, "session.none")
	// All of them at once.
	fourth, fifth := o.login(), o.login()
	check(fourth.Token, "")
	o.Do(central.PlayerPrincipal(player), central.RevokeSessions{Player: player})
	check(fourth.Token, "session.none")
	check(fifth.Token, "session.none")
}

// A session in use is stored once a minute, whatever its use.
func TestTouchedOnceAMinute(t *testing.T) {
	o := open(t, &mem.Store{})
	player := o.join()
	in := o.login()
	begin := o.Clock.Now()
	stored := map[int64]bool{}
	for i := range 300 { // five minutes
		o.Clock.Set(begin.Add(time.Duration(i) * time.Second))
		if _, err := o.Sessions.Check(t.Context(), in.Token); err != nil {
			t.Fatal(err)
		}
		if err := o.Sessions.Flush(t.Context()); err != nil {
			t.Fatal(err)
		}
		snap, err := o.Desk.Store.Snapshot(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if r, err := snap.Get(t.Context(), central.Key{Table: central.Touches, N: player, M: in.Session}); err != nil {
			t.Fatal(err)
		} else if r != nil {
			stored[r.(*central.Touch).At] = true
		}
		snap.Close()
	}
	if len(stored) != 4 {
		t.Errorf("stored %d times in five minutes, want 4: after 1, 2, 3 and 4", len(stored))
	}
	o.CheckBooks()
}

func TestChangePassword(t *testing.T) {
	o := open(t, &mem.Store{})
	o.join()
	old := o.login()
	if _, err := o.ChangePassword(t.Context(), zoe.Email, "wrong password", "another password"); reason(err) != "login.failed" {
		t.Error(err)
	}
	if _, err := o.ChangePassword(t.Context(), zoe.Email, zoe.Password, "short"); reason(err) != "password.length" {
		t.Error(err)
	}
	in, err := o.ChangePassword(t.Context(), zoe.Email, zoe.Password, "another password")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := o.Sessions.Check(t.Context(), in.Token); err != nil {
		t.Error(err)
	}
	if _, err := o.Sessions.Check(t.Context(), old.Token); reason(err) != "session.none" {
		t.Errorf("the session of before: %v", err)
	}
	if _, err := o.Desk.Login(t.Context(), zoe.Email, zoe.Password); reason(err) != "login.failed" {
		t.Errorf("the password of before: %v", err)
	}
	if _, err := o.Desk.Login(t.Context(), zoe.Email, "another password"); err != nil {
		t.Error(err)
	}
}

// What goes through the desk stands in a database as in the model, and no password or token in anything that is stored or printed.
func TestNothingSecretIsStored(t *testing.T) {
	store, err := sql.OpenSQLite(t.Context(), filepath.Join(t.TempDir(), "tirage.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	o := open(t, store)
	o.join()
	in := o.login()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- o.Sessions.Run(ctx) }()
	o.Clock.Set(o.Clock.Now().Add(2 * time.Minute))
	if _, err := o.Sessions.Check(t.Context(), in.Token); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	o.CheckBooks()
	snap, err := store.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	touches := 0
	for i := range central.Schema {
		err := snap.Scan(t.Context(), central.Range{From: central.Key{Table: central.TableID(i)}}, func(r central.Row) error {
			b, err := json.Marshal(r)
			if strings.Contains(string(b), zoe.Password) || strings.Contains(string(b), in.Token) {
				t.Errorf("%s holds %s", central.Schema[i].Name, b)
			}
			if l, ok := r.(*central.LeafRow); ok && strings.Contains(string(l.Body), "$argon2id$") {
				t.Errorf("a leaf holds the hash of a password: %s", l.Body)
			}
			if central.TableID(i) == central.Touches {
				touches++
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if touches != 1 {
		t.Errorf("%d uses stored, want 1", touches)
	}
	for _, v := range []any{zoe, in, *in} {
		for _, format := range []string{"%v", "%+v", "%#v", "%s"} {
			if s := fmt.Sprintf(format, v); strings.Contains(s, zoe.Password) || strings.Contains(s, in.Token) {
				t.Errorf("%s prints %s", format, s)
			}
		}
	}
}
