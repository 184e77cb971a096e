package audit

import (
	"encoding/base64"
	"fmt"
	"hash/maphash"
	"slices"
	"strconv"
	"strings"

	"tirage/central"
	"tirage/logbook"
	"tirage/rules/money"
)

// compare compares the tables of a store with what the log gives. Of a store that was rebuilt, what no log can give back is left out.
func (r *replay) compare(snap central.Snapshot, rebuilt bool) error {
	r.report.Compared, r.report.Tables = true, r.report.Tables[:0]
	counts := make([]int64, len(central.Schema))
	for _, i := range r.fold.images {
		counts[i.table]++
		i.met = false
	}
	for t := range central.TableID(len(central.Schema)) {
		if !logged(t) || rebuilt && t == central.Credentials {
			continue
		}
		c := TableCount{Table: central.Schema[t].Name, Logged: counts[t]}
		err := snap.Scan(r.ctx, central.Range{From: central.Key{Table: t}}, func(row central.Row) error {
			c.Stored++
			return r.compareRow(row)
		})
		if err != nil {
			return fmt.Errorf("table %s: %w", c.Table, err)
		}
		r.report.Tables = append(r.report.Tables, c)
	}
	if err := r.compareMissing(rebuilt); err != nil {
		return err
	}
	if err := r.compareAccounts(snap); err != nil {
		return err
	}
	return r.compareWriters(snap)
}

// differ counts a difference and lists it.
func (r *replay) differ(d Difference) {
	if r.report.Differing++; len(r.report.Differences) < MaxListed {
		r.report.Differences = append(r.report.Differences, d)
	}
}

func keyText(k central.Key) string {
	var parts []string
	for _, v := range k.Values() {
		parts = append(parts, fmt.Sprint(v))
	}
	return strings.Join(parts, " ")
}

func (r *replay) compareRow(row central.Row) error {
	f, k := r.fold, central.KeyOf(row)
	i := f.images[f.keyHash(row)]
	if i == nil {
		r.differ(Difference{Table: central.Schema[k.Table].Name, Key: keyText(k), Stored: "a row"})
		return nil
	}
	i.met = true
	if leaf, ok := row.(*central.LeafRow); ok {
		if !f.isLeaf(leaf, i) {
			r.differ(Difference{Table: central.Schema[k.Table].Name, Key: keyText(k), Column: "body", Log: "the leaf that was signed", Stored: "another leaf", Leaf: i.place.leaf()})
		}
		return nil
	}
	f.line = lineOf(f.line[:0], k.Table, fields(row))
	if maphash.Bytes(f.seed, f.line) == i.line && !i.wrong {
		return nil
	}
	want, err := r.look(i)
	if err != nil {
		return err
	}
	f.derive(want)
	r.compareColumns(k, want.Fields(), fields(row), i.place.leaf())
	return nil
}

func (r *replay) compareColumns(k central.Key, want, found []any, leaf string) {
	t := &central.Schema[k.Table]
	for c := range want {
		if !sameColumn(want[c], found[c]) {
			r.differ(Difference{Table: t.Name, Key: keyText(k), Column: t.Columns[c].Name, Log: columnText(want[c]), Stored: columnText(found[c]), Leaf: leaf})
		}
	}
}

// columnText shows a column, a long one by its beginning.
func columnText(v any) string {
	const most = 80
	var s string
	switch v := v.(type) {
	case *int64:
		return strconv.FormatInt(*v, 10)
	case *string:
		s = strconv.Quote(*v)
	case *[]byte:
		s = "base64:" + base64.StdEncoding.EncodeToString(*v)
	}
	if len(s) > most {
		s = s[:most] + "…"
	}
	return s
}

// compareMissing lists the rows of the log that no table has.
func (r *replay) compareMissing(rebuilt bool) error {
	var missing []*image
	for _, i := range r.fold.images {
		if !i.met && !(rebuilt && i.table == central.Credentials) {
			missing = append(missing, i)
		}
	}
	slices.SortFunc(missing, func(a, b *image) int {
		return slices.Compare([]int64{int64(a.table), a.place.node, a.place.index, int64(a.place.n)}, []int64{int64(b.table), b.place.node, b.place.index, int64(b.place.n)})
	})
	for _, i := range missing {
		if len(r.report.Differences) >= MaxListed {
			r.report.Differing++
			continue
		}
		key := fmt.Sprintf("%d %d", i.place.node, i.place.index)
		if i.place.n != leafItself {
			row, err := r.look(i)
			if err != nil {
				return err
			}
			key = keyText(central.KeyOf(row))
		}
		r.differ(Difference{Table: central.Schema[i.table].Name, Key: key, Log: "a row", Leaf: i.place.leaf()})
	}
	return nil
}

// compareAccounts compares the balances of the accounts that are no player's with the sums of the movements.
func (r *replay) compareAccounts(snap central.Snapshot) error {
	c := TableCount{Table: central.Schema[central.Accounts].Name}
	met := map[account]bool{}
	differ := func(a account, stored money.Cents) {
		if sum := r.fold.accounts[a]; sum != stored {
			r.differ(Difference{Table: c.Table, Key: fmt.Sprintf("%s %d", a.name, a.node), Column: "balance",
				Log: strconv.FormatInt(int64(sum), 10), Stored: strconv.FormatInt(int64(stored), 10)})
		}
	}
	err := snap.Scan(r.ctx, central.Range{From: central.Key{Table: central.Accounts}}, func(row central.Row) error {
		c.Stored++
		stored := row.(*central.AccountRow)
		a := account{stored.Name, stored.Node}
		met[a] = true
		differ(a, stored.Balance)
		if _, known := r.fold.accounts[a]; !known {
			r.differ(Difference{Table: c.Table, Key: fmt.Sprintf("%s %d", a.name, a.node), Stored: "a row"})
		}
		return nil
	})
	for a, sum := range r.fold.accounts {
		if met[a] || sum != 0 {
			c.Logged++ // an empty account needs no row
		}
		if !met[a] {
			differ(a, 0)
		}
	}
	r.report.Tables = append(r.report.Tables, c)
	return err
}

// compareWriters compares each writer with its leaves.
func (r *replay) compareWriters(snap central.Snapshot) error {
	c := TableCount{Table: central.Schema[central.Writers].Name, Logged: int64(len(r.logs))}
	met := map[int64]bool{}
	err := snap.Scan(r.ctx, central.Range{From: central.Key{Table: central.Writers}}, func(row central.Row) error {
		c.Stored++
		w := row.(*central.Writer)
		met[w.Node] = true
		want := &central.Writer{Node: w.Node}
		for _, l := range r.logs {
			if l.node == w.Node {
				want = l.writer()
			}
		}
		r.compareColumns(central.KeyOf(w), want.Fields(), w.Fields(), "")
		return nil
	})
	for _, l := range r.logs {
		if !met[l.node] && l.tree.Size > 0 {
			r.differ(Difference{Table: c.Table, Key: fmt.Sprint(l.node), Log: "a row"})
		}
	}
	r.report.Tables = append(r.report.Tables, c)
	return err
}

func (l *log) writer() *central.Writer {
	return &central.Writer{Node: l.node, Size: l.tree.Size, Edge: l.tree.AppendEdge(nil), At: l.at}
}

// look reads the row of an image again.
func (r *replay) look(i *image) (central.Row, error) {
	_, body, err := r.leafAt(i.place.node, i.place.index)
	if err != nil {
		return nil, err
	}
	leaf, lines, err := logbook.ParseLeaf(body)
	if err != nil {
		return nil, err
	}
	rows, err := rowsOf(leaf, lines)
	if err != nil {
		return nil, err
	}
	return rows[i.place.n], nil
}

// leafAt reads a leaf again that was verified.
func (r *replay) leafAt(node, index int64) (salt, body []byte, err error) {
	for _, l := range r.logs {
		if l.node != node || index >= int64(len(l.offsets)) {
			continue
		}
		line, err := r.o.From.lines(l.offsets[index]).read()
		if err != nil {
			return nil, nil, err
		}
		_, salt, body, err = parseLeaf(slices.Clone(line))
		return salt, body, err
	}
	row, err := r.snap.Get(r.ctx, central.Key{Table: central.Leaves, N: node, M: index})
	if err != nil {
		return nil, nil, err
	}
	leaf, _ := row.(*central.LeafRow)
	if leaf == nil {
		return nil, nil, fmt.Errorf("leaf %d of node %d is gone", index, node)
	}
	return leaf.Salt, leaf.Body, nil
}
