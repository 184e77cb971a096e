package audit

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"

	"tirage/central"
	"tirage/logbook"
)

// Format names the version of the file.
const Format = "tirage/log/1"

const (
	// Every is how many leaves stand before the next signed checkpoint: whoever can hash but not sign changes one of so many leaves without being
	// located more exactly.
	Every = 256
	// maxLine bounds a line: the leaf of the largest slice of winners has some 200 KB.
	maxLine = 64 << 20
	// maxLogs bounds the logs that a file may name.
	maxLogs = 1 << 10
)

// header is the first line of a file.
type header struct {
	Format string    `json:"format"`
	Key    string    `json:"key"` // public key of the checkpoints
	Logs   []logSize `json:"logs"`
}

type logSize struct {
	Node int64 `json:"node"`
	Size int64 `json:"size"`
}

// checkpointLine is the line of a signed checkpoint.
type checkpointLine struct {
	Checkpoint string `json:"checkpoint"`
}

// endLine is the last line.
type endLine struct {
	Leaves int64 `json:"leaves"`
}

// Exported is what a file holds.
type Exported struct {
	Logs        []central.LogSize `json:"logs"`
	Leaves      int64             `json:"leaves"`
	Checkpoints []string          `json:"checkpoints"` // the last of each log: keep them, they tell later whether leaves were cut off
}

// Export writes the log of every writer as it is published: leaves, salts, signed checkpoints. It reads one leaf at a time, while sales go on. A
// log that is not the one that its tiles promise is not exported. key is the public half of the log's signer.
func Export(ctx context.Context, w io.Writer, l *central.Log, key string, progress func(leaves int64)) (*Exported, error) {
	if err := central.NewTiler(l.Store).CatchUp(ctx); err != nil {
		return nil, err
	}
	nodes, err := l.Nodes(ctx)
	if err != nil {
		return nil, err
	}
	verifier, err := note.NewVerifier(key)
	if err != nil {
		return nil, err
	}
	head, out := header{Format: Format, Key: key, Logs: []logSize{}}, &Exported{}
	var promised []logbook.Checkpoint
	for _, node := range nodes {
		signed, err := l.Checkpoint(ctx, node)
		if err != nil {
			return nil, err
		}
		c, err := logbook.OpenCheckpoint(signed, note.VerifierList(verifier))
		if err != nil {
			return nil, err
		}
		promised, out.Checkpoints = append(promised, c), append(out.Checkpoints, signed)
		head.Logs = append(head.Logs, logSize{node, c.Size})
	}
	snap, err := l.Store.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	defer snap.Close()
	e := &exporter{w: bufio.NewWriterSize(w, 1<<20), signer: l.Signer, out: out, progress: progress}
	if err := e.json(head); err != nil {
		return nil, err
	}
	for i, node := range nodes {
		if err := e.log(ctx, snap, node, promised[i]); err != nil {
			return nil, fmt.Errorf("log of node %d: %w", node, err)
		}
	}
	return out, errors.Join(e.json(endLine{out.Leaves}), e.w.Flush())
}

type exporter struct {
	w        *bufio.Writer
	signer   note.Signer
	out      *Exported
	line     []byte
	progress func(int64)
}

func (e *exporter) json(v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = e.w.Write(append(b, '\n'))
	return err
}

var errEnough = errors.New("enough")

// log writes the leaves that a checkpoint promises, with a signed checkpoint after every so many.
func (e *exporter) log(ctx context.Context, snap central.Snapshot, node int64, promised logbook.Checkpoint) error {
	var tree logbook.Tree
	sign := func() error {
		signed, err := logbook.Checkpoint{Origin: promised.Origin, Size: tree.Size, Root: tree.Root()}.Sign(e.signer)
		return errors.Join(err, e.json(checkpointLine{signed}))
	}
	err := scanLeaves(ctx, snap, node, 0, func(l *central.LeafRow) error {
		if tree.Size == promised.Size {
			return errEnough
		}
		if l.Index != tree.Size {
			return fmt.Errorf("leaf %d is missing", tree.Size)
		}
		hash := logbook.Hash(l.Salt, l.Body)
		tree.Add(hash)
		e.line = appendLeaf(e.line[:0], hash, l.Salt, l.Body)
		if _, err := e.w.Write(e.line); err != nil {
			return err
		}
		if e.out.Leaves++; e.progress != nil && e.out.Leaves%4096 == 0 {
			e.progress(e.out.Leaves)
		}
		if tree.Size%Every == 0 && tree.Size < promised.Size {
			return sign()
		}
		return nil
	})
	if err != nil && !errors.Is(err, errEnough) {
		return err
	}
	root := tree.Root()
	if tree.Size != promised.Size || root != promised.Root {
		return fmt.Errorf("its %d leaves are not the %d that it has published: nothing is signed", tree.Size, promised.Size)
	}
	e.out.Logs = append(e.out.Logs, central.LogSize{Node: node, Size: tree.Size, Root: root[:]})
	return sign()
}

// scanLeaves reads the leaves of a node from an index on.
func scanLeaves(ctx context.Context, snap central.Snapshot, node, from int64, yield func(*central.LeafRow) error) error {
	at := central.Range{From: central.Key{Table: central.Leaves, N: node, M: from - 1}, Prefix: 1, After: true}
	return snap.Scan(ctx, at, func(r central.Row) error { return yield(r.(*central.LeafRow)) })
}

const (
	hashOpen, saltOpen, bodyOpen = `{"hash":"`, `","salt":"`, `","body":`
	hashText, saltText           = 44, 24 // characters of base64
)

// appendLeaf writes the line of a leaf: {"hash":…,"salt":…,"body":{…}}.
func appendLeaf(b []byte, hash tlog.Hash, salt, body []byte) []byte {
	b = base64.StdEncoding.AppendEncode(append(b, hashOpen...), hash[:])
	b = base64.StdEncoding.AppendEncode(append(b, saltOpen...), salt)
	return append(append(append(b, bodyOpen...), body...), '}', '\n')
}

// parseLeaf reads what appendLeaf wrote, without the end of the line, and nothing else.
func parseLeaf(line []byte) (hash tlog.Hash, salt, body []byte, err error) {
	bad := errors.New("it is no leaf in the form of the file")
	const bodyAt = len(hashOpen) + hashText + len(saltOpen) + saltText + len(bodyOpen)
	if len(line) < bodyAt+2 {
		return hash, nil, nil, bad
	}
	text := line[len(hashOpen):]
	sum, err1 := base64.StdEncoding.DecodeString(string(text[:hashText]))
	text = text[hashText+len(saltOpen):]
	salt, err2 := base64.StdEncoding.DecodeString(string(text[:saltText]))
	if err1 != nil || err2 != nil || len(sum) != tlog.HashSize || len(salt) != logbook.SaltSize {
		return hash, nil, nil, bad
	}
	hash, body = tlog.Hash(sum), line[bodyAt:len(line)-1]
	if again := appendLeaf(nil, hash, salt, body); !bytes.Equal(again[:len(again)-1], line) {
		return hash, nil, nil, bad
	}
	return hash, salt, body, nil
}

// File is an exported log. It is read from the front, and once more where leaves are looked up.
type File struct {
	R    io.ReaderAt
	Size int64
}

// lines reads the lines of a file and remembers where each begins.
type lines struct {
	scan *bufio.Scanner
	n    int64 // number of the line, from 1
	at   int64 // where it begins
	next int64
}

var errShort = errors.New("the file ends here, as if it was cut short")

func (f *File) lines(from int64) *lines {
	l := &lines{scan: bufio.NewScanner(io.NewSectionReader(f.R, from, f.Size-from)), next: from}
	l.scan.Buffer(make([]byte, 1<<16), maxLine)
	l.scan.Split(func(data []byte, end bool) (int, []byte, error) {
		if i := bytes.IndexByte(data, '\n'); i >= 0 {
			return i + 1, data[:i], nil
		}
		if end && len(data) > 0 {
			return 0, nil, errShort
		}
		return 0, nil, nil
	})
	return l
}

func (l *lines) read() ([]byte, error) {
	l.n++
	if !l.scan.Scan() {
		if err := l.scan.Err(); err != nil {
			return nil, err
		}
		return nil, errShort
	}
	line := l.scan.Bytes()
	l.at, l.next = l.next, l.next+int64(len(line))+1
	return line, nil
}

// parseLine reads a line of JSON in its one form.
func parseLine[T any](line []byte) (v T, err error) {
	if err := json.Unmarshal(line, &v); err != nil {
		return v, err
	}
	if again, err := json.Marshal(v); err != nil || !bytes.Equal(again, line) {
		return v, errors.New("it is not in the form of the file")
	}
	return v, nil
}
