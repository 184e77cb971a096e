package api

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"time"

	"tirage/central"
)

// maxBody bounds the body of a request, in bytes: several times the largest order or answer of a device.
const maxBody = 64 << 10

// request is what is known of a request beside what it asks for.
type request struct {
	id   string
	lang string
}

type requestKey struct{}

func requestOf(ctx context.Context) request {
	if r, ok := ctx.Value(requestKey{}).(request); ok {
		return r
	}
	return request{lang: central.French}
}

// Language is the language of a request: of ?lang or else of Accept-Language, French where neither prefers English.
func Language(r *http.Request) string {
	switch r.URL.Query().Get("lang") {
	case central.French:
		return central.French
	case central.English:
		return central.English
	}
	return accepted(r.Header.Get("Accept-Language"))
}

// accepted returns the language that a header prefers. What it weighs the same goes to French.
func accepted(header string) string {
	best, lang := 0.0, central.French
	for part := range strings.SplitSeq(header, ",") {
		name, params, _ := strings.Cut(strings.TrimSpace(part), ";")
		weight := 1.0
		if q, ok := strings.CutPrefix(strings.TrimSpace(params), "q="); ok {
			var err error
			if weight, err = strconv.ParseFloat(q, 64); err != nil {
				continue
			}
		}
		primary, _, _ := strings.Cut(strings.ToLower(name), "-")
		if (primary == central.French || primary == central.English) && weight > best {
			best, lang = weight, primary
		}
	}
	return lang
}

// chain puts around the routes what every request goes through, from the outside in.
func (a *API) chain(mux http.Handler) http.Handler {
	foreign := http.NewCrossOriginProtection()
	foreign.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { a.refuse(w, r, errForeign) }))
	h := a.authenticate(a.limitCaller(mux))
	h = a.limitBody(foreign.Handler(h))
	return a.begin(a.survive(a.limitAddress(h)))
}

// begin names the request and sets the headers of every answer.
func (a *API) begin(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		req := request{id: rand.Text()[:16], lang: Language(r)}
		h := w.Header()
		h.Set("X-Request-Id", req.id)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-store")
		h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
		h.Set("Vary", "Accept-Language, Authorization, Cookie")
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), requestKey{}, req)))
	})
}

// survive answers for a route that panics.
func (a *API) survive(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			v := recover()
			if v == nil {
				return
			}
			if v == http.ErrAbortHandler {
				panic(v)
			}
			a.Log.LogAttrs(r.Context(), slog.LevelError, "panic", slog.String("request", requestOf(r.Context()).id), slog.Any("panic", v), slog.String("stack", string(debug.Stack())))
			newProblem(requestOf(r.Context()), errInternal).write(w)
		}()
		next.ServeHTTP(w, r)
	})
}

// limitBody refuses a body above the limit before it is read; one that does not say its length is cut there.
func (a *API) limitBody(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength > maxBody {
			w.Header().Set("Connection", "close")
			a.refuse(w, r, errTooLarge)
			return
		}
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		next.ServeHTTP(w, r)
	})
}

// noRoute answers for what no route takes.
func (a *API) noRoute(w http.ResponseWriter, r *http.Request) {
	var allowed []string
	for _, m := range []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodDelete} {
		other := r.Clone(r.Context())
		other.Method = m
		if _, pattern := a.mux.Handler(other); pattern != "/api/" && pattern != "" {
			allowed = append(allowed, m)
		}
	}
	if len(allowed) > 0 {
		w.Header().Set("Allow", strings.Join(allowed, ", "))
		a.refuse(w, r, errMethod)
		return
	}
	a.refuse(w, r, errNoRoute)
}

// Rates bound the requests of one address and of one caller; zero: any number.
type Rates struct {
	Requests  int // a second, of one caller or, without one, of one address …
	Burst     int // … and as many at once
	LoginsMin int // attempts to log in or register, a minute and address
}

// DefaultRates are what a server for people uses: assumed.
var DefaultRates = Rates{Requests: 50, Burst: 200, LoginsMin: 60}

// bucket holds what may be asked for at once, filled up with time.
type bucket struct {
	tokens float64
	at     time.Time
}

// limiter bounds the rate of each name.
type limiter struct {
	rate  float64 // a second
	burst float64
	clock central.Clock
	mu    sync.Mutex
	names map[string]*bucket
}

// limiterMax bounds the names that a limiter remembers: above, those are forgotten that are full again.
const limiterMax = 100_000

func newLimiter(perSecond, burst float64, clock central.Clock) *limiter {
	return &limiter{rate: perSecond, burst: burst, clock: clock, names: map[string]*bucket{}}
}

// take takes a token of a name; it returns how long to wait when there is none.
func (l *limiter) take(name string) (wait time.Duration) {
	if l.rate == 0 {
		return 0
	}
	now := l.clock.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	b := l.names[name]
	if b == nil {
		if len(l.names) >= limiterMax {
			l.sweep(now)
		}
		b = &bucket{l.burst, now}
		l.names[name] = b
	}
	b.tokens, b.at = min(l.burst, b.tokens+now.Sub(b.at).Seconds()*l.rate), now
	if b.tokens < 1 {
		return time.Duration((1 - b.tokens) / l.rate * float64(time.Second))
	}
	b.tokens--
	return 0
}

// sweep forgets those that have waited long enough to be full, or all when none has.
func (l *limiter) sweep(now time.Time) {
	for name, b := range l.names {
		if b.tokens+now.Sub(b.at).Seconds()*l.rate >= l.burst {
			delete(l.names, name)
		}
	}
	if len(l.names) >= limiterMax {
		clear(l.names)
	}
}

func (a *API) tooMany(w http.ResponseWriter, r *http.Request, wait time.Duration) {
	w.Header().Set("Retry-After", strconv.Itoa(int(wait/time.Second)+1))
	a.refuse(w, r, errRate)
}

// limitAddress bounds attempts to log in or register by the address they come from.
func (a *API) limitAddress(next http.Handler) http.Handler {
	logins := newLimiter(float64(a.Rates.LoginsMin)/60, float64(a.Rates.LoginsMin), a.Clock)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && loginPaths[strings.TrimPrefix(r.URL.Path, Prefix)] {
			if wait := logins.take(address(r)); wait > 0 {
				a.tooMany(w, r, wait)
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

// loginPaths are where passwords are tried: each costs the processor on purpose.
var loginPaths = map[string]bool{"/players": true, "/sessions": true, "/sessions/passkey": true, "/staff/sessions": true, "/me/password": true}

// limitCaller bounds the requests of who is logged in, and of an address where nobody is.
func (a *API) limitCaller(next http.Handler) http.Handler {
	all := newLimiter(float64(a.Rates.Requests), float64(a.Rates.Burst), a.Clock)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := callerOf(r.Context()).Principal
		if name == visitor.Principal {
			name = address(r)
		}
		if wait := all.take(name); wait > 0 {
			a.tooMany(w, r, wait)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// address is where a request comes from, an IPv6 network as one. Behind a proxy that is the proxy: it bounds rates itself.
func address(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	if ip := net.ParseIP(host); ip != nil && ip.To4() == nil {
		return ip.Mask(net.CIDRMask(64, 128)).String()
	}
	return host
}
