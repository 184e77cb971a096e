package kit

import (
	"compress/gzip"
	"io"
	"net/http"
	"strconv"
	"sync"

	"github.com/andybalholm/brotli"
)

// Pages are compressed as they are made: at a level that costs less than the page.
const (
	pageBrotli = 4
	pageGzip   = 5
	// packFrom is the size from which a page is compressed, in bytes.
	packFrom = 1 << 10
)

type packer interface {
	io.WriteCloser
	Reset(io.Writer)
}

var packers = map[string]*sync.Pool{
	"br": {New: func() any { return brotli.NewWriterLevel(nil, pageBrotli) }},
	"gzip": {New: func() any {
		z, err := gzip.NewWriterLevel(nil, pageGzip)
		if err != nil {
			panic(err) // the level is a constant
		}
		return z
	}},
}

// send writes a page, compressed where the browser takes it. No page holds a secret beside what its address gives: the session is proved by a cookie
// that no page contains, and nothing forged is kept out by a token.
func (v *Visit) send(page []byte) {
	h, status := v.w.Header(), v.status
	if status == 0 {
		status = http.StatusOK
	}
	h.Set("Vary", "Accept-Encoding, Cookie, Accept-Language")
	for _, encoding := range []string{"br", "gzip"} {
		if len(page) < packFrom || !accepts(v.R.Header.Get("Accept-Encoding"), encoding) {
			continue
		}
		h.Set("Content-Encoding", encoding)
		v.w.WriteHeader(status)
		p := packers[encoding].Get().(packer)
		p.Reset(v.w)
		_, _ = p.Write(page) // who is gone needs no answer
		_ = p.Close()
		packers[encoding].Put(p)
		return
	}
	h.Set("Content-Length", strconv.Itoa(len(page)))
	v.w.WriteHeader(status)
	_, _ = v.w.Write(page)
}
