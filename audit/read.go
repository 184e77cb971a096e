package audit

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"tirage/central"
	"tirage/logbook"
)

// fault notes the first place where the log is not what it promised, and stops.
func (r *replay) fault(node, index, line int64, format string, a ...any) error {
	r.report.Fault = &Fault{Node: node, Index: index, Line: line, Why: fmt.Sprintf(format, a...)}
	return r.report.Fault
}

// read verifies every leaf and folds what it says: those of the file, then those of the store that are newer.
func (r *replay) read() error {
	if r.o.From == nil && r.snap == nil {
		return errors.New("nothing to replay: a file or a store is needed")
	}
	if r.o.From != nil {
		if err := r.readFile(); err != nil {
			return err
		}
	}
	if r.snap != nil {
		if err := r.readStore(); err != nil {
			return err
		}
	}
	for _, l := range r.logs {
		root := l.tree.Root()
		newer := int64(0)
		if r.o.From != nil {
			newer = l.tree.Size - int64(len(l.offsets))
		}
		r.report.Logs = append(r.report.Logs, LogReport{l.node, l.tree.Size, newer, base64.StdEncoding.EncodeToString(root[:])})
	}
	return nil
}

// promise is a checkpoint that somebody kept.
type promise struct {
	node int64
	logbook.Checkpoint
}

// fileReader verifies a file line by line.
type fileReader struct {
	*replay
	*lines
	keys    note.Verifiers
	origin  string
	earlier []promise // not yet met
}

func (r *replay) readFile() error {
	f := &fileReader{replay: r, lines: r.o.From.lines(0)}
	line, err := f.lines.read()
	if err != nil {
		return f.fault(0, 0, 1, "%v", err)
	}
	head, err := parseLine[header](line)
	if err != nil || head.Format != Format || len(head.Logs) > maxLogs {
		return f.fault(0, 0, 1, "it is no head of a file of format %s", Format)
	}
	if err := f.trust(head.Key); err != nil {
		return err
	}
	for i, size := range head.Logs {
		if i > 0 && size.Node <= head.Logs[i-1].Node || size.Size < 0 || size.Node < 0 {
			return f.fault(size.Node, 0, 1, "the logs stand in no order")
		}
		if err := f.log(size); err != nil {
			return err
		}
	}
	if line, err = f.lines.read(); err != nil {
		return f.fault(0, 0, f.n, "%v", err)
	}
	if end, err := parseLine[endLine](line); err != nil || end.Leaves != r.leaves {
		return f.fault(0, 0, f.n, "the end of a file of %d leaves is needed", r.leaves)
	}
	if f.next != r.o.From.Size {
		return f.fault(0, 0, f.n+1, "something stands behind the end of the file")
	}
	if len(f.earlier) > 0 {
		p := f.earlier[0]
		return f.fault(p.node, r.size(p.node), 0, "%d leaves were promised, %d are left: the last ones are cut off", p.Size, r.size(p.node))
	}
	return nil
}

// trust takes the key by which everything else is verified, and the checkpoints that were kept.
func (f *fileReader) trust(key string) error {
	verifier, err := note.NewVerifier(key)
	if err != nil {
		return f.fault(0, 0, 1, "the key of the log is none")
	}
	f.keys = f.o.Keys
	if f.report.SignedBy = key; f.keys == nil {
		f.keys, f.report.KeyFromFile = note.VerifierList(verifier), true
	} else if _, err := f.keys.Verifier(verifier.Name(), verifier.KeyHash()); err != nil {
		return f.fault(0, 0, 1, "the file names the key %s, which is not the one that you hold", key)
	}
	for _, signed := range f.o.Earlier {
		c, err := logbook.OpenCheckpoint(signed, f.keys)
		if err != nil {
			return fmt.Errorf("the earlier checkpoint: %w", err)
		}
		node, err := logbook.NodeOf(c.Origin)
		if err != nil {
			return err
		}
		if c.Size > 0 {
			f.earlier = append(f.earlier, promise{node, c})
		}
	}
	return nil
}

func (r *replay) size(node int64) int64 {
	for _, l := range r.logs {
		if l.node == node {
			return l.tree.Size
		}
	}
	return 0
}

// log reads the leaves of one writer, up to the checkpoint that ends them.
func (f *fileReader) log(of logSize) error {
	l := &log{node: of.Node}
	f.logs = append(f.logs, l)
	for l.tree.Size < of.Size {
		line, err := f.lines.read()
		if err != nil {
			return f.fault(l.node, l.tree.Size, f.n, "%v", err)
		}
		hash, salt, body, err := parseLeaf(line)
		if err != nil {
			return f.fault(l.node, l.tree.Size, f.n, "%v", err)
		}
		if logbook.Hash(salt, body) != hash {
			return f.fault(l.node, l.tree.Size, f.n, "salt and body do not give the hash of the leaf")
		}
		l.offsets = append(l.offsets, f.at)
		if err := f.take(l, f.n, hash, body); err != nil {
			return err
		}
		if err := f.kept(l); err != nil {
			return err
		}
		if l.tree.Size%Every == 0 && l.tree.Size < of.Size {
			if err := f.checkpoint(l); err != nil {
				return err
			}
		}
	}
	return f.checkpoint(l)
}

// kept compares the tree with the earlier checkpoints of its size.
func (f *fileReader) kept(l *log) error {
	for i, p := range f.earlier {
		if p.node != l.node || p.Size != l.tree.Size {
			continue
		}
		if p.Root != l.tree.Root() {
			return f.fault(l.node, 0, f.n, "the first %d leaves are not those that were promised earlier", p.Size)
		}
		f.earlier = slices.Delete(f.earlier, i, i+1)
		return f.kept(l)
	}
	return nil
}

// checkpoint reads a signed checkpoint of the leaves so far.
func (f *fileReader) checkpoint(l *log) error {
	from := max(0, (l.tree.Size-1)/Every*Every)
	line, err := f.lines.read()
	if err != nil {
		return f.fault(l.node, l.tree.Size, f.n, "%v", err)
	}
	signed, err := parseLine[checkpointLine](line)
	if err != nil {
		return f.fault(l.node, l.tree.Size, f.n, "a checkpoint of %d leaves is needed", l.tree.Size)
	}
	c, err := logbook.OpenCheckpoint(signed.Checkpoint, f.keys)
	if err != nil {
		return f.fault(l.node, l.tree.Size, f.n, "nobody who may has signed it: %v", err)
	}
	// A note may carry what nobody checks: here only the text and one signature may stand, in their one form.
	if n, err := note.Open([]byte(signed.Checkpoint), f.keys); err != nil || len(n.Sigs) != 1 || signed.Checkpoint != oneForm(n) {
		return f.fault(l.node, l.tree.Size, f.n, "one signature of the log is needed")
	}
	if f.origin == "" {
		f.origin, _, _ = cutOrigin(c.Origin)
	}
	operator, node, err := cutOrigin(c.Origin)
	switch {
	case err != nil || operator != f.origin || node != l.node:
		return f.fault(l.node, l.tree.Size, f.n, "it is the checkpoint of another log, %q", c.Origin)
	case c.Size != l.tree.Size:
		return f.fault(l.node, l.tree.Size, f.n, "%d leaves are signed, %d stand before it", c.Size, l.tree.Size)
	case c.Root != l.tree.Root():
		return f.fault(l.node, from, f.n, "leaves %d to %d are not those that were signed", from, l.tree.Size-1)
	}
	return nil
}

// oneForm writes a note with one signature.
func oneForm(n *note.Note) string {
	sig, err := base64.StdEncoding.DecodeString(n.Sigs[0].Base64)
	if err != nil {
		return ""
	}
	return n.Text + "\n— " + n.Sigs[0].Name + " " + base64.StdEncoding.EncodeToString(sig) + "\n"
}

// cutOrigin returns operator and node of the name of a log.
func cutOrigin(origin string) (operator string, node int64, err error) {
	if node, err = logbook.NodeOf(origin); err != nil {
		return "", 0, err
	}
	return origin[:len(origin)-len(logbook.OriginOf("", node))], node, nil
}

// readStore reads the leaves of the store that the file does not hold, and compares each writer's edge. The leaves of the file are compared with those of
// the store as every table is.
func (r *replay) readStore() error {
	return r.snap.Scan(r.ctx, central.Range{From: central.Key{Table: central.Writers}}, func(row central.Row) error {
		w := row.(*central.Writer)
		i, known := slices.BinarySearchFunc(r.logs, w.Node, func(l *log, node int64) int { return int(l.node - node) })
		if !known {
			r.logs = slices.Insert(r.logs, i, &log{node: w.Node})
		}
		l := r.logs[i]
		if w.Size < l.tree.Size {
			return nil // the tables were cut: the comparison says where
		}
		before := l.tree.Size
		err := scanLeaves(r.ctx, r.snap, l.node, l.tree.Size, func(row *central.LeafRow) error {
			if row.Index != l.tree.Size {
				return r.fault(l.node, l.tree.Size, 0, "it is missing in the store, leaf %d stands there", row.Index)
			}
			return r.take(l, 0, logbook.Hash(row.Salt, row.Body), row.Body)
		})
		if err != nil {
			return err
		}
		if l.tree.Size != w.Size || !bytes.Equal(l.tree.AppendEdge(nil), w.Edge) {
			return r.fault(l.node, before, 0, "leaves %d to %d of the store do not give the edge of the log of %d leaves", before, l.tree.Size-1, w.Size)
		}
		return nil
	})
}

// take adds a leaf to its log and folds it.
func (r *replay) take(l *log, line int64, hash tlog.Hash, body []byte) error {
	index := l.tree.Size
	leaf, rows, err := logbook.ParseLeaf(body)
	switch {
	case err != nil:
		return r.fault(l.node, index, line, "%v", err)
	case leaf.Node != l.node || leaf.Index != index:
		return r.fault(l.node, index, line, "leaf %d of node %d stands in its place", leaf.Index, leaf.Node)
	case leaf.At < l.at:
		return r.fault(l.node, index, line, "its time is before that of the leaf before")
	}
	l.at = leaf.At
	l.tree.Add(hash)
	if err := r.fold.leaf(leaf, rows); err != nil {
		return r.fault(l.node, index, line, "%v", err)
	}
	r.fold.note(hashRow(l.node, index, hash, r.fold.seed))
	if r.leaves++; r.o.Progress != nil && r.leaves%4096 == 0 {
		r.o.Progress(r.leaves)
	}
	return r.ctx.Err()
}
