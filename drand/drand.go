// Package drand fetches rounds of the public beacon from servers that repeat them. They are not believed: [tirage/central.DrawNumbers] verifies what they bring, so
// the worst that one can do is not to answer.
//
//	source := &drand.Source{Servers: []string{"https://beacon.example.org"}}
//	signature, err := source.Signature(ctx, beacon.Quicknet, round)
package drand

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"tirage/fairness/beacon"
)

// Source asks servers, one after another, for a round: the first whose signature verifies answers.
type Source struct {
	Servers []string     // addresses of the public interface, such as https://beacon.example.org
	Client  *http.Client // nil: one of its own, that waits for no more than [Patience]
}

// Patience bounds what one server may take; maxAnswer its answer, in bytes.
const (
	Patience  = 5 * time.Second
	maxAnswer = 1 << 14
)

// New makes a source, and refuses addresses that are none.
func New(servers []string) (*Source, error) {
	for _, s := range servers {
		u, err := url.Parse(s)
		if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
			return nil, fmt.Errorf("server of the beacon %q: accepted an address such as https://beacon.example.org", s)
		}
	}
	return &Source{Servers: servers, Client: &http.Client{Timeout: Patience}}, nil
}

// Signature returns the verified signature of a round.
func (s *Source) Signature(ctx context.Context, chain *beacon.Chain, round int64) ([]byte, error) {
	if len(s.Servers) == 0 {
		return nil, errors.New("no server of the beacon is named")
	}
	var errs []error
	for _, server := range s.Servers {
		signature, err := s.ask(ctx, server, chain, round)
		if err == nil {
			err = chain.Check(round, signature)
		}
		if err == nil {
			return signature, nil
		}
		errs = append(errs, fmt.Errorf("%s: %w", server, err))
	}
	return nil, errors.Join(errs...)
}

// ask is GET SERVER/CHAIN/public/ROUND.
func (s *Source) ask(ctx context.Context, server string, chain *beacon.Chain, round int64) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, fmt.Sprintf("%s/%s/public/%d", strings.TrimSuffix(server, "/"), url.PathEscape(chain.Hash), round), nil)
	if err != nil {
		return nil, err
	}
	client := s.Client
	if client == nil {
		client = &http.Client{Timeout: Patience}
	}
	answer, err := client.Do(r)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("answered %s", answer.Status)
	}
	var body struct {
		Round     int64  `json:"round"`
		Signature string `json:"signature"`
	}
	if err := json.NewDecoder(io.LimitReader(answer.Body, maxAnswer)).Decode(&body); err != nil {
		return nil, fmt.Errorf("no round: %w", err)
	}
	if body.Round != round {
		return nil, fmt.Errorf("answered round %d for round %d", body.Round, round)
	}
	return hex.DecodeString(body.Signature)
}
