// Package log serves the transparency logs to everybody, in the layout of c2sp.org/tlog-tiles:
//
//	GET /log/                          the logs and the public key, as JSON
//	GET /log/0/checkpoint              what the log of node 0 promises, signed
//	GET /log/0/tile/0/x001/067         256 hashes of leaves; never changes
//	GET /log/0/tile/0/x001/068.p/17    the first 17 of a tile that is not full
//
// There are no entries (tile/entries/…): what a leaf says goes to its owner, as a receipt, and to the auditor. docs/log.md is the specification.
//
//	mux.Handle("/log/", log.Handler(&central.Log{…}, keys.Public(central.RoleLog)))
//
// Nobody is asked who they are, and scripts of other sites may read it: a log is public.
package log

import (
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"strings"

	"tirage/central"
	"tirage/logbook"
)

// Index is the answer of /log/.
type Index struct {
	Key  string       `json:"key"` // public, of all checkpoints, as golang.org/x/mod/sumdb/note writes it
	Logs []IndexEntry `json:"logs"`
}

// IndexEntry is one log.
type IndexEntry struct {
	Node   int64  `json:"node"`
	Origin string `json:"origin"`
	Path   string `json:"path"` // of its checkpoint and its tiles
}

// Handler serves the logs under /log/. Errors of the store are told to the logger, which may be nil, and to nobody else.
func Handler(l *central.Log, key string, logger *slog.Logger) http.Handler {
	if logger == nil {
		logger = slog.New(slog.DiscardHandler)
	}
	h := &handler{l, key, logger}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /log/{$}", h.index)
	mux.HandleFunc("GET /log/{node}/checkpoint", h.checkpoint)
	mux.HandleFunc("GET /log/{node}/tile/{path...}", h.tile)
	return mux
}

type handler struct {
	log    *central.Log
	key    string
	logger *slog.Logger
}

// node reads the number of the log.
func node(r *http.Request) (int64, error) {
	text := r.PathValue("node")
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 || n >= central.MaxNodes || strconv.FormatInt(n, 10) != text {
		return 0, errNone
	}
	return n, nil
}

// errNone is the answer to a path that names nothing.
var errNone = errors.New("no such log, checkpoint or tile")

func (h *handler) index(w http.ResponseWriter, r *http.Request) {
	nodes, err := h.log.Nodes(r.Context())
	if err != nil {
		h.fail(w, r, err)
		return
	}
	out := Index{Key: h.key, Logs: []IndexEntry{}}
	for _, n := range nodes {
		out.Logs = append(out.Logs, IndexEntry{n, logbook.OriginOf(h.log.Operator, n), "/log/" + strconv.FormatInt(n, 10) + "/"})
	}
	body, err := json.Marshal(out)
	if err != nil {
		h.fail(w, r, err)
		return
	}
	h.answer(w, "application/json", "no-cache", append(body, '\n'))
}

func (h *handler) checkpoint(w http.ResponseWriter, r *http.Request) {
	n, err := node(r)
	var signed string
	if err == nil {
		signed, err = h.log.Checkpoint(r.Context(), n)
	}
	if err != nil {
		h.fail(w, r, err)
		return
	}
	h.answer(w, "text/plain; charset=utf-8", "no-cache", []byte(signed))
}

func (h *handler) tile(w http.ResponseWriter, r *http.Request) {
	n, err := node(r)
	if err != nil {
		h.fail(w, r, err)
		return
	}
	t, err := logbook.ParseTilePath("tile/" + r.PathValue("path"))
	if err != nil {
		h.fail(w, r, errNone)
		return
	}
	data, err := h.log.Tile(r.Context(), n, t)
	if err != nil {
		h.fail(w, r, err)
		return
	}
	// A hash that is published stays what it is.
	h.answer(w, "application/octet-stream", "public, max-age=31536000, immutable", data)
}

func (h *handler) answer(w http.ResponseWriter, mime, cache string, body []byte) {
	head := w.Header()
	head.Set("Content-Type", mime)
	head.Set("Cache-Control", cache)
	head.Set("X-Content-Type-Options", "nosniff")
	head.Set("Access-Control-Allow-Origin", "*")
	head.Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = w.Write(body) // who hangs up is told nothing
}

// fail answers 404 for what does not exist and 500 for the rest, which only the operator reads.
func (h *handler) fail(w http.ResponseWriter, r *http.Request, err error) {
	if errors.Is(err, errNone) || central.CodeOf(err) == central.NotFound {
		http.Error(w, "no such log, checkpoint or tile", http.StatusNotFound)
		return
	}
	if r.Context().Err() == nil {
		h.logger.Error("log", "path", strings.ToValidUTF8(r.URL.Path, "?"), "error", err)
	}
	http.Error(w, "the log cannot be read now", http.StatusInternalServerError)
}
