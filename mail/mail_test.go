package mail_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime"
	"mime/quotedprintable"
	netmail "net/mail"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"tirage/central"
	"tirage/mail"
	"tirage/rules/combin"
	"tirage/rules/money"
	"tirage/rules/prize"
	"tirage/store/mem"
	"tirage/store/storetest"
)

var sender = netmail.Address{Name: "Tirage", Address: "no-reply@tirage.example"}

func folder(t *testing.T) (*mail.Folder, string) {
	t.Helper()
	dir := t.TempDir()
	f, err := mail.NewFolder(dir, sender)
	if err != nil {
		t.Fatal(err)
	}
	return f, dir
}

var letter = central.Letter{
	ID: "42-0-12-3", At: time.Date(2018, 11, 3, 19, 15, 0, 0, time.UTC), To: "anne@example.org", Name: "Anne-Zoé Martin",
	Subject: "Retrait non abouti : 1\u202f234\u202f567,20\u00a0€ / Gain crédité\u00a0: 2,20\u00a0€ / Gain credited: €2.20",
	Text:    "Votre prise de jeu 0-11 pour le tirage Loto® du samedi 3 novembre 2018 a gagné 2,20\u00a0€.\n.\n\nYour play 0-11 has won €2.20.\n",
}

// The file of a letter is what the mail programs of others read: header and text come back as they were, in lines of ASCII that are not too long.
func TestFileIsRFC5322(t *testing.T) {
	f, dir := folder(t)
	if err := f.Deliver(t.Context(), []central.Letter{letter}); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(dir, "42-0-12-3.eml"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.SplitSeq(strings.TrimSuffix(string(b), "\r\n"), "\r\n") {
		if len(line) > 76 || strings.ContainsFunc(line, func(r rune) bool { return r < ' ' || r > '~' }) {
			t.Errorf("line %q", line)
		}
	}
	m, err := netmail.ReadMessage(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	to, err := m.Header.AddressList("To")
	if err != nil || len(to) != 1 || to[0].Address != letter.To || to[0].Name != letter.Name {
		t.Errorf("to %v, %v", to, err)
	}
	subject, err := new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject"))
	if err != nil || subject != letter.Subject {
		t.Errorf("subject %q, %v", subject, err)
	}
	if date, err := m.Header.Date(); err != nil || !date.Equal(letter.At) {
		t.Errorf("date %v, %v", date, err)
	}
	if id := m.Header.Get("Message-Id"); id != "<42-0-12-3@tirage.example>" {
		t.Errorf("message id %q", id)
	}
	text, err := io.ReadAll(quotedprintable.NewReader(m.Body))
	if err != nil || strings.ReplaceAll(string(text), "\r\n", "\n") != letter.Text {
		t.Errorf("%q, %v", text, err)
	}
}

// A letter is written once, also when it was moved to the sent ones, and over what a crash left half written.
func TestOnce(t *testing.T) {
	f, dir := folder(t)
	name := filepath.Join(dir, letter.ID+".eml")
	if err := os.WriteFile(filepath.Join(dir, letter.ID+".part"), bytes.Repeat([]byte("x"), 10_000), 0o600); err != nil {
		t.Fatal(err)
	}
	deliver := func() {
		t.Helper()
		if err := f.Deliver(t.Context(), []central.Letter{letter, letter}); err != nil {
			t.Fatal(err)
		}
	}
	deliver()
	first, err := os.ReadFile(name)
	if err != nil || bytes.Contains(first, []byte("xxx")) {
		t.Fatalf("%q, %v", first, err)
	}
	if err := os.WriteFile(name, []byte("read by somebody"), 0o600); err != nil {
		t.Fatal(err)
	}
	deliver()
	if b, _ := os.ReadFile(name); string(b) != "read by somebody" {
		t.Error("a letter that was there is written again")
	}
	if err := os.Rename(name, filepath.Join(dir, "sent", letter.ID+".eml")); err != nil {
		t.Fatal(err)
	}
	deliver()
	if list := files(t, dir); len(list) != 0 {
		t.Errorf("a letter that was sent is written again: %q", list)
	}
}

// files lists the letters in a folder, and makes sure that nothing else is there.
func files(t testing.TB, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		switch {
		case strings.HasSuffix(e.Name(), ".eml"):
			names = append(names, strings.TrimSuffix(e.Name(), ".eml"))
		case e.Name() != "sent":
			t.Errorf("%s is left behind", e.Name())
		}
	}
	return names
}

// Nothing brings a line of its own into a header or a file outside of the folder.
func TestRefusesWhatIsNoLetter(t *testing.T) {
	f, dir := folder(t)
	for name, change := range map[string]func(*central.Letter){
		"address":  func(l *central.Letter) { l.To = "a@example.org\r\nBcc: b@example.org" },
		"none":     func(l *central.Letter) { l.To = "" },
		"name":     func(l *central.Letter) { l.Name = "A\nB" },
		"subject":  func(l *central.Letter) { l.Subject = "A\rB" },
		"id":       func(l *central.Letter) { l.ID = "../42" },
		"empty id": func(l *central.Letter) { l.ID = "" },
	} {
		l := letter
		change(&l)
		if err := f.Deliver(t.Context(), []central.Letter{l}); err == nil {
			t.Errorf("%s: delivered", name)
		}
	}
	if list := files(t, dir); len(list) != 0 {
		t.Errorf("written: %q", list)
	}
	for _, from := range []string{"", "nobody", "@x", "é@example.org"} {
		if _, err := mail.NewFolder(t.TempDir(), netmail.Address{Address: from}); err == nil {
			t.Errorf("sender %q is accepted", from)
		}
	}
	if _, err := mail.NewFolder(filepath.Join(dir, "sent", "\x00"), sender); err == nil {
		t.Error("a folder that cannot be made is accepted")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := f.Deliver(ctx, []central.Letter{letter}); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of the context: %v", err)
	}
}

// dying is a mail that dies at some deliveries: before it, in the middle or just after.
type dying struct {
	*mail.Folder
	step int
}

func (d *dying) Deliver(ctx context.Context, letters []central.Letter) error {
	died := errors.New("died")
	switch d.step++; d.step {
	case 1:
		return died
	case 2:
		return errors.Join(d.Folder.Deliver(ctx, letters[:len(letters)/2]), died)
	case 3:
		return errors.Join(d.Folder.Deliver(ctx, letters), died)
	}
	return d.Folder.Deliver(ctx, letters)
}

// 18: winners were notified, then the server died and nobody was paid; after the restart they were mailed again. Whoever is mailed was paid, whatever
// dies between the credit, the letter and the cursor; everybody who was paid is mailed once, in the words of the inbox.
func TestCase18EachMailOnce(t *testing.T) {
	f, dir := folder(t)
	fault := storetest.NoFault
	w := storetest.NewWorld(t, &storetest.Faulty{Store: &mem.Store{}, Next: func() storetest.Fault { return fault }})
	draw := w.Open(central.OpenDraw{Game: "loto", Day: "2020-06-22", OpensAt: w.Clock.Now(), ClosesAt: w.Clock.Now().Add(20 * time.Minute), Reconstructed: true})
	grid, err := combin.Parse("1-2-3-4-5+6")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"one", "two", "three"} {
		id := w.Registered(name, 5000, 5000)
		for range 4 {
			w.Do(central.PlayerPrincipal(id), central.BuyPlay{Player: id, Draw: draw, Lines: []central.Line{{Grid: grid}}})
		}
	}
	bare := w.Player("without an address", 100)
	w.Do("system", central.BuyPlay{Player: bare, Draw: draw, Lines: []central.Line{{Grid: grid}}})
	w.Clock.Set(w.Clock.Now().Add(20 * time.Minute))
	w.Evening(draw, prize.Terms{Cycle: prize.Cycle{Jackpot: 300_000_000}, Fund: 50_000_000}, central.Result{Main: []int{1, 2, 3, 4, 9}, Extra: []int{6}}, central.Outside{})
	d := &dying{Folder: f}
	restart := func() error { return central.NewMail(w.Store, d, w.Clock, 0).CatchUp(t.Context()) } // each with nothing in memory
	for range 3 {
		if err := restart(); err == nil {
			t.Fatal("a mail that died is taken for delivered")
		}
	}
	for _, fault = range []storetest.Fault{storetest.CommitFailed, storetest.DoubtLost, storetest.DoubtApplied} {
		if err := restart(); err == nil && fault != storetest.DoubtApplied {
			t.Fatalf("fault %d of the cursor is not told", fault)
		}
	}
	fault = storetest.NoFault
	for range 2 {
		if err := restart(); err != nil {
			t.Fatal(err)
		}
	}
	if err := central.NewInbox(w.Store).CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.CheckBooks()
	var want []string
	gains := 0
	scan(t, w.Store, central.Messages, func(r central.Row) {
		m := r.(*central.Message)
		if m.Player == bare {
			return
		}
		want = append(want, m.LetterID())
		if m.Kind != central.MessageGain {
			return
		}
		gains++
		for lang, amount := range map[string]string{central.French: m.Cents.French(), central.English: m.Cents.English()} {
			if _, text, err := m.In(lang); err != nil || !strings.Contains(text, amount) || !strings.Contains(textOf(t, dir, m.LetterID()), text) {
				t.Errorf("letter %s does not say %q", m.LetterID(), text)
			}
		}
	})
	if got := files(t, dir); gains != 12 || !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(want))) {
		t.Errorf("%d gains, letters %q, want %q", gains, got, want)
	}
	t.Logf("%d letters, %d of gains; %d deliveries", len(want), gains, d.step)
}

func scan(t testing.TB, s central.Reader, table central.TableID, yield func(central.Row)) {
	t.Helper()
	snap, err := s.Snapshot(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	err = snap.Scan(context.Background(), central.Range{From: central.Key{Table: table}}, func(r central.Row) error { yield(r); return nil })
	if err != nil {
		t.Fatal(err)
	}
}

// textOf reads the text of a letter.
func textOf(t testing.TB, dir, id string) string {
	t.Helper()
	file, err := os.Open(filepath.Join(dir, id+".eml"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	m, err := netmail.ReadMessage(file)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(quotedprintable.NewReader(m.Body))
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(text), "\r\n", "\n")
}

// R2: who is excluded or banned gets no mail, not even about what happened before; the inbox holds it. What is old is not mailed.
func TestNoMailToTheExcluded(t *testing.T) {
	f, dir := folder(t)
	w := storetest.NewWorld(t, &mem.Store{})
	post := central.NewMail(w.Store, f, w.Clock, 0)
	send := func() int {
		t.Helper()
		if err := post.CatchUp(t.Context()); err != nil {
			t.Fatal(err)
		}
		return len(files(t, dir))
	}
	id, banned := w.Registered("one", 5000, 5000), w.Registered("two", 5000, 0)
	me := central.PlayerPrincipal(id)
	if n := send(); n != 5 {
		t.Fatalf("%d letters, want 5", n)
	}
	limit := func(player int64, cents money.Cents) {
		t.Helper()
		w.Do(central.PlayerPrincipal(player), central.SetLimit{Player: player, Of: central.LimitStakes, Cents: cents})
	}
	limit(id, 4000) // happened before the exclusion, to be mailed after it began
	w.Do(me, central.ExcludePlayer{Player: id, Hours: 24})
	session := w.Session(banned, false)
	session.Clearance = w.Clear(banned, true)
	w.Do("system", session)
	limit(banned, 4000)
	if n := send(); n != 5 {
		t.Errorf("%d letters after the exclusion, want 5", n)
	}
	w.Clock.Set(w.Clock.Now().Add(24 * time.Hour))
	limit(id, 3000)
	if n := send(); n != 6 {
		t.Errorf("%d letters after its end, want 6", n)
	}
	limit(id, 2000)
	w.Clock.Set(w.Clock.Now().Add(central.MailAge + time.Second))
	limit(id, 1000)
	if n := send(); n != 7 {
		t.Errorf("%d letters after an outage of a month, want 7", n)
	}
}
