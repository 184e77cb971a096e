package central

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"slices"

	"tirage/logbook"
)

// logBooks is what the leaves of one writer say.
type logBooks struct {
	tree   logbook.Tree
	at     int64 // time of the last leaf
	leaves []leafBooks
	next   int64 // first leaf whose postings are not yet compared
}

// leafBooks is what must stand in other tables because of one leaf, as hashes.
type leafBooks struct{ key, postings uint64 }

// image is a row as the leaves left it last: the hash of its line, by the node that wrote it.
type image struct {
	line uint64
	node int64
	// others are the last images of other nodes, which the order of their leaves does not place before or after this one.
	others []uint64
	table  TableID
}

// inLog says whether the rows of a table stand in leaves. The others follow from the leaves: what the log is kept in, sums of postings and
// counts; or they say nothing that must be proved.
func (t TableID) inLog() bool { return t > Writers && t < Accounts }

// sealedRoot is a root that a manifest names.
type sealedRoot struct {
	draw string
	LogSize
}

// readRoots reads which roots the manifests name.
func (b *books) readRoots() error {
	err := b.scan(Draws, func(r Row) error {
		d := r.(*Draw)
		row, err := b.snap.Get(b.ctx, docKey(d.ID, DocManifest, 0))
		if row == nil || err != nil {
			return err
		}
		m, err := ReadPaper[Manifest](row.(*Doc).Body)
		if err != nil {
			return fmt.Errorf("draw %s: %w", d.ID, err)
		}
		for _, l := range m.Logs {
			b.roots = append(b.roots, sealedRoot{d.ID, l})
		}
		return nil
	})
	slices.SortFunc(b.roots, func(x, y sealedRoot) int { return cmp.Or(cmp.Compare(x.Node, y.Node), cmp.Compare(x.Size, y.Size)) })
	return err
}

// checkRoots compares the tree of a node with the roots that are named of this size; the leaves come in the order of the roots.
func (b *books) checkRoots(node int64, t *logbook.Tree) error {
	for ; len(b.roots) > 0 && b.roots[0].Node == node && b.roots[0].Size == t.Size; b.roots = b.roots[1:] {
		if root := t.Root(); !bytes.Equal(root[:], b.roots[0].Root) {
			return fmt.Errorf("log of node %d: the manifest of draw %s names another root of %d leaves", node, b.roots[0].draw, t.Size)
		}
	}
	return nil
}

// checkLog re-hashes every leaf and notes what follows from it.
func (b *books) checkLog() error {
	err := b.scan(Leaves, func(r Row) error {
		l := r.(*LeafRow)
		log := b.logs[l.Node]
		if log == nil {
			log = &logBooks{}
			b.logs[l.Node] = log
		}
		if l.Index != log.tree.Size {
			return fmt.Errorf("log of node %d: leaf %d stands where leaf %d should", l.Node, l.Index, log.tree.Size)
		}
		hash := logbook.Hash(l.Salt, l.Body)
		log.tree.Add(hash)
		b.noteTiles(l.Node, hash)
		if err := b.readLeaf(log, l); err != nil {
			return fmt.Errorf("log of node %d, leaf %d: %w", l.Node, l.Index, err)
		}
		return b.checkRoots(l.Node, &log.tree)
	})
	if err == nil && len(b.roots) > 0 {
		r := b.roots[0]
		return fmt.Errorf("the manifest of draw %s names %d leaves of node %d, which has no such size", r.draw, r.Size, r.Node)
	}
	return err
}

func (b *books) readLeaf(log *logBooks, r *LeafRow) error {
	l, rows, err := logbook.ParseLeaf(r.Body)
	switch {
	case err != nil:
		return err
	case len(r.Salt) != logbook.SaltSize:
		return fmt.Errorf("a salt of %d bytes", len(r.Salt))
	case l.Node != r.Node || l.Index != r.Index:
		return fmt.Errorf("its body says leaf %d of node %d", l.Index, l.Node)
	case l.At < log.at:
		return fmt.Errorf("its time is before that of the leaf before")
	}
	log.at = l.At
	if err := b.noteFollowed(Entry{l, rows}); err != nil {
		return err
	}
	if err := checkQuote(l, rows); err != nil {
		return err
	}
	own, err := ownPostings(l, rows)
	if err != nil {
		return err
	}
	var h postingHash
	for i, p := range own {
		h.add(int64(i), p.From, p.To, int64(p.Cents), p.Version, int64(p.After))
	}
	request := requestHash(l.Kind, l.Command)
	log.leaves = append(log.leaves, leafBooks{b.keyHash(l.Key, l.Principal, request), h.sum(b.seed)})
	for _, line := range rows {
		if err := b.note(line, r.Node); err != nil {
			return err
		}
	}
	return nil
}

// ownPostings returns the postings of a leaf that have transfers: all but the last ones, for each of which a credit among the rows stands.
func ownPostings(l *logbook.Leaf, rows [][]byte) ([]logbook.Posting, error) {
	own := l.Postings
	for _, line := range slices.Backward(rows) {
		if !bytes.HasPrefix(line, creditPrefix) {
			continue
		}
		var c Credit
		if _, err := logbook.ParseRow(line, func(string) ([]any, error) { return c.Fields(), nil }); err != nil {
			return nil, err
		}
		t := c.Transfer()
		if len(own) == 0 || own[len(own)-1] != (logbook.Posting{From: t.From, To: t.To, Cents: t.Cents, Version: t.Version, After: t.After}) {
			return nil, fmt.Errorf("the credit of play %s is not among its postings", PlayID(c.Play))
		}
		own = own[:len(own)-1]
	}
	return own, nil
}

var creditPrefix = []byte(`["` + Schema[Credits].Name + `",`)

// requestHash is what an idempotency record keeps of a request.
func requestHash(kind string, command []byte) []byte {
	h := sha256.New()
	h.Write([]byte(kind + "\n"))
	h.Write(command)
	return h.Sum(nil)[:16]
}

func (b *books) keyHash(key, principal string, request []byte) uint64 {
	return maphash.String(b.seed, key+"\x00"+principal+"\x00"+string(request))
}

// tableIDs finds a table by its name in the log.
var tableIDs = func() map[string]TableID {
	ids := map[string]TableID{}
	for i := range Schema {
		ids[Schema[i].Name] = TableID(i)
	}
	return ids
}()

// note keeps the image of a row that a leaf of a node wrote.
func (b *books) note(line []byte, node int64) error {
	name, _, _ := bytes.Cut(bytes.TrimPrefix(line, []byte(`["`)), []byte{'"'})
	table, ok := tableIDs[string(name)]
	if !ok || !table.inLog() {
		return fmt.Errorf("a row of table %.40q, which stands in no leaf", name)
	}
	k, hash := maphash.Bytes(b.seed, keyOf(line, Schema[table].PK)), maphash.Bytes(b.seed, line)
	old, again := b.images[k]
	switch {
	case !again:
		b.images[k] = image{line: hash, node: node, table: table}
	case Schema[table].Append:
		return fmt.Errorf("a row of %s is written twice: %.80s", name, line)
	case old.node == node:
		b.images[k] = image{hash, node, old.others, table}
	default:
		b.images[k] = image{hash, node, append(old.others, old.line), table}
	}
	return nil
}

// keyOf returns the part of a row's line that holds its key: the name of the table and the first columns.
func keyOf(line []byte, columns int) []byte {
	quoted := false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case c == ',' && !quoted:
			if columns--; columns < 0 {
				return line[:i]
			}
		}
	}
	return line
}

// checkWriters compares each writer with its leaves.
func (b *books) checkWriters() error {
	n := 0
	err := b.scan(Writers, func(r Row) error {
		n++
		w := r.(*Writer)
		log := b.logs[w.Node]
		if log == nil || log.tree.Size != w.Size || !bytes.Equal(log.tree.AppendEdge(nil), w.Edge) {
			return fmt.Errorf("log of node %d: the leaves do not give the stored edge of %d leaves", w.Node, w.Size)
		}
		if log.at != w.At {
			return fmt.Errorf("log of node %d: its last leaf is not of the stored time", w.Node)
		}
		return nil
	})
	if err == nil && len(b.logs) != n {
		return fmt.Errorf("%d logs have leaves, %d writers are known", len(b.logs), n)
	}
	return err
}

// checkKeys compares the idempotency records with the leaves that they name.
func (b *books) checkKeys() error {
	n := 0
	err := b.scan(Keys, func(r Row) error {
		n++
		k := r.(*KeyRow)
		log := b.logs[k.Node]
		if log == nil || k.Index < 0 || k.Index >= log.tree.Size || log.leaves[k.Index].key != b.keyHash(k.Key, k.Principal, k.Hash) {
			return fmt.Errorf("key %s of %s names leaf %d of node %d, which is not its own", k.Key, k.Principal, k.Index, k.Node)
		}
		return nil
	})
	for _, log := range b.logs {
		n -= len(log.leaves)
	}
	if err == nil && n != 0 {
		return fmt.Errorf("%+d idempotency records beside one for each leaf", n)
	}
	return err
}

// checkRows compares every row whose table stands in leaves with its last image there.
func (b *books) checkRows() error {
	var stored, written [tableCount]int
	for _, i := range b.images {
		written[i.table]++
	}
	var line []byte
	for table := range tableCount {
		if !table.inLog() {
			continue
		}
		err := b.scan(table, func(r Row) error {
			stored[table]++
			line = logbook.AppendRow(line[:0], logbook.Row{Table: Schema[table].Name, Fields: logged(r)})
			i, ok := b.images[maphash.Bytes(b.seed, keyOf(line, Schema[table].PK))]
			if !ok {
				return fmt.Errorf("row %v stands in no leaf", KeyOf(r))
			}
			if hash := maphash.Bytes(b.seed, line); !i.is(hash) {
				return fmt.Errorf("row %v is not what its last leaf says", KeyOf(r))
			}
			return nil
		})
		if err != nil {
			return err
		}
		if stored[table] != written[table] {
			return fmt.Errorf("%d rows of %s are stored, the log has %d", stored[table], Schema[table].Name, written[table])
		}
	}
	b.images = nil
	return nil
}

func (i *image) is(line uint64) bool {
	for _, other := range i.others {
		if other == line {
			return true
		}
	}
	return i.line == line
}

// postings reads the transfers in order, leaf by leaf, and compares those of each leaf with its postings.
type postings struct {
	hash postingHash
	at   *Transfer // the last one, nil before the first
}

func (p *postings) read(b *books, t *Transfer) error {
	if p.at == nil || p.at.Node != t.Node || p.at.Pos>>16 != t.Pos>>16 {
		if err := p.endLeaf(b); err != nil {
			return err
		}
		if log := b.logs[t.Node]; log == nil || t.Pos>>16 >= log.tree.Size {
			return fmt.Errorf("transfer %d of node %d stands in no leaf", t.Pos, t.Node)
		}
	}
	p.at = t
	p.hash.add(t.Pos&0xffff, t.From, t.To, int64(t.Cents), t.Version, int64(t.After))
	return nil
}

// endLeaf compares the transfers of a leaf that were read with its postings.
func (p *postings) endLeaf(b *books) error {
	if p.at == nil {
		return nil
	}
	log, leaf, hash := b.logs[p.at.Node], p.at.Pos>>16, p.hash.sum(b.seed)
	p.hash.line = p.hash.line[:0]
	if err := log.unposted(leaf); err != nil {
		return fmt.Errorf("log of node %d: %w", p.at.Node, err)
	}
	if log.next++; log.leaves[leaf].postings != hash {
		return fmt.Errorf("log of node %d: the transfers of leaf %d are not its postings", p.at.Node, leaf)
	}
	return nil
}

// end makes sure that no posting is without a transfer.
func (p *postings) end(b *books) error {
	if err := p.endLeaf(b); err != nil {
		return err
	}
	for node, log := range b.logs {
		if err := log.unposted(log.tree.Size); err != nil {
			return fmt.Errorf("log of node %d: %w", node, err)
		}
	}
	return nil
}

// unposted makes sure that the leaves up to the end, which have no transfers, have no postings either.
func (l *logBooks) unposted(end int64) error {
	for ; l.next < end; l.next++ {
		if l.leaves[l.next].postings != 0 {
			return fmt.Errorf("the postings of leaf %d have no transfers", l.next)
		}
	}
	return nil
}

// postingHash gathers the postings of one leaf; its sum is 0 for none.
type postingHash struct{ line []byte }

func (h *postingHash) add(place int64, from, to string, numbers ...int64) {
	h.line = append(h.line, from...)
	h.line = append(h.line, 0)
	h.line = append(h.line, to...)
	h.line = append(h.line, 0)
	h.line = binary.AppendVarint(h.line, place)
	for _, n := range numbers {
		h.line = binary.AppendVarint(h.line, n)
	}
}

func (h *postingHash) sum(seed maphash.Seed) uint64 {
	if len(h.line) == 0 {
		return 0
	}
	return maphash.Bytes(seed, h.line)
}
