package central_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"tirage/central"
	"tirage/internal/covers"
	"tirage/rules/money"
	"tirage/store/storetest"
)

// quoted asks for a quote that must be given, and makes sure that it left nothing behind.
func quoted(w *storetest.World, s central.Sale) *central.Quote {
	w.Helper()
	before := dump(w)
	q, err := w.Register.Quote(w.Context(), s)
	if err != nil {
		w.Fatal(err)
	}
	if dump(w) != before {
		w.Error("the quote left something behind")
	}
	return q
}

// slip reads the text of a quote.
func slip(w *storetest.World, q *central.Quote) central.Slip {
	w.Helper()
	s, err := central.ParseQuote(q.Text)
	if err != nil {
		w.Fatal(err)
	}
	return *s
}

func me(q *central.Quote) string { return central.PlayerPrincipal(q.Order.Buyer()) }

// confirm confirms a quote, which must be accepted.
func confirm(w *storetest.World, q *central.Quote) central.Bought {
	w.Helper()
	var b central.Bought
	storetest.Result(w, w.Do(me(q), central.Confirm{Quote: slip(w, q)}), &b)
	return b
}

// packDraw opens a draw with packs of ten multiples and two loose simples, 4 of 10 shares of the first being sold.
func packDraw(w *storetest.World, game, day, multiple string, exceptional bool) string {
	w.Helper()
	w.Clock.Set(instant(w, day+" 12:00:00"))
	draw := w.Open(central.OpenDraw{
		Game: game, Day: day, OpensAt: w.Clock.Now(), ClosesAt: instant(w, day+" 20:15:00"), Exceptional: exceptional,
		Packs: []central.PackOffer{{Type: "Grand", Multiples: []string{multiple + "*10"}, Simples: 2, Shares: 10, MaxPacks: 3}},
	})
	first := w.Player("first", 10_000)
	for range 2 {
		w.Do("system", central.BuyShares{Player: first, Draw: draw, Type: "Grand", Shares: 2})
	}
	return draw
}

// Everything that the text orders to be shown before the play is registered stands in the quote and on the recap, item by item, in both languages.
func TestPackQuoteShowsEveryItem(t *testing.T) {
	covers.Covers(t, "P20", "P21", "P36", "P37", "P53", "P54", "P70", "P71")
	type item struct{ name, fr, en string }
	loto := []item{
		{"draw.day", "Tirage Loto® | lundi 29 octobre 2018", "Draw of Loto® | Monday 29 October 2018"},
		{"pack.type", "Pack | Grand", "Pack | Grand"},
		{"pack.combinations", "Combinaisons Simples du Pack | 602", "Simple combinations of the pack | 602"},
		{"pack.codes.loto", "Codes Loto® | 602", "Loto® codes | 602"},
		{"pack.multiples", "Combinaisons Multiples du Pack | 10\u00a0: 10 de 6 numéros et 10 N°\u00a0Chance", "Multiple combinations of the pack | 10: 10 of 6 numbers and 10 Chance numbers"},
		{"pack.simples", "Combinaisons Simples hors multiples | 2", "Simple combinations outside multiples | 2"},
		{"pack.shares", "Nombre de parts du Pack | 10", "Shares of the pack | 10"},
		{"pack.share_price", "Prix d’une part | 132,44\u00a0€", "Price of a share | €132.44"},
		{"pack.formulas", "Formules d’achat | 1 part\u00a0: 132,44\u00a0€ ; 2 parts\u00a0: 264,88\u00a0€ ; 5 parts\u00a0: 662,20\u00a0€ ; 10 parts\u00a0: 1\u202f324,40\u00a0€",
			"Ways to buy | 1 share: €132.44; 2 shares: €264.88; 5 shares: €662.20; 10 shares: €1,324.40"},
		{"shares", "Parts jouées | 5 parts", "Shares played | 5 shares"},
		{"cents", "Mise totale | 662,20\u00a0€", "Total stake | €662.20"},
		{"balance", "Vos disponibilités | 1\u202f000,00\u00a0€", "Your available balance | €1,000.00"},
		{"check", " | Vérifiez votre jeu avant de le valider.", " | Check your play before you confirm it."},
		{"debit", " | Votre mise de 662,20\u00a0€ sera débitée sur vos disponibilités.", " | Your stake of €662.20 will be debited from your available balance."},
		{"irrevocable", " | Une fois validée, votre prise de jeu est irrévocable\u00a0: elle ne peut pas être annulée.", " | Once confirmed, your play is irrevocable: it cannot be cancelled."},
		{"hidden", " | Les combinaisons et les codes vous seront communiqués une fois votre prise de jeu validée.", " | You will see the combinations and codes once your play is confirmed."},
	}
	euro := []item{
		{"draw.day", "Tirage Euro Millions | vendredi 2 novembre 2018", "Draw of Euro Millions | Friday 2 November 2018"},
		{"pack.combinations", "Combinaisons Simples du Pack | 182", "Simple combinations of the pack | 182"},
		{"pack.codes.mymillion", "Codes My Million | 182", "My Million codes | 182"},
		{"pack.multiples", "Combinaisons Multiples du Pack | 10\u00a0: 10 de 6 numéros et 3 Étoiles", "Multiple combinations of the pack | 10: 10 of 6 numbers and 3 stars"},
		{"pack.simples", "Combinaisons Simples hors multiples | 2", "Simple combinations outside multiples | 2"},
		{"pack.shares", "Nombre de parts du Pack | 10", "Shares of the pack | 10"},
		{"pack.share_price", "Prix d’une part | 45,50\u00a0€", "Price of a share | €45.50"},
		{"pack.formulas", "Formules d’achat | 1 part\u00a0: 45,50\u00a0€ ; 2 parts\u00a0: 91,00\u00a0€ ; 5 parts\u00a0: 227,50\u00a0€ ; 10 parts\u00a0: 455,00\u00a0€",
			"Ways to buy | 1 share: €45.50; 2 shares: €91.00; 5 shares: €227.50; 10 shares: €455.00"},
		{"shares", "Parts jouées | 5 parts", "Shares played | 5 shares"},
		{"cents", "Mise totale | 227,50\u00a0€", "Total stake | €227.50"},
	}
	exceptional := append([]item{
		{"draw.exceptional", "Tirage exceptionnel | des codes Euro Millions sont attribués", "Exceptional draw | Euro Millions codes are given"},
		{"pack.codes.euromillions", "Codes Euro Millions | 182 (sans supplément)", "Euro Millions codes | 182 (at no extra charge)"},
	}, euro...)
	for _, c := range []struct {
		name, game, day, multiple string
		exceptional               bool
		items                     []item
	}{
		{"loto", "loto", "2018-10-29", "6x10", false, loto},
		{"euromillions", "euromillions", "2018-11-02", "6x3", false, euro},
		{"exceptional", "euromillions", "2018-11-02", "6x3", true, exceptional},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			draw := packDraw(w, c.game, c.day, c.multiple, c.exceptional)
			q := quoted(w, central.BuyShares{Player: w.Player("one", 1000), Draw: draw, Type: "Grand", Shares: 5})
			for lang, want := range map[string]func(item) string{
				central.French: func(i item) string { return i.fr }, central.English: func(i item) string { return i.en },
			} {
				r := q.Recap(lang)
				for _, i := range c.items {
					l, ok := r.Line(i.name)
					if got := l.Label + " | " + l.Value; !ok || got != want(i) {
						t.Errorf("%s of %s: %q, want %q", i.name, lang, got, want(i))
					}
				}
			}
			if fr, en := q.Recap(central.French), q.Recap("de"); fr.Modify != "Modifier" || fr.Confirm != "Je valide" || en.Modify != "Change" || en.Confirm != "Confirm" {
				t.Errorf("buttons %q %q, %q %q", fr.Modify, fr.Confirm, en.Modify, en.Confirm)
			}
			if _, ok := q.Recap(central.French).Line("pack.codes.euromillions"); ok != c.exceptional {
				t.Errorf("codes Euro Millions shown: %v, want %v", ok, c.exceptional)
			}
		})
	}
}

// The same items as numbers, for programs: one assertion each.
func TestPackQuoteInNumbers(t *testing.T) {
	w := newWorld(t)
	draw := packDraw(w, "euromillions", "2018-11-02", "6x3", true)
	q := quoted(w, central.BuyShares{Player: w.Player("one", 100), Draw: draw, Type: "Grand", Shares: 5})
	codes := []central.CodeTerms{{Series: "mymillion", Count: 182}, {Series: "euromillions", Count: 182, Free: true}}
	want := central.Terms{
		Rules: "euromillions@2018-10-29",
		Draws: []central.DrawTerms{{
			Draw: draw, Game: "euromillions", Title: "Euro Millions", Day: "2018-11-02", ClosesAt: instant(t, "2018-11-02 20:15:00").UTC(), Exceptional: true,
			PrizeRules: "euromillions@2018-10-29",
		}},
		Pack: &central.PackTerms{
			Type: "Grand", Shares: 10, SharePrice: 4550, Combinations: 182, Codes: codes, Multiples: 10, Simples: 2,
			Formulas: []central.Formula{{1, 4550}, {2, 9100}, {5, 22750}, {10, 45500}},
			Formats:  []central.MultipleTerms{{Count: 10, Main: 6, Extra: 3, Combinations: 18}},
		},
		Shares: 5, Combinations: 182, Codes: codes, Cents: 22750,
	}
	if diff := cmp.Diff(want, q.Terms); diff != "" {
		t.Errorf("terms (-want +got): %s", diff)
	}
	if diff := cmp.Diff(&central.Stock{Sold: 4, Left: 26, Largest: 10, Packs: 1, MaxPacks: 3}, q.Stock); diff != "" {
		t.Errorf("stock (-want +got): %s", diff)
	}
	if q.Balance != 10_000 || q.Missing != 12_750 || q.Hindrance == nil || q.Hindrance.Reason != "balance.insufficient" {
		t.Errorf("balance %v, missing %v, hindrance %+v", q.Balance, q.Missing, q.Hindrance)
	}
	if got := q.Expires.Sub(q.Made); got != 15*time.Minute {
		t.Errorf("stands for %v", got)
	}
}

// What was shown is what is paid: quote, receipt, debit, play and statement hold the same cents.
func TestCase03QuotePaysWhatItShows(t *testing.T) {
	covers.Covers(t, "P39", "P73")
	w := newWorld(t)
	draw := packDraw(w, "loto", "2018-10-29", "6x10", false)
	player := w.Player("one", 1000)
	q := quoted(w, central.BuyShares{Player: player, Draw: draw, Type: "Grand", Shares: 5})
	b := confirm(w, q)
	plays := rows(t, w.Store, central.Plays)
	play := plays[len(plays)-1].(*central.Play)
	transfers := rows(t, w.Store, central.Transfers)
	for name, got := range map[string]money.Cents{
		"receipt": b.Cents, "balance": 100_000 - w.Balance(player), "play": play.Stake, "transfer": transfers[len(transfers)-1].(*central.Transfer).Cents,
	} {
		if got != q.Cents || got != 66_220 {
			t.Errorf("%s: %v, quoted %v", name, got, q.Cents)
		}
	}
	if b.Shares != q.Shares || b.Combos != q.Combinations || len(b.Grids) != 12 || b.Codes[0].Count != q.Codes[0].Count {
		t.Errorf("bought %+v, quoted %+v", b, q.Terms)
	}
}

// Nothing that chance gives can be seen before the stake is paid.
func TestQuoteHidesContents(t *testing.T) {
	covers.Covers(t, "P41", "P75")
	w := newWorld(t)
	draw := packDraw(w, "loto", "2018-10-29", "6x10", false)
	q := quoted(w, central.BuyShares{Player: w.Player("one", 1000), Draw: draw, Type: "Grand", Shares: 1})
	b := confirm(w, q)
	shown := q.Text + strings.Join(texts(q.Recap(central.French)), "\n")
	for _, secret := range append(b.Grids, b.Codes[0].First, b.Codes[0].Last) {
		if strings.Contains(shown, secret) {
			t.Errorf("the quote shows %s", secret)
		}
	}
	if len(b.Grids) != 12 || b.Codes[0].First == "" {
		t.Errorf("the receipt shows %d grids and codes %+v", len(b.Grids), b.Codes)
	}
}

func texts(r *central.Recap) (all []string) {
	for _, l := range append(r.Lines, r.Notes...) {
		all = append(all, l.Label+" "+l.Value)
	}
	return all
}

// « Modifier » gives the order back as it was, debits nothing, and the quote is dead from then on, in every tab.
func TestModifyKeepsTheOrder(t *testing.T) {
	covers.Covers(t, "P38", "P72")
	w := newWorld(t)
	draw := packDraw(w, "loto", "2018-10-29", "6x10", false)
	player := w.Player("one", 1000)
	order := central.BuyShares{Player: player, Draw: draw, Type: "Grand", Shares: 5}
	q := quoted(w, order)
	for range 2 { // in two tabs
		var d central.Dropped
		storetest.Result(w, w.Do(me(q), central.DropQuote{Quote: slip(w, q)}), &d)
		if diff := cmp.Diff(central.Sale(order), d.Order.Sale); diff != "" {
			t.Errorf("the order comes back otherwise (-want +got): %s", diff)
		}
	}
	w.Why("quote.dropped", me(q), central.Confirm{Quote: slip(w, q)})
	if got := len(rows(t, w.Store, central.Quotes)); got != 1 || w.Balance(player) != 100_000 {
		t.Errorf("%d rows of quotes, balance %v", got, w.Balance(player))
	}
	again := quoted(w, order)
	if again.ID == q.ID {
		t.Error("two quotes have one number")
	}
	confirm(w, again)
	w.Why("quote.confirmed", me(q), central.DropQuote{Quote: slip(w, again)})
}

// 6: a player tops up in the middle of a purchase. The same quote is confirmed again after the deposit: the answer is a receipt, or says what is not
// bought.
func TestCase06DepositInTheMiddle(t *testing.T) {
	w, draw := shop(t)
	id := w.Registered("one", 100_000, 500)
	q := quoted(w, play(id, draw, 3))
	if q.Missing != 160 || q.Hindrance == nil || q.Hindrance.French != "Vos disponibilités sont insuffisantes\u00a0: il faut 6,60\u00a0€, vous disposez de 5,00\u00a0€. Rien n’est débité." {
		t.Errorf("missing %v, %+v", q.Missing, q.Hindrance)
	}
	ask := func() (central.Receipt, error) {
		return w.Register.Do(w.Context(), central.Request{Principal: me(q), Key: "confirm", Command: central.Confirm{Quote: slip(w, q)}})
	}
	if _, err := ask(); central.CodeOf(err) != central.Insufficient {
		t.Fatal(err)
	}
	w.Deposit(id, 160)
	r, err := ask()
	if err != nil || r.Replayed || w.Balance(id) != 0 {
		t.Fatalf("%+v, %v, balance %v", r, err, w.Balance(id))
	}
	again, err := ask()
	if err != nil || !again.Replayed || string(again.Result) != string(r.Result) {
		t.Errorf("%+v, %v", again, err)
	}
	w.CheckBooks()
	// Without the deposit the quote ends, and says that nothing was bought.
	late := quoted(w, play(id, draw, 1))
	w.Why("balance.insufficient", me(late), central.Confirm{Quote: slip(w, late)})
	w.Clock.Set(late.Expires)
	if r := w.Why("quote.expired", me(late), central.Confirm{Quote: slip(w, late)}); !strings.Contains(r.In(central.French), "Rien n’est débité") {
		t.Error(r.In(central.French))
	}
}

// A play of grids for several draws with an added game: every item, and the total that is debited.
func TestPlayQuoteShowsEveryItem(t *testing.T) {
	w := newWorld(t)
	w.Clock.Set(instant(t, "2018-10-29 12:00:00"))
	var draws []string
	for _, day := range []string{"2018-10-29", "2018-10-31", "2018-11-03"} {
		draws = append(draws, w.Open(central.OpenDraw{Game: "loto", Day: day, OpensAt: w.Clock.Now(), ClosesAt: instant(t, day+" 20:15:00")}))
	}
	player := w.Player("one", 100)
	q := quoted(w, central.BuyPlay{
		Player: player, Draw: draws[0], Further: draws[1:], Lines: []central.Line{chosen(t, "5-9-21-36-39+5"), quick(6, 2)}, Channel: central.ChannelWeb,
		AddOns: []central.AddOn{{Game: "jokerplus", Stake: 200}},
	})
	want := map[string][2]string{
		"line.1":           {"Grille 1 | 5-9-21-36-39+5", "Grid 1 | 5-9-21-36-39+5"},
		"line.2":           {"Grille 2 | Système Flash\u00a0: 6 numéros et 2 N°\u00a0Chance (Combinaison Multiple, 12 Combinaisons Simples)", "Grid 2 | Quick pick: 6 numbers and 2 Chance numbers (multiple combination, 12 simple combinations)"},
		"add_on.jokerplus": {"Joker+® | 2,00\u00a0€ par tirage", "Joker+® | €2.00 for each draw"},
		"combinations":     {"Combinaisons Simples | 39", "Simple combinations | 39"},
		"codes.loto":       {"Codes Loto® | 39", "Loto® codes | 39"},
		"cents":            {"Mise totale | 91,80\u00a0€", "Total stake | €91.80"},
	}
	for i, lang := range []string{central.French, central.English} {
		r := q.Recap(lang)
		for name, text := range want {
			if l, _ := r.Line(name); l.Label+" | "+l.Value != text[i] {
				t.Errorf("%s of %s: %q, want %q", name, lang, l.Label+" | "+l.Value, text[i])
			}
		}
		var days []string
		for _, l := range r.Lines {
			if l.Item == "draw.day" {
				days = append(days, l.Value)
			}
		}
		if diff := cmp.Diff([][]string{
			{"lundi 29 octobre 2018", "mercredi 31 octobre 2018", "samedi 3 novembre 2018"}, {"Monday 29 October 2018", "Wednesday 31 October 2018", "Saturday 3 November 2018"},
		}[i], days); diff != "" {
			t.Error(diff)
		}
	}
	b := confirm(w, q)
	if b.Total != q.Cents || w.Balance(player) != 10_000-q.Cents || q.Cents != 9180 || len(b.Further) != 2 {
		t.Errorf("bought for %v, quoted %v, balance %v", b.Total, q.Cents, w.Balance(player))
	}
}

// A quote made under one rulebook is not confirmed under the next, though the price be the same.
func TestQuoteAcrossMidnight(t *testing.T) {
	w := newWorld(t)
	midnight := instant(t, "2018-10-29 00:00:00")
	w.Clock.Set(midnight.Add(-time.Second))
	draw := w.Open(central.OpenDraw{Game: "loto", Day: "2018-10-29", OpensAt: w.Clock.Now(), ClosesAt: instant(t, "2018-10-29 20:15:00")})
	q := quoted(w, play(w.Player("one", 100), draw, 1))
	w.Clock.Set(midnight)
	r := w.Why("quote.rules", me(q), central.Confirm{Quote: slip(w, q)})
	if want := "Le règlement loto@2017-03-06 a fait place au règlement loto@2018-10-29\u00a0: demandez un nouveau récapitulatif. Rien n’est débité."; r.In(central.French) != want {
		t.Errorf("%q, want %q", r.In(central.French), want)
	}
	confirm(w, quoted(w, q.Order.Sale))
}

// A register that sells to people sells what they were shown, and nothing else.
func TestQuotesOnly(t *testing.T) {
	w := newWorld(t, func(c *central.Config) { c.QuotesOnly = true })
	draw := openLoto(w)
	player := w.Player("one", 100)
	principal := central.PlayerPrincipal(player)
	for _, sale := range []central.Sale{play(player, draw, 1), central.BuyShares{Player: player, Draw: draw, Type: "small", Shares: 1}} {
		w.Why("quote.needed", principal, sale)
		confirm(w, quoted(w, sale))
		w.Do("system", sale)
	}
}

// A quote is given to a player who may not buy now, and says why not; the recap repeats it.
func TestQuoteTellsWhatHinders(t *testing.T) {
	w, draw := shop(t)
	id := w.Registered("one", 1000, 2000)
	order := play(id, draw, 3)
	if q := quoted(w, order); q.Hindrance != nil {
		t.Errorf("%+v", q.Hindrance)
	}
	for _, c := range []struct {
		reason string
		happen func()
	}{
		{"limit.stake", func() {
			w.Do(central.PlayerPrincipal(id), central.SetLimit{Player: id, Of: central.LimitStakes, Cents: 659})
		}},
		{"check.open", func() { w.Clock.Set(w.Clock.Now().Add(time.Hour)) }},
		{"player.excluded", func() { w.Do(central.PlayerPrincipal(id), central.ExcludePlayer{Player: id, Hours: 24}) }},
	} {
		c.happen()
		q := quoted(w, order)
		if q.Hindrance == nil || q.Hindrance.Reason != c.reason {
			t.Fatalf("%+v, want %s", q.Hindrance, c.reason)
		}
		if l, _ := q.Recap(central.French).Line("hindrance"); l.Value != q.Hindrance.French || l.Value == "" {
			t.Errorf("the recap says %q", l.Value)
		}
		w.Why(c.reason, me(q), central.Confirm{Quote: slip(w, q)})
	}
}
