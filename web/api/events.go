package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
)

const (
	// beat is how often a stream shows that it is alive, and looks whether its session still is.
	beat = 15 * time.Second
	// writeWithin is how long a client may take to read what it is sent.
	writeWithin = 10 * time.Second
	// retryMillis is how long a client waits before it comes back.
	retryMillis = 2000
	// streamsMax bounds the streams at a time.
	streamsMax = 10_000
)

// EventsQuery asks for events.
type EventsQuery struct {
	Draw  string `query:"draw" maxLength:"60" doc:"Of draws and packs, those of this draw alone"`
	After string `query:"after" maxLength:"400" doc:"Go on after this event, as the header Last-Event-ID does"`
	Last  string `header:"Last-Event-ID" maxLength:"400" doc:"The id of the last event that arrived"`
}

func (a *API) addEvents() {
	r := Route{Method: http.MethodGet, Path: "/events", ID: "events", Tag: "live", Summary: "What changes, live, as server-sent events; a client that comes back goes on after Last-Event-ID", Public: true}
	op := a.operation(&r)
	op.Description = "Everybody is told « draw » (a state) and « pack » (what is sold); a player who is logged in also « balance » and « done » of the own account. " +
		"« hello » opens the stream; « reset » says that too much has happened since to be told: read anew what you show."
	schemas := map[string]*huma.Schema{}
	for name, v := range map[string]any{"draw": DrawEvent{}, "pack": PackEvent{}, "balance": BalanceEvent{}, "done": DoneEvent{}} {
		schemas[name] = huma.SchemaFromType(a.huma.OpenAPI().Components.Schemas, reflect.TypeOf(v))
	}
	op.Responses = map[string]*huma.Response{"200": {Description: "A stream without end", Content: map[string]*huma.MediaType{"text/event-stream": {Schema: &huma.Schema{
		Type: huma.TypeObject, Description: "The data of each event, by its name", Properties: schemas,
	}}}}}
	huma.Register(a.huma, op, func(_ context.Context, in *EventsQuery) (*huma.StreamResponse, error) {
		return &huma.StreamResponse{Body: func(ctx huma.Context) {
			req, w := humago.Unwrap(ctx)
			a.stream(w, req, in)
		}}, nil
	})
	a.routes = append(a.routes, r)
}

// stream tells events until the client goes, its session ends, or the server stops.
func (a *API) stream(w http.ResponseWriter, r *http.Request, in *EventsQuery) {
	var from place
	if in.Last == "" {
		in.Last = in.After
	}
	if in.Last != "" {
		var err error
		if from, err = parsePlace(in.Last); err != nil {
			a.refuse(w, r, errCursor)
			return
		}
	}
	if a.streams.Add(1) > streamsMax {
		a.streams.Add(-1)
		a.tooMany(w, r, time.Minute)
		return
	}
	defer a.streams.Add(-1)
	followed, err := a.Feed.follow(r.Context(), from)
	if err != nil && !errors.Is(err, errAway) {
		a.refuse(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no")
	s := &sending{w: w, control: http.NewResponseController(w)}
	_ = s.control.SetReadDeadline(time.Time{}) // the deadline of a request would end the stream; a connection without deadlines has none
	s.printf("retry: %d\n", retryMillis)
	s.event(followed.at.String(), "hello", map[string]any{"now": a.Clock.Now().UTC()})
	if errors.Is(err, errAway) {
		s.event(followed.at.String(), "reset", struct{}{})
	}
	a.tell(s, r, followed, in.Draw)
}

// tell sends what the caller may know, and beats.
func (a *API) tell(s *sending, r *http.Request, followed *follower, draw string) {
	who := callerOf(r.Context())
	tick := time.NewTicker(beat)
	defer tick.Stop()
	for s.err == nil {
		steps, changed, err := followed.take()
		if err != nil {
			s.event(followed.at.String(), "reset", struct{}{})
		}
		for _, st := range steps {
			id := followed.id(st)
			for _, e := range st.events {
				if e.concerns(who, draw) {
					s.event(id, e.Name, e.Data)
				}
			}
		}
		s.flush()
		select {
		case <-r.Context().Done():
			return
		case <-a.stopping:
			return
		case <-changed:
		case <-tick.C:
			if who.Session != nil && a.Desk.Sessions.Peek(r.Context(), who.Token) != nil {
				return // logged out, or idle: a stream keeps no session open
			}
			s.printf(": %d\n\n", a.Clock.Now().Unix())
		}
	}
}

// concerns says whether a caller is told of an event.
func (e *Event) concerns(who *Caller, draw string) bool {
	if e.Player != 0 {
		return who.Player == e.Player
	}
	switch data := e.Data.(type) {
	case DrawEvent:
		return draw == "" || draw == data.Draw
	case PackEvent:
		return draw == "" || draw == data.Draw
	}
	return true
}

// sending writes a stream, and remembers that its client is gone.
type sending struct {
	w       http.ResponseWriter
	control *http.ResponseController
	err     error
}

func (s *sending) printf(format string, a ...any) {
	if s.err == nil {
		_ = s.control.SetWriteDeadline(time.Now().Add(writeWithin)) // a writer without deadlines has none to set
		_, s.err = fmt.Fprintf(s.w, format, a...)
	}
}

func (s *sending) event(id, name string, data any) {
	b, err := json.Marshal(data)
	if err != nil {
		s.err = err
		return
	}
	s.printf("id: %s\nevent: %s\ndata: %s\n\n", id, name, b)
}

func (s *sending) flush() {
	if s.err == nil {
		s.err = s.control.Flush()
	}
	if errors.Is(s.err, http.ErrNotSupported) {
		s.err = io.ErrClosedPipe // nobody would ever see it
	}
}
