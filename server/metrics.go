package server

import (
	"context"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
	"tirage/central"
)

// metrics are what an operator watches. Each server has a registry of its own.
type metrics struct {
	registry *prometheus.Registry
	commands *prometheus.CounterVec
	failures *prometheus.CounterVec
	requests *prometheus.HistogramVec
	batches  prometheus.Histogram
}

func newMetrics() *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		commands: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "tirage_commands_total", Help: "Accepted commands, by kind."}, []string{"kind"}),
		failures: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "tirage_failures_total", Help: "Failures of the work behind requests, by part; each is tried again."}, []string{"part"}),
		requests: prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: "tirage_request_seconds", Help: "Time to answer, by method and status.", Buckets: prometheus.DefBuckets}, []string{"method", "status"}),
		batches:  prometheus.NewHistogram(prometheus.HistogramOpts{Name: "tirage_batch_commands", Help: "Commands committed together.", Buckets: prometheus.ExponentialBuckets(1, 2, 10)}),
	}
	m.registry.MustRegister(m.commands, m.failures, m.requests, m.batches, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// followers counts, whenever it is asked, how far what follows from commits is behind.
func (m *metrics) followers(store central.Reader, list []*central.Follower) {
	m.registry.MustRegister(&behind{store, list, prometheus.NewDesc("tirage_follower_leaves_behind", "Leaves that a follower of the log has yet to pass, those that it leaves alone for a time among them.", []string{"follower"}, nil)})
}

// behind reads the cursors of the followers.
type behind struct {
	store     central.Reader
	followers []*central.Follower
	leaves    *prometheus.Desc
}

// readCursors bounds the reading of the cursors.
const readCursors = 5 * time.Second

func (b *behind) Describe(ch chan<- *prometheus.Desc) { ch <- b.leaves }

// Collect reads them all in one view.
func (b *behind) Collect(ch chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), readCursors)
	defer cancel()
	snap, err := b.store.Snapshot(ctx)
	if err != nil {
		ch <- prometheus.NewInvalidMetric(b.leaves, err)
		return
	}
	defer snap.Close()
	for _, f := range b.followers {
		n, err := f.Behind(ctx, snap)
		if err != nil {
			ch <- prometheus.NewInvalidMetric(b.leaves, err)
			return
		}
		ch <- prometheus.MustNewConstMetric(b.leaves, prometheus.GaugeValue, float64(n), f.Name)
	}
}

func (m *metrics) committed(done []central.Done) {
	m.batches.Observe(float64(len(done)))
	for _, d := range done {
		m.commands.WithLabelValues(d.Request.Command.Kind()).Inc()
	}
}

func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}

// recorder notes the status of an answer.
type recorder struct {
	http.ResponseWriter
	status int
}

func (r *recorder) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(b []byte) (int, error) {
	if r.status == 0 {
		r.status = http.StatusOK
	}
	return r.ResponseWriter.Write(b)
}

// Unwrap lets deadlines and flushes through.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// methods that are counted by name: others are one.
var methods = map[string]bool{http.MethodGet: true, http.MethodPost: true, http.MethodPut: true, http.MethodDelete: true, http.MethodHead: true, http.MethodOptions: true}

// watch counts, traces and logs each request: its path without the query, which may hold what is private, and nothing of its headers or body.
func (s *Server) watch(next http.Handler) http.Handler {
	tracer := otel.Tracer("tirage/server")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		method := r.Method
		if !methods[method] {
			method = "other"
		}
		ctx := otel.GetTextMapPropagator().Extract(r.Context(), propagation.HeaderCarrier(r.Header)) // the caller's trace goes on
		ctx, span := tracer.Start(ctx, method, trace.WithSpanKind(trace.SpanKindServer), trace.WithAttributes(attribute.String("url.path", r.URL.Path)))
		rec := &recorder{ResponseWriter: w}
		next.ServeHTTP(rec, r.WithContext(ctx))
		took := time.Since(start)
		span.SetAttributes(attribute.Int("http.response.status_code", rec.status))
		span.End()
		s.metrics.requests.WithLabelValues(method, strconv.Itoa(rec.status)).Observe(took.Seconds())
		s.cfg.Log.LogAttrs(ctx, slog.LevelDebug, "request", slog.String("method", method), slog.String("path", r.URL.Path), slog.Int("status", rec.status),
			slog.Duration("took", took), slog.String("request", rec.Header().Get("X-Request-Id")))
	})
}
