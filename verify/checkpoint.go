package verify

import (
	"bytes"
	"errors"
	"fmt"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
	"tirage/logbook"
)

// Checkpoints checks that one log grew from each checkpoint to the next: nothing that it held was changed or dropped. Each is a signed checkpoint or a
// receipt, which holds one. The tiles that the log publishes prove it; read gives them, nil where there are none: then only sizes and roots are compared.
func Checkpoints(files [][]byte, keys note.Verifiers, read func(tlog.Tile) ([]byte, error)) *Report {
	report := &Report{Kind: KindCheckpoint}
	var list []logbook.Checkpoint
	for i, data := range files {
		c, err := anyCheckpoint(data, keys)
		ok := report.add(CheckCheckpoint, err)
		f := &report.Findings[len(report.Findings)-1]
		f.Where = fmt.Sprintf("%d", i+1)
		if ok {
			list = append(list, c)
			report.What, report.Log, report.Size = c.Origin, c.Origin, c.Size
			report.note("%d", c.Size)
		}
	}
	for i := 1; i < len(list); i++ {
		report.add(CheckGrowth, grew(list[i-1], list[i], read))
		report.Findings[len(report.Findings)-1].Where = fmt.Sprintf("%d → %d", list[i-1].Size, list[i].Size)
	}
	return report
}

// anyCheckpoint opens a checkpoint, or that of a receipt.
func anyCheckpoint(data []byte, keys note.Verifiers) (logbook.Checkpoint, error) {
	if !bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) {
		return logbook.OpenCheckpoint(string(data), keys)
	}
	r, err := ParseReceipt(data)
	if err != nil {
		return logbook.Checkpoint{}, err
	}
	return r.Leaf.checkpoint(keys)
}

// grew checks that a later checkpoint holds an earlier one.
func grew(earlier, later logbook.Checkpoint, read func(tlog.Tile) ([]byte, error)) error {
	var hashes tlog.HashReader = tlog.HashReaderFunc(func([]int64) ([]tlog.Hash, error) {
		return nil, errors.New("the tiles of the log are needed to prove it: accepted --tiles with a copy of them")
	})
	if read != nil {
		hashes = logbook.Hashes(later.Size, read)
	}
	return logbook.Check(earlier, later, hashes)
}
