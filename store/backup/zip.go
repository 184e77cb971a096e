package backup

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"io"

	"tirage/central"
)

// zipper compresses into a buffered writer.
type zipper struct {
	*gzip.Writer
	out *bufio.Writer
}

// newZipper compresses at the fastest level: a backup is as fast as the store is read, and a fifth larger than at the best one.
func newZipper(w io.Writer) zipper {
	out := bufio.NewWriterSize(w, 1<<16)
	zip, err := gzip.NewWriterLevel(out, gzip.BestSpeed)
	if err != nil {
		panic(err) // the level is one
	}
	return zipper{zip, out}
}

// Close ends the stream; the writer below stays open.
func (z zipper) Close() error {
	err := z.Writer.Close()
	if ferr := z.out.Flush(); err == nil {
		err = ferr
	}
	return err
}

// less orders the keys of one table as stores do: by their columns from left to right, text before numbers.
func less(a, b central.Key) bool {
	return cmp.Or(cmp.Compare(a.S, b.S), cmp.Compare(a.U, b.U), cmp.Compare(a.N, b.N), cmp.Compare(a.M, b.M)) < 0
}
