package drand

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"tirage/fairness/beacon"
)

// round1000 is the signature of a round of the real chain.
const round1000 = "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39"

func server(t *testing.T, status int, body string) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if want := "/" + beacon.Quicknet.Hash + "/public/1000"; r.URL.Path != want {
			t.Errorf("%s was asked for, want %s", r.URL.Path, want)
		}
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// Servers that lie, fail or are gone are passed over; one that tells the round is enough.
func TestSource(t *testing.T) {
	good := server(t, 200, `{"round":1000,"randomness":"00","signature":"`+round1000+`"}`)
	bad := []string{
		"http://127.0.0.1:1", server(t, 404, ""), server(t, 200, "{"), server(t, 200, `{"round":1001,"signature":"`+round1000+`"}`),
		server(t, 200, `{"round":1000,"signature":"zz"}`), server(t, 200, `{"round":1000,"signature":"`+strings.Repeat("ab", 48)+`"}`), server(t, 200, strings.Repeat(" ", maxAnswer+1)+"{}"),
	}
	s, err := New(append(bad, good+"/"))
	if err != nil {
		t.Fatal(err)
	}
	signature, err := s.Signature(t.Context(), beacon.Quicknet, 1000)
	if err != nil || fmt.Sprintf("%x", signature) != round1000 {
		t.Errorf("%x, %v", signature, err)
	}
	if s, err = New(bad); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Signature(t.Context(), beacon.Quicknet, 1000); err == nil || strings.Count(err.Error(), "\n") != len(bad)-1 {
		t.Errorf("nobody told the round: %v", err)
	}
	if _, err := (&Source{}).Signature(t.Context(), beacon.Quicknet, 1000); err == nil {
		t.Error("no server, no error")
	}
	for _, address := range []string{"beacon.example.org", "ftp://beacon.example.org", "https://", "::"} {
		if _, err := New([]string{address}); err == nil {
			t.Errorf("%q is taken", address)
		}
	}
}
