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
	"tirage/central/events"
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
	op.Description = "Everybody is told « draw » (where it stands) and « pack » (what is sold); a player who is logged in also « play », « balance », « round », « message » and « done » " +
		"of the own account. « hello » opens the stream; « reset » says that too much has happened since to be told: read anew what you show."
	schemas := map[string]*huma.Schema{}
	for _, e := range events.All() {
		schemas[e.Name()] = huma.SchemaFromType(a.huma.OpenAPI().Components.Schemas, reflect.TypeOf(e))
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
	if in.Last == "" {
		in.Last = in.After
	}
	var from *events.Place
	if in.Last != "" {
		place, err := events.ParsePlace(in.Last)
		if err != nil {
			a.refuse(w, r, errCursor)
			return
		}
		from = &place
	}
	if a.streams.Add(1) > streamsMax {
		a.streams.Add(-1)
		a.tooMany(w, r, time.Minute)
		return
	}
	defer a.streams.Add(-1)
	followed, err := a.Feed.Follow(r.Context(), events.Viewer{Player: callerOf(r.Context()).Player, Draw: in.Draw}, from)
	if err != nil && !errors.Is(err, events.ErrAway) {
		a.refuse(w, r, err)
		return
	}
	defer followed.Close()
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no")
	s := &sending{w: w, control: http.NewResponseController(w)}
	_ = s.control.SetReadDeadline(time.Time{}) // the deadline of a request would end the stream; a connection without deadlines has none
	s.printf("retry: %d\n", retryMillis)
	s.event(followed.Place(), "hello", map[string]any{"now": a.Clock.Now().UTC()})
	if err != nil {
		s.event(followed.Place(), "reset", struct{}{})
	}
	a.tell(s, r, followed)
}

// tell sends what the caller may know, and beats.
func (a *API) tell(s *sending, r *http.Request, followed *events.Follower) {
	who := callerOf(r.Context())
	tick := time.NewTicker(beat)
	defer tick.Stop()
	for s.err == nil {
		told, changed, err := followed.Take()
		if err != nil {
			s.event(followed.Place(), "reset", struct{}{})
		}
		for _, e := range told {
			s.event(e.Place, e.Event.Name(), e.Event)
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
			// The place goes along, so that a client is not away after a quiet hour.
			s.printf("id: %s\n: %d\n\n", followed.Place(), a.Clock.Now().Unix())
		}
	}
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

func (s *sending) event(place events.Place, name string, data any) {
	b, err := json.Marshal(data)
	if err != nil {
		s.err = err
		return
	}
	s.printf("id: %s\nevent: %s\ndata: %s\n\n", place, name, b)
}

func (s *sending) flush() {
	if s.err == nil {
		s.err = s.control.Flush()
	}
	if errors.Is(s.err, http.ErrNotSupported) {
		s.err = io.ErrClosedPipe // nobody would ever see it
	}
}
