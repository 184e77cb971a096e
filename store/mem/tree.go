package mem

import (
	"cmp"
	"hash/maphash"

	"tirage/central"
)

// tree is a sorted map of the rows of one table that is never changed: put returns another one, which shares all but a path with it. So a
// snapshot is a copy of the roots. It is a treap: a search tree by key, a heap by a hash of the key, so of logarithmic depth whatever is put in. nil is
// the empty tree.
type tree struct {
	key         central.Key
	row         central.Row
	weight      uint64
	left, right *tree
}

var seed = maphash.MakeSeed()

// get returns the row with a key, nil when there is none.
func (t *tree) get(k central.Key) central.Row {
	for t != nil {
		switch c := compare(k, t.key); {
		case c < 0:
			t = t.left
		case c > 0:
			t = t.right
		default:
			return t.row
		}
	}
	return nil
}

// put returns the tree with a row under its key, in the place of the one that stood there.
func (t *tree) put(k central.Key, row central.Row) *tree {
	if t == nil {
		return &tree{key: k, row: row, weight: maphash.Comparable(seed, k)}
	}
	n := *t
	switch c := compare(k, t.key); {
	case c < 0:
		if n.left = t.left.put(k, row); n.left.weight > n.weight { // fresh, so it may be changed
			up := n.left
			n.left, up.right = up.right, &n
			return up
		}
	case c > 0:
		if n.right = t.right.put(k, row); n.right.weight > n.weight {
			up := n.right
			n.right, up.left = up.left, &n
			return up
		}
	default:
		n.row = row
	}
	return &n
}

// ascend calls yield for the rows of a range in the order of their keys until it returns false, and reports whether it never did.
func (t *tree) ascend(r *central.Range, texts int, yield func(central.Row) bool) bool {
	if t == nil {
		return true
	}
	// Where the key of this row stands beside the rows with the prefix: before them, among them, after them.
	side := comparePrefix(t.key, r.From, texts, r.Prefix)
	if side == 0 && r.After && compare(t.key, r.From) <= 0 {
		side = -1
	}
	if side >= 0 && !t.left.ascend(r, texts, yield) {
		return false
	}
	if side == 0 && !yield(t.row) {
		return false
	}
	return side > 0 || t.right.ascend(r, texts, yield)
}

// compare compares two keys of one table: text columns come before integer ones.
func compare(a, b central.Key) int {
	return cmp.Or(cmp.Compare(a.S, b.S), cmp.Compare(a.U, b.U), cmp.Compare(a.N, b.N), cmp.Compare(a.M, b.M))
}

// comparePrefix compares the first n columns of two keys of a table whose key has so many text columns.
func comparePrefix(a, b central.Key, texts, n int) int {
	var c int
	for i := 0; i < n && c == 0; i++ {
		switch i {
		case 0 + texts:
			c = cmp.Compare(a.N, b.N)
		case 1 + texts:
			c = cmp.Compare(a.M, b.M)
		case 0:
			c = cmp.Compare(a.S, b.S)
		case 1:
			c = cmp.Compare(a.U, b.U)
		}
	}
	return c
}
