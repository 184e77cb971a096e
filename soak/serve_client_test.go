//go:build linux

package soak_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"reflect"
	"time"

	"tirage/central"
)

// browser waits for no answer for ever.
var browser = &http.Client{Timeout: backLimit, Transport: &http.Transport{MaxIdleConnsPerHost: 64}}

// get reads an answer; status 0: nobody answers.
func (s *served) get(path, token string, out any) int {
	return s.request(http.MethodGet, path, token, "", nil, out)
}

func (s *served) post(path, token, key string, body, out any) int {
	text, err := json.Marshal(body)
	if err != nil {
		panic(err) // ours
	}
	return s.request(http.MethodPost, path, token, key, text, out)
}

func (s *served) request(method, path, token, key string, body []byte, out any) int {
	status, text := s.send(method, path, token, key, body)
	if out != nil && status/100 == 2 && json.Unmarshal(text, out) != nil {
		return 0 // cut off
	}
	return status
}

func (s *served) send(method, path, token, key string, body []byte) (status int, text []byte) {
	req, err := http.NewRequest(method, s.base+path, bytes.NewReader(body))
	if err != nil {
		panic(err) // ours
	}
	req.Header.Set("Content-Type", "application/json")
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	if key != "" {
		req.Header.Set("Idempotency-Key", key)
	}
	res, err := browser.Do(req)
	if err != nil {
		return 0, nil
	}
	defer res.Body.Close()
	if text, err = io.ReadAll(res.Body); err != nil {
		return 0, nil
	}
	return res.StatusCode, text
}

// buy is one player: quotes and confirms plays and shares, and now and then takes money out, until nobody answers.
func (s *served) buy(client int, b buyer, draws []string, answered func()) {
	rng := rand.New(rand.NewPCG(s.job.Seed, uint64(s.job.Round)<<32|uint64(client)))
	first := answered
	defer func() { first() }()
	for i := 0; ; i++ {
		a := &asked{buyer: b, key: fmt.Sprintf("%d-%d-%d", s.job.Round, client, i), path: "/api/v1/plays"}
		if rng.IntN(10) == 0 {
			a.path, a.body = "/api/v1/withdrawals", []byte(`{"cents":1}`)
		} else if !s.quote(a, rng, draws[rng.IntN(len(draws))]) {
			if s.get("/healthz", "", nil) != http.StatusOK {
				return
			}
			continue // closed meanwhile
		}
		s.mu.Lock()
		s.open[a.key] = a
		s.mu.Unlock()
		if !s.ask(a) {
			return
		}
		first()
		first = func() {}
	}
}

// quote asks what an order would cost; false: it is not sold, or nobody answers.
func (s *served) quote(a *asked, rng *rand.Rand, draw string) bool {
	extra, pack := 1, "60"
	if draw == s.sale {
		extra, pack = 2, "66"
	}
	path, order := "/api/v1/quotes/play", map[string]any{"draw": draw}
	switch rng.IntN(4) {
	case 0:
		path, order["type"], order["shares"] = "/api/v1/quotes/shares", pack, []int{1, 2, 5}[rng.IntN(3)]
	case 1:
		order["lines"] = []string{fmt.Sprintf("quick 6x%d", extra), fmt.Sprintf("quick 5x%d", extra+1)}
	default:
		order["lines"] = []string{fmt.Sprintf("quick 5x%d", extra)}
	}
	var q struct{ Quote string }
	if status := s.post(path, a.buyer.token, "", order, &q); status != http.StatusOK {
		if status >= 500 || status == http.StatusTooManyRequests {
			s.Errorf("seed %d, round %d: quote: %d", s.job.Seed, s.job.Round, status)
		}
		return false
	}
	a.body, _ = json.Marshal(map[string]string{"quote": q.Quote})
	return true
}

// ask sends a request and notes its answer; false: nobody answers.
func (s *served) ask(a *asked) bool {
	status, text := s.send(http.MethodPost, a.path, a.buyer.token, a.key, a.body)
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case status == 0:
		return false
	case status/100 == 2:
		a.answer = text
		s.acked[a.key] = a
	case status >= 500 || status == http.StatusTooManyRequests:
		s.Errorf("seed %d, %s: %d %s", s.job.Seed, a.key, status, text)
	}
	delete(s.open, a.key)
	return true
}

// again sends what was not answered, as clients do, and some of what was: the same answer comes.
func (s *served) again() {
	s.Helper()
	for _, a := range s.open {
		if !s.ask(a) {
			s.Fatalf("seed %d: %s, sent again, has no answer", s.job.Seed, a.key)
		}
	}
	left := 20
	for _, a := range s.acked {
		if left--; left < 0 {
			return
		}
		if status, text := s.send(http.MethodPost, a.path, a.buyer.token, a.key, a.body); status/100 != 2 || !bytes.Equal(text, a.answer) {
			s.Errorf("seed %d: %s, sent again: %d %s; it was %s", s.job.Seed, a.key, status, text, a.answer)
		}
	}
}

// look looks at what a death has left: books, letters, what was acknowledged; and what was on its way is stored whole or not at all.
func (s *served) look(when string) {
	s.Helper()
	s.job.Now = time.Now()
	s.with(func(w *world) {
		if err := central.CheckBooks(s.Context(), w.store); err != nil {
			s.Fatalf("seed %d, round %d, %s: %v", s.job.Seed, s.job.Round, when, err)
		}
		s.letters(w)
		snap, err := w.store.Snapshot(s.Context())
		if err != nil {
			s.Fatal(err)
		}
		defer snap.Close()
		for _, a := range s.acked {
			if err := a.check(s.Context(), snap); err != nil {
				s.Fatalf("seed %d, round %d, %s: acknowledged and not there: %s: %v", s.job.Seed, s.job.Round, when, a.key, err)
			}
		}
		stored := 0
		for _, a := range s.open {
			if r, err := snap.Get(s.Context(), a.record()); err != nil {
				s.Fatal(err)
			} else if r != nil {
				stored++
			}
		}
		s.stored += stored
		s.lost += len(s.open) - stored
		s.Logf("round %d, %s: %d acknowledged and there, %d on their way: %d stored; books hold", s.job.Round, when, len(s.acked), len(s.open), stored)
	})
}

// record is the key of the record of a request.
func (a *asked) record() central.Key {
	return central.Key{Table: central.Keys, S: a.key, U: central.PlayerPrincipal(a.buyer.player)}
}

// check makes sure that what a player was told is what the log holds, and that the play stands.
func (a *asked) check(ctx context.Context, snap central.Snapshot) error {
	record, err := row[*central.KeyRow](ctx, snap, a.record())
	if err != nil {
		return err
	}
	leaf, err := row[*central.LeafRow](ctx, snap, central.Key{Table: central.Leaves, N: record.Node, M: record.Index})
	if err != nil {
		return err
	}
	var body struct{ Result json.RawMessage }
	if err := json.Unmarshal(leaf.Body, &body); err != nil {
		return err
	}
	var told, stored any
	if err := errors.Join(json.Unmarshal(a.answer, &told), json.Unmarshal(body.Result, &stored)); err != nil {
		return err
	}
	if !reflect.DeepEqual(told, stored) {
		return fmt.Errorf("told %s, stored %s", a.answer, body.Result)
	}
	if a.path != "/api/v1/plays" {
		return nil
	}
	var bought central.Bought
	if err := json.Unmarshal(a.answer, &bought); err != nil {
		return err
	}
	id := record.Node<<48 | (record.Index + 1)
	if bought.Play != central.PlayID(id) {
		return fmt.Errorf("told of play %s, stored as %s", bought.Play, central.PlayID(id))
	}
	transfer, err := row[*central.Transfer](ctx, snap, central.Key{Table: central.Transfers, N: record.Node, M: record.Index << 16})
	if err != nil {
		return err
	}
	if transfer.Player != a.buyer.player || transfer.Cents != bought.Cents {
		return fmt.Errorf("player %d was debited %v, told %v", transfer.Player, transfer.Cents, bought.Cents)
	}
	return nil
}
