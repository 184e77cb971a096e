package central_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"tirage/central"
	"tirage/ledger"
	"tirage/rules/drawing"
	"tirage/store/mem"
	"tirage/store/storetest"
)

// doctored is a store seen through an edit of its rows: it returns what stands in the place of one.
type doctored struct {
	central.Reader
	edit func(central.Row) []central.Row
}

func (d doctored) Snapshot(ctx context.Context) (central.Snapshot, error) {
	snap, err := d.Reader.Snapshot(ctx)
	return doctoredSnapshot{snap, d.edit}, err
}

type doctoredSnapshot struct {
	central.Snapshot
	edit func(central.Row) []central.Row
}

func (s doctoredSnapshot) Get(ctx context.Context, k central.Key) (central.Row, error) {
	r, err := s.Snapshot.Get(ctx, k)
	if r == nil || err != nil {
		return r, err
	}
	for _, r := range s.edit(r) {
		if central.KeyOf(r) == k {
			return r, nil
		}
	}
	return nil, nil
}

func (s doctoredSnapshot) Scan(ctx context.Context, r central.Range, yield func(central.Row) error) error {
	return s.Snapshot.Scan(ctx, r, func(row central.Row) error {
		for _, row := range s.edit(row) {
			if err := yield(row); err != nil {
				return err
			}
		}
		return nil
	})
}

// change makes the column of a row another value.
func change(field any) {
	switch f := field.(type) {
	case *int64:
		*f++
	case *string:
		*f += "x"
	case *[]byte:
		if len(*f) == 0 {
			*f = []byte{0}
		} else {
			*f = slices.Clone(*f)
			(*f)[len(*f)/2] ^= 1
		}
	}
}

// harmless are the columns whose change no one can prove: which node has added what to a sum that is right.
var harmless = map[string]bool{"accounts.node": true, "counters.node": true}

// stories take a fresh world to states whose books are checked.
var stories = map[string]func(w *storetest.World){
	"open":   func(w *storetest.World) { sellLoto(w, openLoto(w)) },
	"closed": func(w *storetest.World) { closeLoto(w) },
	"drawn": func(w *storetest.World) {
		draw := closeLoto(w)
		must(w, w.Operator.Seal(w.Context(), draw, lotoTerms))
		must(w, w.Operator.Record(w.Context(), draw, lotoResult, central.Outside{}))
	},
	"approved": func(w *storetest.World) {
		draw := closeLoto(w)
		must(w, w.Operator.Seal(w.Context(), draw, lotoTerms))
		must(w, w.Operator.Record(w.Context(), draw, lotoResult, central.Outside{}))
		_, err := w.Operator.Count(w.Context(), draw)
		must(w, err)
		must(w, w.Operator.Approve(w.Context(), draw, 1, "staff/officer"))
	},
	"saturated": func(w *storetest.World) { sellSaturated(w) },
	"added": func(w *storetest.World) {
		draw := openLoto(w)
		sellJoker(w, draw)
		w.Clock.Set(instant(w, lotoDay+" 20:15:00"))
		w.Evening(draw, lotoTerms, jokerResult, central.Outside{})
	},
	"grouped": func(w *storetest.World) {
		draw := openLoto(w)
		one, two := w.Player("one", 100), w.Player("two", 100)
		for range 2 { // one is registered, one is not
			g := proposed(w, one, draw, 3, chosen(w, "1-2-3-4-9+1"))
			joined(w, g, two, 2)
			if len(rows(w, w.Store, central.Receipts)) == 0 {
				registered(w, g, one)
			}
		}
		subscribed(w, one, 220)
		subscribed(w, two, 420, func(c *central.Subscribe) { c.AddOns, c.Days = joker(200, ""), []string{"monday"} })
		w.Clock.Set(instant(w, "2020-06-22 10:00:00"))
		swept(w, runner(w))
		w.Clock.Set(instant(w, lotoDay+" 20:15:00"))
		w.Evening(draw, lotoTerms, jokerResult, central.Outside{})
	},
	"published": func(w *storetest.World) {
		draw := openLoto(w)
		sellLoto(w, draw)
		w.Clock.Set(instant(w, lotoDay+" 20:15:00"))
		w.Evening(draw, lotoTerms, lotoResult, central.Outside{})
	},
}

func must(w *storetest.World, err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
	w.CheckBooks()
}

func closeLoto(w *storetest.World) string {
	w.Helper()
	draw := openLoto(w)
	sellLoto(w, draw)
	w.Clock.Set(instant(w, lotoDay+" 20:15:00"))
	must(w, w.Operator.Close(w.Context(), draw))
	return draw
}

// Whatever single value of whatever row is changed, whatever row is lost or stands twice, the books say so.
func TestBooksFindEveryChange(t *testing.T) {
	seen := map[central.TableID]bool{}
	for name, story := range stories {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			story(w)
			for i := range central.Schema {
				table := &central.Schema[i]
				all := rows(t, w.Store, table.ID)
				for j := 0; j < len(all); j += 1 + len(all)/5 { // the first and some others
					seen[table.ID] = true
					findEveryChange(t, w.Store, table, all[j])
				}
			}
		})
	}
	for _, table := range []central.TableID{
		central.Writers, central.Players, central.Profiles, central.Draws, central.PackTypes, central.Packs, central.PackContents, central.CodePointers, central.CodeBlocks,
		central.Plays, central.Groups, central.Receipts, central.Abos, central.AddOnRows, central.Leases, central.Attempts, central.Docs, central.Slices, central.Credits, central.Accounts, central.Counters, central.Transfers, central.Keys, central.Leaves,
	} {
		if !seen[table] {
			t.Errorf("no row of %s was changed", central.Schema[table].Name)
		}
	}
}

func findEveryChange(t *testing.T, store central.Reader, table *central.Table, r central.Row) {
	t.Helper()
	k := central.KeyOf(r)
	try := func(what string, edit func(r central.Row) []central.Row) {
		t.Helper()
		err := central.CheckBooks(context.Background(), doctored{store, func(r central.Row) []central.Row {
			if central.KeyOf(r) != k {
				return []central.Row{r}
			}
			return edit(r)
		}})
		if err == nil {
			t.Errorf("%v: nobody finds %s", k, what)
		} else if !strings.HasPrefix(err.Error(), "books: ") {
			t.Errorf("%v: %s: %v", k, what, err)
		}
	}
	if a, ok := r.(*central.AccountRow); !ok || a.Balance != 0 { // an account at zero may have no row
		try("that it is lost", func(central.Row) []central.Row { return nil })
	}
	for c, column := range table.Columns {
		if harmless[table.Name+"."+column.Name] {
			continue
		}
		try(column.Name+" changed", func(r central.Row) []central.Row {
			change(r.Fields()[c])
			return []central.Row{r}
		})
		if c < table.PK && column.Type == central.Int || c == table.PK-1 {
			try("a copy with another "+column.Name, func(r central.Row) []central.Row {
				twin := table.New()
				for i, f := range r.Fields() {
					switch f := f.(type) {
					case *int64:
						*twin.Fields()[i].(*int64) = *f
					case *string:
						*twin.Fields()[i].(*string) = *f
					case *[]byte:
						*twin.Fields()[i].(*[]byte) = *f
					}
				}
				change(twin.Fields()[c])
				return []central.Row{r, twin}
			})
		}
	}
}

// A command with a fault would write its wrong rows into the log as well. The books find it by what the rows say of each other.
func TestBooksFindFaultyCommands(t *testing.T) {
	loto := "loto-" + lotoDay
	drawKey := central.Key{Table: central.Draws, S: loto}
	typeKey := central.Key{Table: central.PackTypes, S: loto, U: "ten"}
	for _, c := range []struct {
		name, story string
		read        []central.Key
		do          func(w *storetest.World, p *central.Plan) error
		want        string
	}{
		{"a play whose codes were never issued", "open", nil, func(w *storetest.World, p *central.Plan) error {
			play := somePlay(w, p, central.KindSimple)
			play.CodeAt = 100
			central.Insert(p, play)
			return nil
		}, "issued are 0 to"},
		{"a play whose codes another has", "open", nil, func(w *storetest.World, p *central.Plan) error {
			play := somePlay(w, p, central.KindSimple)
			central.Insert(p, play)
			return central.Post(p, ledger.Player(play.Player), ledger.Stakes(loto), play.Stake)
		}, "issued twice"},
		{"a play for another price", "open", nil, func(w *storetest.World, p *central.Plan) error {
			play := somePlay(w, p, central.KindSimple)
			play.Stake--
			central.Insert(p, play)
			return central.Post(p, ledger.Player(play.Player), ledger.Stakes(loto), play.Stake)
		}, "its grids are simple of 1 at 2.20 each"},
		{"a play of another kind", "open", nil, func(w *storetest.World, p *central.Plan) error {
			play := somePlay(w, p, central.KindSimple)
			play.Kind = central.KindMultiple
			central.Insert(p, play)
			return nil
		}, "its grids are simple"},
		{"a play of nobody", "open", nil, func(w *storetest.World, p *central.Plan) error {
			play := somePlay(w, p, central.KindSimple)
			play.Player = 999
			central.Insert(p, play)
			return nil
		}, "player 999, who does not exist"},
		{"a play after the close", "closed", nil, func(w *storetest.World, p *central.Plan) error {
			play := somePlay(w, p, central.KindSimple)
			play.At = w.Clock.Now().UnixMicro()
			central.Insert(p, play)
			return nil
		}, "outside the hours"},
		{"ranks of another version", "open", nil, func(w *storetest.World, p *central.Plan) error {
			play := somePlay(w, p, central.KindSimple)
			play.PrizeRules = "loto@2018-10-29"
			central.Insert(p, play)
			return nil
		}, "on the day of the draw loto@2019-11-04 is in force"},
		{"a channel that is none", "open", nil, func(w *storetest.World, p *central.Plan) error {
			play := somePlay(w, p, central.KindSimple)
			play.Channel = "fax"
			central.Insert(p, play)
			return nil
		}, `on channel "fax"`},
		{"shares at a point of sale", "open", nil, func(w *storetest.World, p *central.Plan) error {
			play := somePlay(w, p, central.KindPack)
			play.Channel = "retail"
			central.Insert(p, play)
			return nil
		}, `shares of a pack on channel "retail"`},
		{"Joker+ with a pack", "open", nil, addedTo(central.KindPack, nil), "which is none of grids"},
		{"Joker+ with no play", "open", nil, addedTo(central.KindSimple, func(a *central.AddOnRow) { a.Play = 999 }), "which is none of grids"},
		{"Joker+ for another price", "open", nil, addedTo(central.KindSimple, func(a *central.AddOnRow) { a.Stake = 150 }), "jokerplus with number"},
		{"Joker+ of six digits", "open", nil, addedTo(central.KindSimple, func(a *central.AddOnRow) { a.Number = "123456" }), "jokerplus with number"},
		{"Joker+ under other rules", "open", nil, addedTo(central.KindSimple, func(a *central.AddOnRow) { a.SaleRules = "etoileplus@2016-09-27" }), "does not go with"},
		{"Joker+ with gains of another version", "open", nil, addedTo(central.KindSimple, func(a *central.AddOnRow) { a.PrizeRules = "x" }), "is in force"},
		{"Étoile+ with Loto", "open", nil, addedTo(central.KindSimple, func(a *central.AddOnRow) {
			a.Game, a.Number, a.SaleRules, a.PrizeRules = "etoileplus", "", "etoileplus@2020-02-04", "etoileplus@2020-02-04"
		}), "does not go with"},
		{"Joker+ that no counter knows", "open", nil, addedTo(central.KindSimple, nil), "the counters say"},
		{"a share that was never bought", "open", []central.Key{typeKey}, func(w *storetest.World, p *central.Plan) error {
			central.Edit[central.PackType](p, typeKey).Sold++
			return nil
		}, "shares are sold, of the packs"},
		{"a share at another price", "open", nil, func(w *storetest.World, p *central.Plan) error {
			play := somePlay(w, p, central.KindPack)
			play.Shares, play.Stake = 1, 1319
			central.Insert(p, play)
			return nil
		}, "shares of pack ten/0 at"},
		{"shares of a pack whose codes are others", "open", nil, func(w *storetest.World, p *central.Plan) error {
			play := somePlay(w, p, central.KindPack)
			play.CodeAt++
			central.Insert(p, play)
			return nil
		}, "its combinations and codes are not those of pack ten/0"},
		{"shares of no pack", "open", nil, func(w *storetest.World, p *central.Plan) error {
			play := somePlay(w, p, central.KindPack)
			play.Pack = 9
			central.Insert(p, play)
			return nil
		}, "there is no pack ten/9"},
		{"a pack that nobody has", "open", []central.Key{typeKey}, func(w *storetest.World, p *central.Plan) error {
			central.Edit[central.PackType](p, typeKey).Opened++
			return nil
		}, "packs ten: 2 are open of 3, there are 1"},
		{"a pack without contents", "open", nil, func(w *storetest.World, p *central.Plan) error {
			central.Insert(p, &central.Pack{Draw: loto, Type: "ten", N: 1, Sold: 1})
			return nil
		}, "pack ten/1 has no contents"},
		{"another pack's contents", "open", nil, func(w *storetest.World, p *central.Plan) error {
			c := storedRow[central.PackContent](w, w.Store, central.Key{Table: central.PackContents, S: loto, U: "small", N: 0})
			c.Type, c.N = "ten", 1
			central.Insert(p, &central.Pack{Draw: loto, Type: "ten", N: 1, Sold: 1})
			central.Insert(p, c)
			return nil
		}, "its type has 6x10*1 in 60"},
		{"a count of plays too high", "open", nil, func(w *storetest.World, p *central.Plan) error {
			central.AddCount(p, "plays/"+loto+"/"+central.KindSimple, 1)
			return nil
		}, "the counters say"},
		{"a count of codes too high", "open", nil, func(w *storetest.World, p *central.Plan) error {
			central.AddCount(p, "codes/rnd/"+loto+"/loto/"+loto, 1)
			return nil
		}, "the counter says"},
		{"stakes that leave too early", "open", nil, func(w *storetest.World, p *central.Plan) error {
			return central.Post(p, ledger.Stakes(loto), ledger.Operator("loto"), 1)
		}, "the plays hold"},
		{"prizes before the result", "open", nil, func(w *storetest.World, p *central.Plan) error {
			return central.Post(p, ledger.Operator("loto"), ledger.Prizes(loto), 1)
		}, "prizes of 0.01 while it is open"},
		{"an account below its floor", "open", nil, func(w *storetest.World, p *central.Plan) error {
			return central.Post(p, ledger.Claims(loto), ledger.Operator("loto"), 1)
		}, "account claims/loto-2020-06-22 has -0.01"},
		{"the operator's stake too low", "closed", nil, func(w *storetest.World, p *central.Plan) error {
			return central.Post(p, ledger.Operator("loto"), ledger.Unsold(loto), 1)
		}, "for unsold shares"},
		{"a play after the seal", "drawn", nil, func(w *storetest.World, p *central.Plan) error {
			play := somePlay(w, p, central.KindPack)
			central.Insert(p, play)
			return nil
		}, "shares sold, its plays hold"},
		{"a play after the seal that all counters know", "drawn", nil, func(w *storetest.World, p *central.Plan) error {
			play := somePlay(w, p, central.KindSimple)
			k := central.Key{Table: central.CodePointers, S: "rnd/" + loto + "/loto"}
			pointer := central.Edit[central.CodePointer](p, k)
			play.CodeAt = pointer.Next
			pointer.Next++
			central.Insert(p, play)
			central.AddCount(p, "plays/"+loto+"/"+play.Kind, 1)
			central.AddCount(p, "cents/"+loto+"/"+play.Kind, int64(play.Stake))
			central.AddCount(p, "codes/"+k.S+"/"+loto, 1)
			return central.Post(p, ledger.Player(play.Player), ledger.Stakes(loto), play.Stake)
		}, "the plays are not those that were sealed"},
		{"settled without payment", "approved", []central.Key{drawKey}, func(w *storetest.World, p *central.Plan) error {
			central.Edit[central.Draw](p, drawKey).State = string(drawing.Settled)
			return nil
		}, "it is settled with 0 of 1 slices paid"},
		{"a slice marked as paid", "approved", []central.Key{drawKey, {Table: central.Slices, S: loto, N: 1}}, func(w *storetest.World, p *central.Plan) error {
			central.Edit[central.Draw](p, drawKey).Paid = 1
			central.Edit[central.Slice](p, central.Key{Table: central.Slices, S: loto, N: 1}).Paid = 1
			return nil
		}, "0 credits of 0.00"},
		{"a gain paid twice", "published", nil, func(w *storetest.World, p *central.Plan) error {
			c := *rows(w, w.Store, central.Credits)[0].(*central.Credit)
			c.Component = "again"
			if err := central.Post(p, ledger.Reserve("loto"), ledger.Prizes(loto), c.Cents); err != nil {
				return err
			}
			return central.Pay(p, &c)
		}, "credits of"},
		{"a gain of another version", "published", nil, func(w *storetest.World, p *central.Plan) error {
			c := *rows(w, w.Store, central.Credits)[0].(*central.Credit)
			c.Version = 2
			if err := central.Post(p, ledger.Reserve("loto"), ledger.Prizes(loto), c.Cents); err != nil {
				return err
			}
			return central.Pay(p, &c)
		}, "a credit of version 2 of the result, approved is 1"},
		{"rounding taken away", "published", nil, func(w *storetest.World, p *central.Plan) error {
			return central.Post(p, ledger.Operator("loto"), ledger.Rounding(loto), 1)
		}, "account rounding/loto-2020-06-22 has"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := storetest.NewWorld(t, &mem.Store{})
			w.Faulty = true
			stories[c.story](w)
			if _, err := w.Try("system", central.Unlawful{Name: c.name, Read: c.read, Do: func(p *central.Plan) error { return c.do(w, p) }}); err != nil {
				t.Fatal(err)
			}
			if err := central.CheckBooks(t.Context(), w.Store); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

// A manifest that names another root than the log had, or a size that it never had, is found.
func TestBooksFindWrongRoots(t *testing.T) {
	for want, change := range map[string]func(*central.LogSize){
		"names another root":     func(l *central.LogSize) { l.Root = make([]byte, 32) },
		"which has no such size": func(l *central.LogSize) { l.Size = 999 },
	} {
		w := newWorld(t)
		closeLoto(w)
		snap, err := w.Store.Snapshot(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		logs, err := central.LogSizes(t.Context(), snap)
		if err != nil {
			t.Fatal(err)
		}
		snap.Close()
		change(&logs[0])
		if _, err := w.Try("system", manifestOf(w, func(m *central.Manifest) { m.Logs = logs })); err != nil {
			t.Fatal(err)
		}
		if err := central.CheckBooks(t.Context(), w.Store); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// somePlay returns a copy of a play of a kind, as a play of this command.
func somePlay(w *storetest.World, p *central.Plan, kind string) *central.Play {
	for _, r := range rows(w, w.Store, central.Plays) {
		if play := r.(*central.Play); play.Kind == kind {
			play.ID = p.ID()
			return play
		}
	}
	panic(fmt.Sprintf("no play of kind %s", kind))
}

// addedTo adds Joker+ to a play of a kind, changed, without a sale.
func addedTo(kind string, change func(*central.AddOnRow)) func(w *storetest.World, p *central.Plan) error {
	return func(w *storetest.World, p *central.Plan) error {
		a := &central.AddOnRow{
			Draw: loto, Game: "jokerplus", Stake: 100, Number: "5697395", SaleRules: "jokerplus@2017-03-06", PrizeRules: "jokerplus@2017-03-06",
		}
		for _, r := range rows(w, w.Store, central.Plays) {
			if play := r.(*central.Play); play.Kind == kind {
				a.Play = play.ID
			}
		}
		if change != nil {
			change(a)
		}
		central.Insert(p, a)
		return nil
	}
}
