package identity

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"sync"
	"time"

	"tirage/central"
)

const (
	// IdleAfter is how long a session lasts without being used, MaxAge how long at most: assumed.
	IdleAfter, MaxAge = 30 * time.Minute, 12 * time.Hour
	// touchEvery is how often at most the use of a session is stored.
	touchEvery = time.Minute
	// flushEvery is how often uses are stored, together.
	flushEvery = 5 * time.Second
	// cacheFor is how long a session that was found open is taken to be so on a node that was not told of its end.
	cacheFor = time.Second
	// cacheMax bounds the sessions kept in memory.
	cacheMax = 1 << 16

	secretSize = 32
	tokenSize  = 8 + 8 + secretSize
)

// Sessions checks the tokens of sessions and stores when they were used. Start [Sessions.Run], and tell it of every commit.
type Sessions struct {
	store central.Store
	clock central.Clock

	mu    sync.Mutex
	cache map[[tokenSize]byte]*cached
	used  map[sessionID]*use

	staff directory
}

type sessionID struct{ player, session int64 }

type cached struct {
	session central.Session
	until   time.Time
}

// use is when a session was used last, and when that was last stored or given to be stored. Microseconds.
type use struct {
	last, stored int64
	dirty        bool
}

// NewSessions returns the sessions of a store.
func NewSessions(store central.Store, clock central.Clock) *Sessions {
	return &Sessions{store: store, clock: clock, cache: map[[tokenSize]byte]*cached{}, used: map[sessionID]*use{}}
}

// newToken writes the token of a session: who, which, and the secret that proves it.
func newToken(player, session int64, secret []byte) string {
	b := binary.BigEndian.AppendUint64(make([]byte, 0, tokenSize), uint64(player))
	b = binary.BigEndian.AppendUint64(b, uint64(session))
	return base64.RawURLEncoding.EncodeToString(append(b, secret...))
}

// Check returns the open session that a token proves, and notes that it was used. Whatever is wrong with the token, the answer is the same.
func (s *Sessions) Check(ctx context.Context, token string) (*central.Session, error) {
	return s.check(ctx, token, true)
}

// Peek says whether a token proves an open session, without noting a use: what looks by itself keeps no session open.
func (s *Sessions) Peek(ctx context.Context, token string) error {
	_, err := s.check(ctx, token, false)
	return err
}

func (s *Sessions) check(ctx context.Context, token string, used bool) (*central.Session, error) {
	var t [tokenSize]byte
	if b, err := base64.RawURLEncoding.DecodeString(token); err != nil || len(b) != tokenSize {
		return nil, central.NoSession()
	} else {
		copy(t[:], b)
	}
	now := s.clock.Now()
	session := s.recent(t, now)
	if session == nil {
		var err error
		if session, err = s.load(ctx, t, now); err != nil {
			return nil, err
		}
	}
	if !s.touch(session, now, used) {
		return nil, central.NoSession()
	}
	return session, nil
}

// recent returns a session that was found open a moment ago.
func (s *Sessions) recent(t [tokenSize]byte, now time.Time) *central.Session {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.cache[t]
	if c == nil || !now.Before(c.until) {
		return nil
	}
	session := c.session
	return &session
}

// load reads the session of a token and keeps it for a moment.
func (s *Sessions) load(ctx context.Context, t [tokenSize]byte, now time.Time) (*central.Session, error) {
	player, id := int64(binary.BigEndian.Uint64(t[:])), int64(binary.BigEndian.Uint64(t[8:]))
	snap, err := s.store.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	defer snap.Close()
	rows, err := central.GetMany(ctx, snap,
		central.Key{Table: central.Sessions, N: player, M: id}, central.Key{Table: central.Credentials, N: player}, central.Key{Table: central.Touches, N: player, M: id})
	if err != nil {
		return nil, err
	}
	var session *central.Session
	var cred *central.Credential
	var touched *central.Touch
	for _, r := range rows {
		switch r := r.(type) {
		case *central.Session:
			session = r
		case *central.Credential:
			cred = r
		case *central.Touch:
			touched = r
		}
	}
	hash := sha256.Sum256(t[16:])
	if session == nil || cred == nil || subtle.ConstantTimeCompare(session.Hash, hash[:]) != 1 || session.Closed != 0 || session.Version != cred.Version {
		return nil, central.NoSession()
	}
	last := session.Opened
	if touched != nil {
		last = max(last, touched.At)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.cache) >= cacheMax {
		clear(s.cache)
	}
	s.cache[t] = &cached{*session, now.Add(cacheFor)}
	k := sessionID{player, id}
	if u := s.used[k]; u == nil {
		s.used[k] = &use{last: last, stored: last}
	} else {
		u.last = max(u.last, last)
	}
	return session, nil
}

// touch notes that a session is used now, if it is; it reports false when the session was idle for too long or is too old.
func (s *Sessions) touch(session *central.Session, now time.Time, used bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	u := s.used[sessionID{session.Player, session.ID}]
	micro := now.UnixMicro()
	if u == nil || micro-u.last >= IdleAfter.Microseconds() || micro-session.Opened >= MaxAge.Microseconds() {
		return false
	}
	if !used {
		return true
	}
	u.last = max(u.last, micro)
	if micro-u.stored >= touchEvery.Microseconds() {
		u.dirty = true
	}
	return true
}

// Committed forgets what a batch of commands has ended: OnCommit of the register calls it, so that on this node the end is immediate.
func (s *Sessions) Committed(done []central.Done) {
	for _, d := range done {
		var player int64
		switch c := d.Request.Command.(type) {
		case central.CloseSession:
			player = c.Player
		case central.RevokeSessions:
			player = c.Player
		case central.SetPassword:
			player = c.Player
		case central.AddStaff, central.SetStaffRole, central.ResetStaffPassword, central.EndStaff:
			s.forget() // rare: all of them, rather than to look who it is
			continue
		default:
			continue
		}
		s.mu.Lock()
		for t, c := range s.cache {
			if c.session.Player == player {
				delete(s.cache, t)
			}
		}
		s.mu.Unlock()
	}
}

// forget empties the memory of sessions found open and of the staff.
func (s *Sessions) forget() {
	s.mu.Lock()
	clear(s.cache)
	s.mu.Unlock()
	s.staff.mu.Lock()
	defer s.staff.mu.Unlock()
	s.staff.until = time.Time{}
}

// Run stores uses until the context ends, and once more then. It returns the first error of the store; a new Run goes on.
func (s *Sessions) Run(ctx context.Context) error {
	tick := time.NewTicker(flushEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return s.Flush(context.WithoutCancel(ctx))
		case <-tick.C:
			if err := s.Flush(ctx); err != nil {
				return err
			}
		}
	}
}

// Flush stores the uses that wait, in one transaction, and forgets sessions that ended.
func (s *Sessions) Flush(ctx context.Context) error {
	rows := s.take()
	if len(rows) == 0 {
		return nil
	}
	if err := s.write(ctx, rows); err != nil {
		return fmt.Errorf("uses of sessions: %w", err)
	}
	return nil
}

// take returns the uses to store, in the order of their keys.
func (s *Sessions) take() []*central.Touch {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.clock.Now()
	for t, c := range s.cache {
		if !now.Before(c.until) {
			delete(s.cache, t)
		}
	}
	var rows []*central.Touch
	for k, u := range s.used {
		if u.dirty {
			rows = append(rows, &central.Touch{Player: k.player, Session: k.session, At: u.last})
			u.stored, u.dirty = u.last, false
		} else if now.UnixMicro()-u.last >= IdleAfter.Microseconds() {
			delete(s.used, k)
		}
	}
	sortTouches(rows)
	return rows
}

func (s *Sessions) write(ctx context.Context, rows []*central.Touch) error {
	keys := make([]central.Key, len(rows))
	for i, r := range rows {
		keys[i] = central.KeyOf(r)
	}
	tx, err := s.store.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	found, err := tx.Load(ctx, keys, nil)
	if err != nil {
		return err
	}
	old := map[central.Key]*central.Touch{}
	for _, r := range found {
		old[central.KeyOf(r)] = r.(*central.Touch)
	}
	c := &central.Changes{}
	for i, r := range rows {
		switch o := old[keys[i]]; {
		case o == nil:
			c.New = append(c.New, r)
		case o.At < r.At:
			c.Put = append(c.Put, r)
		}
	}
	if err := tx.Apply(ctx, c); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

// Listed is an open session as its player sees it among all of theirs.
type Listed struct {
	Session *central.Session
	Used    time.Time // to the minute
}

// List returns the open sessions of a player, the latest first.
func (s *Sessions) List(ctx context.Context, player int64) ([]Listed, error) {
	snap, err := s.store.Snapshot(ctx)
	if err != nil {
		return nil, err
	}
	defer snap.Close()
	cred, err := get[*central.Credential](ctx, snap, central.Key{Table: central.Credentials, N: player})
	if cred == nil || err != nil {
		return nil, err
	}
	touched := map[int64]int64{}
	err = snap.Scan(ctx, central.Range{From: central.Key{Table: central.Touches, N: player}, Prefix: 1}, func(r central.Row) error {
		touched[r.(*central.Touch).Session] = r.(*central.Touch).At
		return nil
	})
	if err != nil {
		return nil, err
	}
	now := s.clock.Now()
	var list []Listed
	err = snap.Scan(ctx, central.Range{From: central.Key{Table: central.Sessions, N: player}, Prefix: 1}, func(r central.Row) error {
		session := r.(*central.Session)
		last := time.UnixMicro(max(session.Opened, touched[session.ID])).UTC()
		if session.Closed == 0 && session.Version == cred.Version && now.Sub(last) < IdleAfter && now.Sub(time.UnixMicro(session.Opened)) < MaxAge {
			list = append(list, Listed{session, last})
		}
		return nil
	})
	sortListed(list)
	return list, err
}
