// long file: one table of every occasion on which a command is refused.

package central_test

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/note"
	"tirage/central"
	"tirage/rules/money"
	"tirage/rules/prize"
	"tirage/store/storetest"
)

const loto = "loto-" + lotoDay

// lotoOpening is a good opening of the draw, secret included.
func lotoOpening(w *storetest.World, change ...func(*central.OpenDraw)) central.OpenDraw {
	w.Helper()
	c := central.OpenDraw{Game: "loto", Day: lotoDay, OpensAt: w.Clock.Now(), ClosesAt: instant(w, lotoDay+" 20:15:00")}
	for _, f := range change {
		f(&c)
	}
	var err error
	if c.Sealed, c.Commitment, err = central.NewDrawSecret(&storetest.Entropy{Seed: 7}, w.Keys, central.DrawID(c.Game, c.Day)); err != nil {
		w.Fatal(err)
	}
	return c
}

// opening is the setup of a case whose draw cannot be opened.
func opening(change func(*central.OpenDraw)) func(w *storetest.World) central.Command {
	return func(w *storetest.World) central.Command { return lotoOpening(w, change) }
}

// offered is the same with one pack type.
func offered(change func(*central.PackOffer)) func(w *storetest.World) central.Command {
	return opening(func(c *central.OpenDraw) {
		o := central.PackOffer{Type: "ten", Multiples: []string{"6x10*1"}, Shares: 10, MaxPacks: 3}
		change(&o)
		c.Reconstructed = true
		c.Packs = []central.PackOffer{o}
	})
}

// onSale is the setup of a case that buys.
func onSale(buy func(w *storetest.World, player int64) central.Command) func(w *storetest.World) central.Command {
	return func(w *storetest.World) central.Command {
		openLoto(w)
		return buy(w, w.Player("one", 100))
	}
}

// after is the setup of a case in a state of [stories].
func after(story string, c func(w *storetest.World) central.Command) func(w *storetest.World) central.Command {
	return func(w *storetest.World) central.Command {
		stories[story](w)
		return c(w)
	}
}

// signed signs a paper.
func signed(w *storetest.World, v any, signer note.Signer) string {
	w.Helper()
	s, err := central.SignPaper(v, signer)
	if err != nil {
		w.Fatal(err)
	}
	return s
}

// manifestOf returns the manifest that the operator would sign, changed.
func manifestOf(w *storetest.World, change func(*central.Manifest)) central.Command {
	w.Helper()
	snap, err := w.Store.Snapshot(w.Context())
	if err != nil {
		w.Fatal(err)
	}
	defer snap.Close()
	sales, err := central.CountSales(w.Context(), snap, loto)
	if err != nil {
		w.Fatal(err)
	}
	m := central.Manifest{Sales: *sales, Terms: lotoTerms}
	change(&m)
	return central.SealDraw{Draw: loto, Manifest: signed(w, m, w.Keys.Operator)}
}

func sealing(change func(*central.Manifest)) func(w *storetest.World) central.Command {
	return after("closed", func(w *storetest.World) central.Command { return manifestOf(w, change) })
}

// recording is the setup of a case whose result cannot be recorded.
func recording(change func(*central.Result, *central.Outside)) func(w *storetest.World) central.Command {
	return after("closed", func(w *storetest.World) central.Command {
		must(w, w.Operator.Seal(w.Context(), loto, lotoTerms))
		r, o := lotoResult, central.Outside{Draw: loto, Version: 1}
		r.Draw, r.Version = loto, 1
		change(&r, &o)
		return central.RecordResult{Draw: loto, Result: signed(w, r, w.Keys.Operator), Outside: signed(w, o, w.Keys.Operator)}
	})
}

// counting is the setup of a case whose count cannot be taken.
func counting(change func(*central.Count)) func(w *storetest.World) central.Command {
	return after("drawn", func(w *storetest.World) central.Command {
		var c central.Count
		paper, err := w.Operator.Control.CountResult(w.Context(), loto)
		if err != nil {
			w.Fatal(err)
		}
		read, err := central.ReadPaper[central.Count](paper)
		if err != nil {
			w.Fatal(err)
		}
		c = *read
		change(&c)
		return central.CountDraw{Draw: loto, Count: signed(w, c, w.Keys.Operator), Control: signed(w, c, w.Keys.Control)}
	})
}

// drafting is the setup of a case whose draft of a notice is refused.
func drafting(change func(*central.NoticeDraft)) func(w *storetest.World) central.Command {
	return after("approved", func(w *storetest.World) central.Command {
		must(w, w.Operator.Pay(w.Context(), loto))
		snap, err := w.Store.Snapshot(w.Context())
		if err != nil {
			w.Fatal(err)
		}
		defer snap.Close()
		n, err := central.NewNotice(w.Context(), snap, loto)
		if err != nil {
			w.Fatal(err)
		}
		d := central.NoticeDraft{By: "system", Notice: *n}
		change(&d)
		return central.DraftNotice{Draw: loto, Draft: signed(w, d, w.Keys.Operator)}
	})
}

// publishing is the setup of a case whose publication is refused, of a notice that was drafted unless told otherwise.
func publishing(drafted bool, change func(*central.Notice)) func(w *storetest.World) central.Command {
	return after("approved", func(w *storetest.World) central.Command {
		must(w, w.Operator.Pay(w.Context(), loto))
		n := &central.Notice{}
		if drafted {
			var err error
			n, err = w.Operator.Draft(w.Context(), loto)
			must(w, err)
		}
		change(n)
		return central.PublishDraw{Draw: loto, Notice: signed(w, n, w.Keys.Operator)}
	})
}

// tampered is the setup of a case that needs rows which no lawful command writes.
func tampered(do func(*central.Plan) error, then central.Command, read ...central.Key) func(w *storetest.World) central.Command {
	return onSale(func(w *storetest.World, player int64) central.Command {
		w.Faulty = true
		if _, err := w.Try("system", central.Unlawful{Read: read, Do: do}); err != nil {
			w.Fatal(err)
		}
		if buy, ok := then.(central.BuyShares); ok {
			buy.Player = player
			return buy
		}
		return then
	})
}

var (
	leaseCapped = central.Key{Table: central.Leases, S: "capped"}
	typeTen     = central.Key{Table: central.PackTypes, S: loto, U: "ten"}
	unordered   = regexp.MustCompile(`refuse\(\w+, "([a-z_.]+)"`)
)

// badJSON is a command that cannot be written as JSON.
type badJSON struct{ central.Unlawful }

func (badJSON) MarshalJSON() ([]byte, error) { return nil, errors.New("no JSON") }

// occasion is an occasion on which a command is refused.
type occasion struct {
	name   string
	setup  func(w *storetest.World) central.Command
	code   central.Code
	reason string
	field  string
	texts  []string // what was found, what is accepted
}

// refusals are all of them.
var refusals = []occasion{
	{"no command", func(*storetest.World) central.Command { return nil }, central.Invalid, "command.none", "", []string{"no command"}},
	{"no JSON", func(*storetest.World) central.Command { return badJSON{} }, central.Invalid, "command.encoding", "", []string{"no JSON"}},
	{"bytes that are no text", func(*storetest.World) central.Command { return central.BuyPlay{Draw: "\xff"} }, central.Invalid, "text.encoding", "", []string{`\xff`, "accepted UTF-8"}},

	{"player without a name", func(*storetest.World) central.Command { return central.CreatePlayer{} }, central.Invalid, "player.name", "name", []string{"0 found", "1 to 200"}},
	{"player with a long name", func(*storetest.World) central.Command { return central.CreatePlayer{Name: strings.Repeat("x", 201)} }, central.Invalid, "player.name", "name", []string{"201 found"}},
	{"deposit of nothing", func(*storetest.World) central.Command { return central.Deposit{Player: 1} }, central.Invalid, "amount", "cents", []string{"0.00 found", "0.01 to"}},
	{"deposit below zero", func(*storetest.World) central.Command { return central.Deposit{Player: 1, Cents: -1} }, central.Invalid, "amount", "cents", []string{"-0.01 found"}},
	{"deposit too high", func(*storetest.World) central.Command { return central.Deposit{Player: 1, Cents: money.Limit + 1} }, central.Invalid, "amount", "cents", []string{"10000000000000.01 found"}},
	{"deposit of nobody", func(*storetest.World) central.Command { return central.Deposit{Player: 1, Cents: 1} }, central.NotFound, "player.unknown", "player", []string{"no player 1"}},
	{"balance too high", func(w *storetest.World) central.Command {
		return central.Deposit{Player: w.Player("one", 1), Cents: money.Limit}
	}, central.Conflict, "balance.limit", "", []string{"1.00", "accepted up to 10000000000000.00"}},

	{"draw twice", func(w *storetest.World) central.Command { openLoto(w); return lotoOpening(w) }, central.Conflict, "draw.exists", "day", []string{loto}},
	{"unknown game", opening(func(c *central.OpenDraw) { c.Game = "bingo" }), central.Invalid, "draw.game", "game", []string{"bingo", "accepted"}},
	{"game of codes", opening(func(c *central.OpenDraw) { c.Game = "mymillion" }), central.Invalid, "draw.game", "game", []string{"mymillion has no draw of its own"}},
	{"side pool", opening(func(c *central.OpenDraw) { c.Game = "etoileplus" }), central.Invalid, "draw.game", "game", []string{"etoileplus has no draw of its own"}},
	{"no day", opening(func(c *central.OpenDraw) { c.Day = "2020-02-30" }), central.Invalid, "draw.game", "game", []string{"2020-02-30", "YYYY-MM-DD"}},
	{"day before the rules", opening(func(c *central.OpenDraw) { c.Day = "2017-03-05" }), central.Invalid, "draw.game", "game", []string{"2017-03-05", "2017-03-06"}},
	{"closes before it opens", opening(func(c *central.OpenDraw) { c.ClosesAt = c.OpensAt }), central.Invalid, "draw.hours", "closes_at", []string{"accepted in this order"}},
	{"closes after its day", opening(func(c *central.OpenDraw) { c.ClosesAt = c.ClosesAt.Add(4 * time.Hour) }), central.Invalid, "draw.hours", "closes_at", []string{"by the end of " + lotoDay}},
	{"before any rules", func(w *storetest.World) central.Command {
		c := lotoOpening(w)
		w.Clock.Set(instant(w, "2016-01-01 00:00:00"))
		return c
	}, central.Closed, "draw.rules", "game", []string{"2016-01-01"}},
	{"contents given", opening(func(c *central.OpenDraw) { c.Packs = []central.PackOffer{{Given: []string{"1-2-3-4-5+1"}}} }), central.Invalid, "draw.given", "given", []string{"reconstructed draw only"}},
	{"codes given", opening(func(c *central.OpenDraw) { c.Codes = map[string]string{"loto": "Z 0000 0000"} }), central.Invalid, "draw.given", "given", []string{"reconstructed draw only"}},
	{"secret of another draw", func(w *storetest.World) central.Command { c := lotoOpening(w); c.Day = "2020-06-24"; return c }, central.Invalid, "draw.secret", "sealed", []string{"cannot be opened"}},
	{"no secret", func(w *storetest.World) central.Command { c := lotoOpening(w); c.Sealed = nil; return c }, central.Invalid, "draw.secret", "sealed", []string{"cannot be opened"}},
	{"short secret", func(w *storetest.World) central.Command {
		c := lotoOpening(w)
		c.Sealed = w.Keys.Seal([]byte("short"), make([]byte, 12), loto)
		return c
	}, central.Invalid, "draw.secret", "sealed", []string{"cannot be opened"}},
	{"another commitment", func(w *storetest.World) central.Command {
		c := lotoOpening(w)
		c.Commitment = make([]byte, 32)
		return c
	}, central.Invalid, "draw.commitment", "commitment", []string{"not that of the sealed secret"}},
	{"exceptional Loto", opening(func(c *central.OpenDraw) { c.Exceptional = true }), central.Invalid, "draw.exceptional", "exceptional", []string{"loto@2019-11-04"}},
	{"code of the random zone", opening(func(c *central.OpenDraw) {
		c.Reconstructed, c.Codes = true, map[string]string{"loto": "V 8214 7230"}
	}), central.Invalid, "draw.codes", "codes", []string{"V 8214 7230", "sequential zone of loto"}},
	{"codes that the draw does not issue", opening(func(c *central.OpenDraw) {
		c.Reconstructed, c.Codes = true, map[string]string{"mymillion": "VV 358 2801"}
	}), central.Invalid, "draw.codes", "codes", []string{"mymillion"}},
	{"too many pack types", opening(func(c *central.OpenDraw) { c.Packs = make([]central.PackOffer, 33) }), central.Invalid, "draw.packs", "packs", []string{"33", "at most 32"}},
	{"pack without a name", offered(func(o *central.PackOffer) { o.Type = "" }), central.Invalid, "pack.type", "packs.0", []string{`""`, "1 to 40"}},
	{"pack with a slash", offered(func(o *central.PackOffer) { o.Type = "a/b" }), central.Invalid, "pack.type", "packs.0", []string{`"a/b"`, "without /"}},
	{"pack with a line break", offered(func(o *central.PackOffer) { o.Type = "a\nb" }), central.Invalid, "pack.type", "packs.0", []string{"printable"}},
	{"pack of no format", offered(func(o *central.PackOffer) { o.Multiples = []string{"six"} }), central.Invalid, "pack.type", "packs.0", []string{"six", "6x10"}},
	{"pack of a format not sold", offered(func(o *central.PackOffer) { o.Multiples = []string{"10x1"} }), central.Invalid, "pack.type", "packs.0", []string{"10x1", "14.8"}},
	{"pack of fractions of a cent", offered(func(o *central.PackOffer) { o.Shares = 7 }), central.Invalid, "pack.type", "packs.0", []string{"7 shares", "nearest"}},
	{"no packs at all", offered(func(o *central.PackOffer) { o.MaxPacks = 0 }), central.Invalid, "pack.type", "packs.0", []string{"0 packs", "1 to 1000000"}},
	{"given grid that is none", offered(func(o *central.PackOffer) { o.Given = []string{"1-2"} }), central.Invalid, "pack.type", "packs.0", []string{"1-2"}},
	{"given grids of another pack", offered(func(o *central.PackOffer) { o.Given = []string{"1-2-3-4-5-6+1"} }), central.Invalid, "pack.type", "packs.0", []string{"6x1*1", "6x10*1"}},
	{"given grid outside the matrix", offered(func(o *central.PackOffer) { o.Given = []string{"1-2-3-4-5-50+1"} }), central.Invalid, "pack.type", "packs.0", []string{"50"}},
	{"pack type twice", opening(func(c *central.OpenDraw) {
		o := central.PackOffer{Type: "ten", Multiples: []string{"6x10*1"}, Shares: 10, MaxPacks: 3}
		c.Packs = []central.PackOffer{o, o}
	}), central.Invalid, "pack.twice", "packs.1", []string{"ten"}},

	{"play for no draw", func(w *storetest.World) central.Command { return central.BuyPlay{Draw: loto} }, central.NotFound, "draw.unknown", "draw", []string{loto}},
	{"play before the opening", func(w *storetest.World) central.Command {
		openLoto(w, func(c *central.OpenDraw) { c.OpensAt = c.OpensAt.Add(time.Second) })
		return central.BuyPlay{Player: w.Player("one", 100), Draw: loto, Lines: []central.Line{quick(5, 1)}}
	}, central.Closed, "draw.closed", "draw", []string{"on sale from 2020-06-20 12:00:01 to 2020-06-22 20:15:00", "nothing is debited"}},
	{"play at the close", onSale(func(w *storetest.World, player int64) central.Command {
		w.Clock.Set(instant(w, lotoDay+" 20:15:00"))
		return central.BuyPlay{Player: player, Draw: loto, Lines: []central.Line{quick(5, 1)}}
	}), central.Closed, "draw.closed", "draw", []string{"to 2020-06-22 20:15:00", "nothing is debited"}},
	{"play while the clock is behind", onSale(func(w *storetest.World, player int64) central.Command {
		w.Clock.Set(w.Clock.Now().Add(-3 * time.Second))
		return central.BuyPlay{Player: player, Draw: loto, Lines: []central.Line{quick(5, 1)}}
	}), central.Unavailable, "clock.back", "", []string{"3s", "try again later"}},
	{"play without grids", onSale(func(_ *storetest.World, player int64) central.Command {
		return central.BuyPlay{Player: player, Draw: loto}
	}), central.Invalid, "play.lines", "lines", []string{"0 grids", "1 to 60"}},
	{"play of too many grids", onSale(func(_ *storetest.World, player int64) central.Command {
		return central.BuyPlay{Player: player, Draw: loto, Lines: slices.Repeat([]central.Line{quick(5, 1)}, 61)}
	}), central.Invalid, "play.lines", "lines", []string{"61 grids", "1 to 60"}},
	{"grid of a format not sold", onSale(func(w *storetest.World, player int64) central.Command {
		return central.BuyPlay{Player: player, Draw: loto, Lines: []central.Line{quick(5, 1), chosen(w, "1-2-3-4-5-6-7-8-9+1-2")}}
	}), central.Invalid, "play.grid", "lines.1", []string{"9x2", "loto@2019-11-04"}},
	{"grid outside the matrix", onSale(func(w *storetest.World, player int64) central.Command {
		return central.BuyPlay{Player: player, Draw: loto, Lines: []central.Line{chosen(w, "1-2-3-4-50+1")}}
	}), central.Invalid, "play.grid", "lines.0", []string{"50", "49"}},
	{"quick pick of a format not sold", onSale(func(_ *storetest.World, player int64) central.Command {
		return central.BuyPlay{Player: player, Draw: loto, Lines: []central.Line{quick(4, 1)}}
	}), central.Invalid, "play.grid", "lines.0", []string{"4x1", "loto@2019-11-04"}},
	{"quick pick of nothing", onSale(func(_ *storetest.World, player int64) central.Command {
		return central.BuyPlay{Player: player, Draw: loto, Lines: []central.Line{{}}}
	}), central.Invalid, "play.grid", "lines.0", []string{"0x0"}},
	{"play of nobody", onSale(func(*storetest.World, int64) central.Command {
		return central.BuyPlay{Player: 999, Draw: loto, Lines: []central.Line{quick(5, 1)}}
	}), central.NotFound, "player.unknown", "player", []string{"999"}},
	{"play above the balance", onSale(func(_ *storetest.World, player int64) central.Command {
		return central.BuyPlay{Player: player, Draw: loto, Lines: slices.Repeat([]central.Line{quick(5, 1)}, 46)}
	}), central.Insufficient, "balance.insufficient", "", []string{"101.20 is needed", "100.00 is available"}},

	{"shares of no type", onSale(func(_ *storetest.World, player int64) central.Command {
		return central.BuyShares{Player: player, Draw: loto, Type: "none", Shares: 1}
	}), central.NotFound, "pack.unknown", "type", []string{`"none"`}},
	{"shares the day before packs come in", func(w *storetest.World) central.Command {
		w.Clock.Set(instant(w, "2018-10-28 23:59:59"))
		openLoto(w, func(c *central.OpenDraw) { c.Day, c.ClosesAt = "2018-10-29", instant(w, "2018-10-29 20:15:00") })
		return central.BuyShares{Player: w.Player("one", 100), Draw: "loto-2018-10-29", Type: "ten", Shares: 1}
	}, central.Closed, "pack.not_on_sale", "type", []string{"“Packs MultiChances” can be played, in principle, from 29 October 2018 on", "packs@2018-10-29:1"}},
	{"no shares", onSale(func(_ *storetest.World, player int64) central.Command {
		return central.BuyShares{Player: player, Draw: loto, Type: "ten"}
	}), central.Invalid, "pack.shares", "shares", []string{"0 shares", "is sold in 1, 2, 3", "art. 14.8"}},
	{"more shares than a pack has", onSale(func(_ *storetest.World, player int64) central.Command {
		return central.BuyShares{Player: player, Draw: loto, Type: "ten", Shares: 11}
	}), central.Invalid, "pack.shares", "shares", []string{"11 shares", "8, 9, 10"}},
	{"shares above the balance", onSale(func(_ *storetest.World, player int64) central.Command {
		return central.BuyShares{Player: player, Draw: loto, Type: "ten", Shares: 8}
	}), central.Insufficient, "balance.insufficient", "", []string{"105.60 is needed", "100.00 is available"}},
	{"shares that no pack has", onSale(func(w *storetest.World, player int64) central.Command {
		rich := w.Player("rich", 1000)
		for range 3 {
			w.Do("system", central.BuyShares{Player: rich, Draw: loto, Type: "ten", Shares: 7})
		}
		return central.BuyShares{Player: player, Draw: loto, Type: "ten", Shares: 4}
	}), central.SoldOut, "pack.sold_out", "shares", []string{"4 shares", "more than 3 left", "art. 14.8"}},
	{"a combination sold out", onSale(func(w *storetest.World, player int64) central.Command {
		saturate(w, w.Player("rich", 1000), loto, chosen(w, "1-2-3-4-5+6").Grid)
		return central.BuyPlay{Player: player, Draw: loto, Lines: []central.Line{quick(5, 1), chosen(w, "1-2-3-4-5-7+6")}}
	}), central.SoldOut, "play.saturated", "lines.1", []string{"1-2-3-4-5+6", "45 times", "décret 78-1067:15"}},
	{"a capped draw that another node sells", tampered(func(p *central.Plan) error {
		central.Edit[central.Lease](p, leaseCapped).Node = 3
		central.Insert(p, &central.Writer{Node: 3, At: p.Now.UnixMicro()})
		return nil
	}, central.BuyShares{Draw: loto, Type: "ten", Shares: 1}, leaseCapped), central.Unavailable, "draw.elsewhere", "draw", []string{"sold by node 3", "this is node 0"}},
	{"sales of capped draws taken twice", onSale(func(*storetest.World, int64) central.Command { return central.TakeSales{} }), central.Conflict, "lease.taken", "epoch", []string{"node 0"}},
	{"shares under rules that came later, at another price", tampered(func(p *central.Plan) error {
		t := central.Edit[central.PackType](p, typeTen)
		t.Rules = "loto@2018-10-29"
		t.SharePrice--
		return nil
	}, central.BuyShares{Draw: loto, Type: "ten", Shares: 1}, typeTen), central.Closed, "pack.rules", "type", []string{"loto@2018-10-29", "loto@2019-11-04", "nothing is debited"}},
	{"codes used up", tampered(func(p *central.Plan) error {
		central.Insert(p, &central.CodePointer{Scope: "rnd/" + loto + "/loto", Next: 2_182_147_231 - 2})
		return nil
	}, central.BuyShares{Draw: loto, Type: "small", Shares: 1}), central.SoldOut, "codes.exhausted", "", []string{"no 3 codes in a row", loto}},

	{"close of no draw", func(*storetest.World) central.Command { return central.CloseDraw{Draw: loto} }, central.NotFound, "draw.unknown", "draw", []string{loto}},
	{"close too early", onSale(func(w *storetest.World, _ int64) central.Command {
		w.Clock.Set(instant(w, lotoDay+" 20:14:59"))
		return central.CloseDraw{Draw: loto, Types: []string{"small", "ten"}}
	}), central.Conflict, "draw.early", "", []string{"2020-06-22 18:15:00"}},
	{"close twice", after("closed", func(*storetest.World) central.Command {
		return central.CloseDraw{Draw: loto, Types: []string{"small", "ten"}}
	}), central.Conflict, "draw.state", "", []string{"closed cannot become closed", "accepted sealed"}},
	{"close without a pack type", atClose([]string{"ten"}), central.Invalid, "close.types", "types", []string{"1 pack types", "all 2"}},
	{"close with a pack type twice", atClose([]string{"ten", "ten"}), central.Invalid, "close.types", "types", []string{"1 pack types", "all 2"}},
	{"close with another pack type", atClose([]string{"ten", "none"}), central.NotFound, "pack.unknown", "types", []string{`"none"`}},

	{"seal by the control", after("closed", func(w *storetest.World) central.Command {
		return central.SealDraw{Draw: loto, Manifest: signed(w, central.Manifest{}, w.Keys.Control)}
	}), central.Forbidden, "paper.signature", "manifest", []string{"operator"}},
	{"seal that is no JSON", after("closed", func(w *storetest.World) central.Command {
		return central.SealDraw{Draw: loto, Manifest: signed(w, []int{1}, w.Keys.Operator)}
	}), central.Invalid, "paper.form", "manifest", []string{"cannot unmarshal"}},
	{"seal while on sale", after("open", func(w *storetest.World) central.Command { return manifestOf(w, func(*central.Manifest) {}) }), central.Conflict, "draw.state", "", []string{"open cannot become sealed", "accepted closed"}},
	{"seal of another draw", sealing(func(m *central.Manifest) { m.Sales.Draw = "loto-2020-06-24" }), central.Invalid, "manifest.draw", "manifest", []string{"loto-2020-06-24", loto}},
	{"seal with one cent more", sealing(func(m *central.Manifest) { m.Sales.Stakes++ }), central.Conflict, "seal.stakes", "manifest", []string{"the ledger"}},
	{"seal with one play less", sealing(func(m *central.Manifest) { m.Sales.Kinds[0].Plays-- }), central.Conflict, "seal.count", "manifest", []string{"were sold"}},
	{"seal with one cent of another kind", sealing(func(m *central.Manifest) { m.Sales.Kinds[0].Cents--; m.Sales.Kinds[1].Cents++ }), central.Conflict, "seal.count", "manifest", []string{"were sold"}},
	{"seal with another kind", sealing(func(m *central.Manifest) { m.Sales.Kinds = append(m.Sales.Kinds, central.KindCount{Kind: "gift"}) }), central.Conflict, "seal.count", "manifest", []string{"gift"}},
	{"seal with one pack more", sealing(func(m *central.Manifest) { m.Sales.Packs++ }), central.Conflict, "seal.packs", "manifest", []string{"were sold"}},
	{"seal with one unsold share less", sealing(func(m *central.Manifest) { m.Sales.UnsoldShares-- }), central.Conflict, "seal.packs", "manifest", []string{"were sold"}},
	{"seal with other stakes by rulebook", sealing(func(m *central.Manifest) { m.Sales.Rules[0].Cents-- }), central.Conflict, "seal.rules", "manifest", []string{"by rulebook"}},
	{"seal without a jackpot", sealing(func(m *central.Manifest) { m.Terms.Jackpot = 0 }), central.Invalid, "seal.terms", "manifest", []string{"jackpot is missing"}},
	{"seal with gains given", func(w *storetest.World) central.Command {
		w.Do("system", lotoOpening(w))
		w.Clock.Set(instant(w, lotoDay+" 20:15:00"))
		must(w, w.Operator.Close(w.Context(), loto))
		return manifestOf(w, func(m *central.Manifest) { m.Terms.Official = make([]money.Cents, 9) })
	}, central.Invalid, "seal.official", "manifest", []string{"reconstructed draw only"}},

	{"balance before the seal", after("closed", func(w *storetest.World) central.Command {
		return central.BalanceDraw{Draw: loto, Sales: signed(w, central.Sales{}, w.Keys.Control)}
	}), central.Conflict, "draw.state", "", []string{"closed cannot become balanced"}},
	{"resume of no draw", func(*storetest.World) central.Command { return central.ResumeDraw{Draw: loto, Why: "x"} }, central.NotFound, "draw.unknown", "draw", []string{loto}},
	{"resume without a reason", after("closed", func(*storetest.World) central.Command { return central.ResumeDraw{Draw: loto, Why: " "} }), central.Invalid, "draw.why", "why", []string{"say why"}},
	{"resume of a draw that is not held", after("closed", func(*storetest.World) central.Command { return central.ResumeDraw{Draw: loto, Why: "x"} }), central.Conflict, "draw.state", "", []string{"closed is not resumed"}},

	{"result before the balance", after("closed", func(w *storetest.World) central.Command {
		return central.RecordResult{Draw: loto, Result: signed(w, lotoResult, w.Keys.Operator), Outside: signed(w, central.Outside{}, w.Keys.Operator)}
	}), central.Conflict, "draw.state", "", []string{"closed cannot become drawn"}},
	{"result of another version", recording(func(r *central.Result, _ *central.Outside) { r.Version = 2 }), central.Conflict, "result.version", "result", []string{"result 2", "version 1"}},
	{"outside winners of another draw", recording(func(_ *central.Result, o *central.Outside) { o.Draw = "loto-2020-06-24" }), central.Conflict, "result.version", "result", []string{"loto-2020-06-24"}},
	{"result with a number twice", recording(func(r *central.Result, _ *central.Outside) { r.Main = []int{1, 1, 2, 3, 4} }), central.Invalid, "result.numbers", "result", []string{"1"}},
	{"result outside the matrix", recording(func(r *central.Result, _ *central.Outside) { r.Extra = []int{11} }), central.Invalid, "result.numbers", "result", []string{"11", "10"}},
	{"result of four numbers", recording(func(r *central.Result, _ *central.Outside) { r.Main = []int{1, 2, 3, 4} }), central.Invalid, "result.numbers", "result", []string{"4x1", "at least 5"}},
	{"result of six numbers", recording(func(r *central.Result, _ *central.Outside) { r.Main = []int{1, 2, 3, 4, 5, 6} }), central.Invalid, "result.numbers", "result", []string{"6 + 1", "5 + 1"}},
	{"outside winners of eight ranks", recording(func(_ *central.Result, o *central.Outside) { o.Winners = make(prize.Winners, 8) }), central.Invalid, "result.outside", "outside", []string{"8 ranks", "accepted 9"}},
	{"outside winners below zero", recording(func(_ *central.Result, o *central.Outside) { o.Winners = prize.Winners{-1, 0, 0, 0, 0, 0, 0, 0, 0} }), central.Invalid, "result.outside", "outside", []string{"-1", "accepted 0 to"}},
	{"payment that ends before the draw", recording(func(r *central.Result, _ *central.Outside) { r.Claims = "2020-06-21" }), central.Invalid, "result.claims", "result", []string{"2020-06-21", "YYYY-MM-DD"}},
	{"payment that ends on no day", recording(func(r *central.Result, _ *central.Outside) { r.Claims = "soon" }), central.Invalid, "result.claims", "result", []string{"soon"}},
	{"codes that the draw has not", recording(func(r *central.Result, _ *central.Outside) { r.Codes = map[string][]string{"joker": {"1"}} }), central.Invalid, "result.codes", "result", []string{"joker"}},
	{"a code that is none", recording(func(r *central.Result, _ *central.Outside) { r.Codes = map[string][]string{"loto": {"A 1"}} }), central.Invalid, "result.codes", "result", []string{"A 1"}},
	{"a code twice", recording(func(r *central.Result, _ *central.Outside) {
		r.Codes = map[string][]string{"loto": {"A 0000 0001", "A00000001"}}
	}), central.Invalid, "result.codes", "result", []string{"stands twice"}},

	{"count of another version", counting(func(c *central.Count) { c.Version = 2 }), central.Conflict, "count.version", "count", []string{"version 2", "version 1"}},
	{"count whose slices are not what is due", counting(func(c *central.Count) { c.Slices[0].Cents++ }), central.Invalid, "count.sums", "count", []string{"in the slices"}},
	{"count whose gains do not add up", counting(func(c *central.Count) { c.Gains++ }), central.Invalid, "count.sums", "count", []string{"rounding"}},
	{"count of too few ranks", counting(func(c *central.Count) { c.Unit = c.Unit[1:] }), central.Invalid, "count.sums", "count", []string{"9 ranks"}},
	{"count before the result", after("closed", func(w *storetest.World) central.Command {
		c := signed(w, central.Count{}, w.Keys.Operator)
		return central.CountDraw{Draw: loto, Count: c, Control: c}
	}), central.Conflict, "draw.state", "", []string{"closed cannot become counted"}},
	{"approval before the count", after("drawn", func(*storetest.World) central.Command { return central.ApproveDraw{Draw: loto, Version: 1} }), central.Conflict, "draw.state", "", []string{"drawn cannot become approved", "accepted counted"}},
	{"approval of another version", after("drawn", func(w *storetest.World) central.Command {
		_, err := w.Operator.Count(w.Context(), loto)
		must(w, err)
		return central.ApproveDraw{Draw: loto, Version: 2}
	}), central.Conflict, "approve.version", "version", []string{"version 2", "version 1"}},
	{"second result after the approval", after("approved", func(w *storetest.World) central.Command {
		r := lotoResult
		r.Draw, r.Version = loto, 2
		return central.RecordResult{Draw: loto, Result: signed(w, r, w.Keys.Operator), Outside: signed(w, central.Outside{Draw: loto, Version: 2}, w.Keys.Operator)}
	}), central.Conflict, "draw.state", "", []string{"approved cannot become drawn", "accepted settled"}},

	{"slice of no draw", func(*storetest.World) central.Command { return central.NewCreditSlice(loto, 1, 0, nil) }, central.NotFound, "slice.unknown", "slice", []string{"no slice 0 of version 1"}},
	{"slice that was not counted", after("approved", func(*storetest.World) central.Command { return central.NewCreditSlice(loto, 1, 1, nil) }), central.NotFound, "slice.unknown", "slice", []string{"no slice 1"}},
	{"slice before the approval", after("drawn", func(w *storetest.World) central.Command {
		_, err := w.Operator.Count(w.Context(), loto)
		must(w, err)
		return central.NewCreditSlice(loto, 1, 0, nil)
	}), central.Conflict, "slice.state", "", []string{"counted", "approved"}},
	{"slice with other credits", after("approved", func(w *storetest.World) central.Command {
		return central.NewCreditSlice(loto, 1, 0, []central.Credit{{Draw: loto, Component: "ranks", Play: 1, Version: 1, Player: 1, Cents: 1}})
	}), central.Conflict, "slice.hash", "credits", []string{"1 credits of 0.01", "counted"}},
	{"slice twice", after("published", func(w *storetest.World) central.Command {
		if _, err := w.Try("system", central.Unlawful{Read: []central.Key{{Table: central.Draws, S: loto}}, Do: func(p *central.Plan) error {
			central.Edit[central.Draw](p, central.Key{Table: central.Draws, S: loto}).State = "approved"
			return nil
		}}); err != nil {
			w.Fatal(err)
		}
		return central.NewCreditSlice(loto, 1, 0, nil)
	}), central.Conflict, "slice.paid", "slice", []string{"slice 0"}},

	{"notice before the payment", after("approved", func(w *storetest.World) central.Command {
		return central.PublishDraw{Draw: loto, Notice: signed(w, central.Notice{}, w.Keys.Operator)}
	}), central.Conflict, "draw.state", "", []string{"approved cannot become published"}},
	{"notice that is not drafted", publishing(false, func(*central.Notice) {}), central.Conflict, "notice.undrafted", "", []string{"not drafted"}},
	{"notice of another version", publishing(true, func(n *central.Notice) { n.Version++ }), central.Conflict, "notice.version", "notice", []string{"version 2", "version 1"}},
	{"notice of another gain", publishing(true, func(n *central.Notice) { n.Ranks[0].Gain++ }), central.Conflict, "notice.content", "notice", []string{"that was drafted"}},
	{"draft before the payment", after("approved", func(w *storetest.World) central.Command {
		return central.DraftNotice{Draw: loto, Draft: signed(w, central.NoticeDraft{}, w.Keys.Operator)}
	}), central.Conflict, "draw.state", "", []string{"approved cannot become published"}},
	{"draft of no draw", onSale(func(w *storetest.World, _ int64) central.Command {
		return central.DraftNotice{Draw: "none", Draft: signed(w, central.NoticeDraft{}, w.Keys.Operator)}
	}), central.NotFound, "draw.unknown", "draw", []string{`no draw "none"`}},
	{"draft of another version", drafting(func(d *central.NoticeDraft) { d.Notice.Version++ }), central.Conflict, "notice.version", "draft", []string{"version 2", "version 1"}},
	{"draft of another gain", drafting(func(d *central.NoticeDraft) { d.Notice.Ranks[0].Gain++ }), central.Conflict, "notice.content", "draft", []string{"counted and paid"}},
	{"draft of other numbers", drafting(func(d *central.NoticeDraft) { d.Notice.Main[0] = 49 }), central.Conflict, "notice.content", "draft", []string{"counted and paid"}},
	{"draft by somebody else", drafting(func(d *central.NoticeDraft) { d.By = "staff/anna" }), central.Forbidden, "notice.drafter", "draft", []string{"another principal"}},
	{"draft twice", after("approved", func(w *storetest.World) central.Command {
		must(w, w.Operator.Pay(w.Context(), loto))
		n, err := w.Operator.Draft(w.Context(), loto)
		must(w, err)
		return central.DraftNotice{Draw: loto, Draft: signed(w, central.NoticeDraft{By: "system", Notice: *n}, w.Keys.Operator)}
	}), central.Conflict, "notice.drafted", "", []string{"is drafted"}},
}

func atClose(types []string) func(w *storetest.World) central.Command {
	return onSale(func(w *storetest.World, _ int64) central.Command {
		w.Clock.Set(instant(w, lotoDay+" 20:15:00"))
		return central.CloseDraw{Draw: loto, Types: types}
	})
}

// dump hashes everything that a store holds.
func dump(w *storetest.World) string {
	w.Helper()
	h := sha256.New()
	for i := range central.Schema {
		for _, r := range rows(w, w.Store, central.TableID(i)) {
			fmt.Fprintf(h, "%d", i)
			for _, f := range r.Fields() {
				switch f := f.(type) {
				case *int64:
					fmt.Fprintf(h, " %d", *f)
				case *string:
					fmt.Fprintf(h, " %q", *f)
				case *[]byte:
					fmt.Fprintf(h, " %x", *f)
				}
			}
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// Every refusal says what was found and what is accepted, and leaves nothing behind: no row, no leaf, no key.
func TestRefusals(t *testing.T) {
	reached := map[string]bool{"draw.reconstructed": true, "player.bare": true, "notice.same": true, "room.hands": true} // of a register that sells, below; of two people; of the draw room
	for _, c := range slices.Concat(refusals, orderRefusals) {
		reached[c.reason] = true
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			cmd := c.setup(w)
			before := dump(w)
			principal := "system"
			switch cmd.(type) {
			case central.ApproveDraw, central.PublishDraw:
				principal = "staff/officer"
			}
			_, err := w.Register.Do(t.Context(), central.Request{Principal: principal, Key: "refused", Command: cmd})
			var r *central.Refusal
			if !errors.As(err, &r) {
				t.Fatalf("not refused: %v", err)
			}
			if r.Code != c.code || r.Reason != c.reason || r.Field != c.field {
				t.Errorf("refused as %s, %s, field %q; want %s, %s, %q", r.Code, r.Reason, r.Field, c.code, c.reason, c.field)
			}
			for _, text := range c.texts {
				if !strings.Contains(err.Error(), text) {
					t.Errorf("says %q, which lacks %q", err, text)
				}
			}
			if dump(w) != before {
				t.Error("the refusal left something behind")
			}
		})
	}
	for _, name := range []string{"opening.go", "sale.go", "order.go", "shares.go", "exclusions.go", "addons.go", "addons_count.go", "coding.go", "lifecycle.go", "notice_acts.go", "outcome.go", "players.go"} {
		code, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range unordered.FindAllSubmatch(code, -1) {
			if reason := string(m[1]); !reached[reason] {
				t.Errorf("%s refuses for %s, which no case reaches", name, reason)
			}
		}
	}
}

// A register that sells opens no reconstructed draw and takes no account without identity.
func TestRegisterThatSells(t *testing.T) {
	w := newWorld(t, func(c *central.Config) { c.AllowReconstructed = false })
	w.Refused(central.Forbidden, "system", lotoOpening(w, func(c *central.OpenDraw) { c.Reconstructed = true }))
	w.Refused(central.Forbidden, "system", central.CreatePlayer{Name: "one"})
	w.Do("system", lotoOpening(w))
	if got := drawRow(w, loto).Reconstructed; got != 0 {
		t.Errorf("reconstructed: %d", got)
	}
}

// What was given stands in the leaf, so that nobody takes a reconstructed draw for another.
func TestReconstructedStandsInTheLeaf(t *testing.T) {
	w := newWorld(t)
	openLoto(w)
	leaves := rows(t, w.Store, central.Leaves)
	var leaf struct{ Command struct{ Reconstructed bool } }
	if err := json.Unmarshal(leaves[len(leaves)-1].(*central.LeafRow).Body, &leaf); err != nil || !leaf.Command.Reconstructed {
		t.Errorf("%+v, %v", leaf, err)
	}
}
