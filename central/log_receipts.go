package central

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"golang.org/x/mod/sumdb/tlog"
	"tirage/fairness"
	"tirage/fairness/replay"
	"tirage/games"
	"tirage/ledger"
	"tirage/logbook"
	"tirage/rules/drawing"
	"tirage/verify"
)

// Receipt returns the receipt of a play, "0-12": the whole order that its leaf holds, with the proof that the leaf is in the signed log. Only its player
// gets it; player 0 stands for the auditor, who may see every leaf. What was bought a moment ago is put into the tiles first.
//
// The leaf of a group play also says what its members paid and what they have left, so its body goes to the auditor alone: such a play is refused.
func (l *Log) Receipt(ctx context.Context, player int64, play string) (*verify.ReceiptFile, error) {
	unknown := refuse(NotFound, "play.unknown", "play", "there is no such play")
	var id RoundID // plays and rounds are numbered alike
	if err := id.UnmarshalText([]byte(play)); err != nil {
		return nil, unknown
	}
	leaf, err := l.leaf(ctx, int64(id)>>48, int64(id)&(1<<48-1)-1)
	if err != nil {
		return nil, err
	}
	if leaf == nil {
		return nil, unknown
	}
	parsed, lines, err := logbook.ParseLeaf([]byte(leaf.Body))
	if err != nil {
		return nil, err
	}
	if owner, err := buyer(lines); err != nil || owner == 0 || player != 0 && owner != player {
		return nil, errors.Join(err, unknown)
	}
	if player != 0 && concernsOthers(parsed, player) {
		return nil, refuse(Forbidden, "receipt.group", "play", "the leaf of a group play says what other members paid: it goes to the auditor alone")
	}
	r, err := verify.NewReceipt(leaf)
	if errors.Is(err, verify.ErrNoPlay) {
		return nil, unknown
	}
	return r, err
}

// buyer returns the player of the plays among the rows of a leaf, 0 where there is none.
func buyer(lines [][]byte) (player int64, err error) {
	for _, line := range lines {
		row, err := ReadRow(line)
		if err != nil {
			return 0, err
		}
		if p, ok := row.(*Play); ok {
			return p.Player, nil
		}
	}
	return 0, nil
}

// concernsOthers reports whether the postings of a leaf move the balance of another player.
func concernsOthers(l *logbook.Leaf, player int64) bool {
	for _, p := range l.Postings {
		for _, a := range []string{p.From, p.To} {
			if id, ok := ledger.Account(a).PlayerID(); ok && id != player {
				return true
			}
		}
	}
	return false
}

// Leaf returns a leaf whole with its proof, checked against the root that is signed, nil when there is none. It is the auditor's: bodies go to nobody else. With an
// error the leaf is what is stored, and not what was published.
func (l *Log) Leaf(ctx context.Context, node, index int64) (*verify.Leaf, error) {
	return l.leaf(ctx, node, index)
}

// leaf returns a leaf with its proof, nil when there is none.
func (l *Log) leaf(ctx context.Context, node, index int64) (*verify.Leaf, error) {
	for attempt := 0; ; attempt++ {
		leaf, tiled, err := l.proved(ctx, node, index)
		if leaf == nil || err != nil || tiled || attempt > 0 {
			return leaf, err
		}
		if err := NewTiler(l.Store).CatchUp(ctx); err != nil {
			return nil, err
		}
	}
}

// proved reads a leaf and proves it; tiled is false when the tiles have not yet reached it.
func (l *Log) proved(ctx context.Context, node, index int64) (leaf *verify.Leaf, tiled bool, err error) {
	snap, err := l.Store.Snapshot(ctx)
	if err != nil {
		return nil, false, err
	}
	defer snap.Close()
	row, err := snap.Get(ctx, Key{Table: Leaves, N: node, M: index})
	stored, _ := row.(*LeafRow)
	if stored == nil || err != nil {
		return nil, false, err
	}
	leaf = &verify.Leaf{Node: node, Index: index, Salt: stored.Salt, Body: string(stored.Body)}
	c, err := l.checkpoint(ctx, snap, node)
	if err != nil || c.Size <= index {
		return leaf, false, err
	}
	hash := logbook.Hash(stored.Salt, stored.Body)
	leaf.Proof, err = tlog.ProveRecord(c.Size, index, logbook.Hashes(c.Size, readTiles(ctx, snap, node)))
	if err == nil && tlog.CheckRecord(leaf.Proof, c.Size, c.Root, index, hash) != nil {
		err = fmt.Errorf("leaf %d of node %d is not the one that its log has published: no receipt is made", index, node)
	}
	if err == nil {
		leaf.Checkpoint, err = c.Sign(l.Signer)
	}
	return leaf, true, err
}

// WriteDraw writes the file by which anybody derives a published draw again ([verify.Draw]): its secret, its packs and plays without their players, and the leaf that
// held the commitment when the sales opened.
func (l *Log) WriteDraw(ctx context.Context, w io.Writer, draw string, secret func(*Draw) (fairness.Secret, error)) error {
	if err := NewTiler(l.Store).CatchUp(ctx); err != nil {
		return err
	}
	snap, err := l.Store.Snapshot(ctx)
	if err != nil {
		return err
	}
	defer snap.Close()
	d, err := readDraw(ctx, snap, draw)
	if err != nil {
		return err
	}
	if d.State != string(drawing.Published) {
		return refuse(Conflict, "draw.unrevealed", "draw", "draw %s is %s: its secret is published with its result", draw, d.State)
	}
	s, err := secret(d)
	if err != nil {
		return err
	}
	f := &drawFile{snap: snap, w: w, draw: d, secret: s, attempts: map[Key]string{}}
	head := verify.DrawFile{Format: verify.DrawFormat, Draw: d.ID, Game: d.Game, Exceptional: d.Exceptional == 1, Commitment: d.Commitment, Secret: s[:]}
	if head.Opening, err = l.opening(ctx, snap, d.ID); err != nil {
		return err
	}
	if head.Generator, err = l.generated(ctx, snap, d.ID); err != nil {
		return err
	}
	if err := f.count(ctx, &head); err != nil {
		return err
	}
	if err := verify.WriteDrawLine(w, head); err != nil {
		return err
	}
	return f.entries(ctx)
}

// opening finds the leaf by which a draw was opened.
func (l *Log) opening(ctx context.Context, snap Snapshot, draw string) (*verify.Leaf, error) {
	leaf, err := l.leafWith(ctx, snap, OpenDraw{}.Kind(), func(row Row) bool {
		d, ok := row.(*Draw)
		return ok && d.ID == draw
	})
	if leaf == nil && err == nil {
		return nil, fmt.Errorf("draw %s: no leaf has opened it", draw)
	}
	return leaf, err
}

// leafWith finds the first leaf of a kind of command that wrote a certain row, with its proof; nil when there is none. It reads the heads of the leaves from the
// first on.
func (l *Log) leafWith(ctx context.Context, snap Snapshot, kind string, wanted func(Row) bool) (*verify.Leaf, error) {
	ws, err := writers(ctx, snap)
	if err != nil {
		return nil, err
	}
	for _, w := range ws {
		found, index := int64(-1), int64(-1)
		err := scanLeaves(ctx, snap, w.Node, 0, 0, func(body []byte) error {
			index++
			head, err := logbook.ParseHead(body)
			if err != nil || head.Kind != kind {
				return err
			}
			_, lines, err := logbook.ParseLeaf(body)
			for _, line := range lines {
				row, err := ReadRow(line)
				if err != nil {
					return err
				}
				if wanted(row) {
					found = index
					return errEnough
				}
			}
			return err
		})
		if err != nil {
			return nil, err
		}
		if found >= 0 {
			leaf, _, err := l.proved(ctx, w.Node, found)
			return leaf, err
		}
	}
	return nil, nil
}

// generated is how the numbers of a draw came from the generator, nil where balls were drawn.
func (l *Log) generated(ctx context.Context, snap Snapshot, draw string) (*verify.Generated, error) {
	row, err := snap.Get(ctx, generatorKey(draw))
	if row == nil || err != nil {
		return nil, err
	}
	g := row.(*Generator)
	if g.Numbers == "" {
		return nil, nil
	}
	numbers, err := ReadEntry(g.Numbers)
	if err != nil {
		return nil, err
	}
	out := &verify.Generated{
		Beacon: g.Chain, Key: g.Key, Genesis: g.Genesis, Period: g.Period, Round: g.Round, Signature: g.Signature, Main: numbers.Main, Extra: numbers.Extra,
		Codes: numbers.Codes, Joker: numbers.Joker,
	}
	if len(g.Signature) == 0 {
		out.Values = []replay.Hex{g.FirstValue, g.SecondValue}
	}
	out.Chosen, err = l.leafWith(ctx, snap, ConfirmGenerator{}.Kind(), func(row Row) bool {
		g, ok := row.(*Generator)
		return ok && g.Draw == draw
	})
	return out, err
}

// drawFile writes the packs and plays of a draw.
type drawFile struct {
	snap     Snapshot
	w        io.Writer
	draw     *Draw
	secret   fairness.Secret
	attempts map[Key]string
}

func (f *drawFile) scan(ctx context.Context, table TableID, yield func(Row) error) error {
	return f.snap.Scan(ctx, Range{From: Key{Table: table, S: f.draw.ID}, Prefix: 1}, yield)
}

// count counts the entries and reads the few rows of attempts.
func (f *drawFile) count(ctx context.Context, head *verify.DrawFile) error {
	return errors.Join(
		f.scan(ctx, PackContents, func(Row) error {
			head.Packs++
			return nil
		}),
		f.scan(ctx, Plays, func(r Row) error {
			if r.(*Play).Kind != KindPack {
				head.Plays++
			}
			return nil
		}),
		f.scan(ctx, Attempts, func(r Row) error {
			f.attempts[KeyOf(r)] = r.(*PickAttempts).Attempts
			return nil
		}),
	)
}

func (f *drawFile) entries(ctx context.Context) error {
	types := map[string]*PackType{}
	err := f.scan(ctx, PackTypes, func(r Row) error {
		types[r.(*PackType).Type] = r.(*PackType)
		return nil
	})
	if err != nil {
		return err
	}
	err = f.scan(ctx, PackContents, func(r Row) error {
		c := r.(*PackContent)
		t := types[c.Type]
		if t == nil {
			return fmt.Errorf("pack %s/%d of draw %s has no type", c.Type, c.N, c.Draw)
		}
		e := &verify.DrawEntry{Pack: c.Type + "/" + strconv.FormatInt(c.N, 10), Rules: t.Rules, Given: c.N == 0 && len(t.Given) > 0}
		e.Attempts = f.attempts[Key{Table: Attempts, S: c.Draw, U: c.Type, N: c.N}]
		quick := int64(-1)
		if e.Given {
			quick = 0
		}
		// The rules of the sale, not the hour: a pack type is sold under rules that make the same pack.
		return f.entry(e, c.Lines, quick, c.Combos, c.CodeAt, c.CodeAt2, verify.PackSoldAt)
	})
	if err != nil {
		return err
	}
	return f.scan(ctx, Plays, func(r Row) error {
		p := r.(*Play)
		if p.Kind == KindPack {
			return nil
		}
		at := time.UnixMicro(p.At).UTC()
		e := &verify.DrawEntry{Play: PlayID(p.ID), At: at, Rules: p.SaleRules, Attempts: f.attempts[Key{Table: Attempts, S: p.Draw, N: p.ID}]}
		return f.entry(e, p.Lines, p.Quick, p.Combos, p.CodeAt, p.CodeAt2, func(string) (time.Time, error) { return at, nil })
	})
}

// entry writes one entry with its codes.
func (f *drawFile) entry(e *verify.DrawEntry, lines []byte, quick, combos, at, at2 int64, sold func(rules string) (time.Time, error)) error {
	when, err := sold(e.Rules)
	if err != nil {
		return err
	}
	book, err := games.Version(e.Rules)
	if err != nil {
		return err
	}
	s := &saleOf{draw: f.draw, book: book, secret: f.secret}
	if s.series, err = seriesOf(book, when, f.draw.Exceptional == 1); err != nil {
		return err
	}
	e.Combinations, e.Grids = combos, []verify.Grid{}
	for i, g := range Grids(lines) {
		e.Grids = append(e.Grids, verify.Grid{Grid: g.String(), Quick: quick>>i&1 == 1})
	}
	runs, err := s.codeRuns(combos, at, at2)
	if err != nil {
		return err
	}
	e.Codes, e.CodeAt = []verify.CodeRun{}, []int64{}
	for i, run := range runs {
		e.Codes = append(e.Codes, verify.CodeRun(run))
		e.CodeAt = append(e.CodeAt, []int64{at, at2}[i])
	}
	return verify.WriteDrawLine(f.w, e)
}
