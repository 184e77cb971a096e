// Package audit rebuilds what the tables hold from the log alone, and says where they differ.
//
//	report, err := audit.Export(ctx, file, log, nil)                             // the log of every writer, in one file
//	report, err := audit.Replay(ctx, audit.Options{From: f, Store: store})       // 0 differences, or where
//	report, err := audit.Replay(ctx, audit.Options{Store: store})                // « verify now »: the store's own leaves
//	report, err := audit.Replay(ctx, audit.Options{From: f, Into: emptyStore})   // the tables again, on any engine
//
// Invariant: nothing here plans a command. A leaf holds the facts of its command: the movements of money and the image of every row that it wrote. What is
// rebuilt is the fold of those facts, worked out by code that shares nothing with the planner: balances are sums of movements, what is sold of a pack is a sum
// of shares, what a game has earned is a sum over rounds; and where a row image says another figure, the log contradicts itself, and the leaf is named.
//
// docs/audit.md is the specification of the file and says what is proved.
package audit

import (
	"context"
	"fmt"

	"golang.org/x/mod/sumdb/note"

	"tirage/central"
	"tirage/logbook"
	"tirage/rules/money"
)

// Options of a replay.
type Options struct {
	From *File          // exported log; nil: the leaves that Store holds
	Keys note.Verifiers // public keys of the log, from elsewhere than the file; nil: the one that the file names
	// Earlier are checkpoints that the verifier kept, signed by the same key: the log must still hold what they promised. Of a file alone.
	Earlier []string
	Store   central.Reader // tables to compare with; nil: none
	Into    central.Store  // empty store to rebuild into, which is compared then; nil: none
	// Progress is told now and then how many leaves were read; may be nil.
	Progress func(leaves int64)
}

// MaxListed bounds the differences that a report lists; all are counted.
const MaxListed = 100

// Report is what a replay found.
type Report struct {
	Logs   []LogReport `json:"logs"`
	Totals Totals      `json:"totals"`
	// Fault is the first place where the log is not what was signed, nil when it is whole. Nothing is rebuilt from a log that has one.
	Fault *Fault `json:"fault"`
	// Contradictions are leaves whose row images do not follow from the movements and plays of the log.
	Contradictions []Fault      `json:"contradictions"`
	Tables         []TableCount `json:"tables"`        // empty when nothing was compared
	Differing      int64        `json:"differing"`     // columns, and rows too many or too few
	Differences    []Difference `json:"differences"`   // the first MaxListed
	Compared       bool         `json:"compared"`      // with a store
	SignedBy       string       `json:"signed_by"`     // the key by which the checkpoints were verified; "" for a store's own leaves
	KeyFromFile    bool         `json:"key_from_file"` // that key was only named by the file itself
}

// OK reports whether nothing speaks against the log or the tables.
func (r *Report) OK() bool { return r.Fault == nil && len(r.Contradictions) == 0 && r.Differing == 0 }

// LogReport is the log of one writer.
type LogReport struct {
	Node  int64  `json:"node"`
	Size  int64  `json:"size"`  // leaves that were replayed
	Newer int64  `json:"newer"` // of these, read from the store because they are newer than the file
	Root  string `json:"root"`  // base64, of all
}

// Totals are what the log gives without any table.
type Totals struct {
	Players  int64                  `json:"players"`
	Balances money.Cents            `json:"balances"` // of all players
	Plays    int64                  `json:"plays"`
	Stakes   money.Cents            `json:"stakes"` // of plays and the games added to them
	Packs    int64                  `json:"packs"`
	Shares   int64                  `json:"shares"` // sold
	Rounds   int64                  `json:"rounds"`
	Accounts map[string]money.Cents `json:"accounts"` // every account that is no player's and is not empty
}

// Fault is a place of the log.
type Fault struct {
	Node  int64  `json:"node"`
	Index int64  `json:"index"` // of the leaf
	Line  int64  `json:"line"`  // of the file, 0 for a store's own leaf
	Why   string `json:"why"`
}

// Error names the place.
func (f *Fault) Error() string {
	where := fmt.Sprintf("leaf %d of node %d", f.Index, f.Node)
	if f.Line > 0 {
		where = fmt.Sprintf("line %d, %s", f.Line, where)
	}
	return where + ": " + f.Why
}

// TableCount says how many rows of a table were compared.
type TableCount struct {
	Table  string `json:"table"`
	Logged int64  `json:"logged"` // rows that the log gives
	Stored int64  `json:"stored"` // rows that stand in the table
}

// Difference is one column in which log and table differ, or a row that only one of them has.
type Difference struct {
	Table  string `json:"table"`
	Key    string `json:"key"`
	Column string `json:"column"` // "" for a whole row
	Log    string `json:"log"`    // "" when the log has no such row
	Stored string `json:"stored"` // "" when the table has no such row
	Leaf   string `json:"leaf"`   // "node-index" that says it, "" when there is none
}

// String is one line: "packs(loto-2020-06-22 ten 0).sold: the log says 4 (leaf 0-12), the table holds 5".
func (d Difference) String() string {
	name := d.Table + "(" + d.Key + ")"
	switch {
	case d.Log == "":
		return name + ": the table has it, no leaf does"
	case d.Stored == "":
		return name + ": leaf " + d.Leaf + " has it, the table does not"
	}
	says := "the log says " + d.Log
	if d.Leaf != "" {
		says += " (leaf " + d.Leaf + ")"
	}
	return name + "." + d.Column + ": " + says + ", the table holds " + d.Stored
}

// Replay verifies the log, rebuilds the tables from it alone and compares. An error says that nothing could be told; what was found is in the report.
func Replay(ctx context.Context, o Options) (*Report, error) {
	r := &replay{ctx: ctx, o: o, report: &Report{Contradictions: []Fault{}, Tables: []TableCount{}, Differences: []Difference{}}, fold: newFold()}
	err := r.run()
	if r.report.Fault != nil {
		return r.report, nil
	}
	return r.report, err
}

// replay is one replay under way.
type replay struct {
	ctx    context.Context
	o      Options
	report *Report
	fold   *fold
	snap   central.Snapshot // of Store
	logs   []*log           // in the order of their nodes
	leaves int64
}

// log is the log of one writer as it is read.
type log struct {
	node    int64
	tree    logbook.Tree
	at      int64   // time of the last leaf, microseconds
	offsets []int64 // in the file, of its leaves; those after them stand in the store
}

func (r *replay) run() error {
	if r.o.Store != nil {
		snap, err := r.o.Store.Snapshot(r.ctx)
		if err != nil {
			return err
		}
		defer snap.Close()
		r.snap = snap
	}
	if err := r.read(); err != nil {
		return err
	}
	r.finish()
	if r.snap != nil {
		if err := r.compare(r.snap, false); err != nil {
			return err
		}
	}
	if r.o.Into == nil {
		return nil
	}
	if err := r.rebuild(); err != nil {
		return err
	}
	snap, err := r.o.Into.Snapshot(r.ctx)
	if err != nil {
		return err
	}
	defer snap.Close()
	return r.compare(snap, true)
}
