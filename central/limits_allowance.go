package central

import (
	"encoding/binary"
	"errors"
	"time"

	"tirage/rules/money"
)

// week is the window of the limits: seven times 24 hours of elapsed time, whatever the clocks on the wall do meanwhile.
const week = 7 * 24 * time.Hour

// exactEntries is how many amounts an allowance keeps one by one. Beyond, those of one hour are put together, so that an allowance never
// holds more than the 169 hours that a week touches.
const exactEntries = 48

// noLimit stands for a limit that was not chosen.
const noLimit money.Cents = -1

// allowance is a limit over seven rolling days, the raise that waits for its time, and the amounts that count against the limit.
//
// An amount counts for seven times 24 hours, to the second; the amounts of a busy week are put together by the hour at the time of the
// latest, so that each counts for less than one hour longer: never shorter.
type allowance struct {
	limit   money.Cents // noLimit: none was chosen
	raise   money.Cents // noLimit: none waits
	raiseAt int64       // microseconds; when the raise takes effect
	spent   []spending  // oldest first
}

type spending struct {
	at    int64 // seconds, rounded up
	cents money.Cents
}

var errAllowance = errors.New("an allowance cannot be read")

// newAllowance is that of a player who has yet to choose a limit.
func newAllowance() []byte { return (&allowance{limit: noLimit, raise: noLimit}).encode() }

// encode writes limit+1, raise+1, its time when there is one, then each amount with the seconds since the one before, as varints.
func (a *allowance) encode() []byte {
	b := make([]byte, 0, 16+6*len(a.spent))
	b = binary.AppendUvarint(b, uint64(a.limit+1))
	b = binary.AppendUvarint(b, uint64(a.raise+1))
	if a.raise != noLimit {
		b = binary.AppendUvarint(b, uint64(a.raiseAt))
	}
	var last int64
	for _, s := range a.spent {
		b = binary.AppendUvarint(b, uint64(s.at-last))
		b = binary.AppendUvarint(b, uint64(s.cents))
		last = s.at
	}
	return b
}

// readAllowance reads what encode wrote.
func readAllowance(b []byte) (*allowance, error) {
	bad := false
	next := func() int64 {
		v, n := binary.Uvarint(b)
		if n <= 0 || int64(v) < 0 {
			bad, b = true, nil
			return 0
		}
		b = b[n:]
		return int64(v)
	}
	a := &allowance{limit: money.Cents(next()) - 1, raise: money.Cents(next()) - 1}
	if a.raise != noLimit {
		a.raiseAt = next()
	}
	var last int64
	a.spent = make([]spending, 0, len(b)/4+2) // an amount takes four bytes or more as a rule
	for len(b) > 0 {
		last += next()
		a.spent = append(a.spent, spending{last, money.Cents(next())})
	}
	if bad {
		return nil, errAllowance
	}
	return a, nil
}

// settle lets a raise whose time has come take effect and drops what no longer counts.
func (a *allowance) settle(now time.Time) {
	if a.raise != noLimit && now.UnixMicro() >= a.raiseAt {
		a.limit, a.raise, a.raiseAt = a.raise, noLimit, 0
	}
	old := 0
	for old < len(a.spent) && !now.Before(time.Unix(a.spent[old].at, 0).Add(week)) {
		old++
	}
	a.spent = a.spent[old:]
}

// used returns what counts against the limit.
func (a *allowance) used() money.Cents {
	var sum money.Cents
	for _, s := range a.spent {
		sum = money.Add(sum, s.cents)
	}
	return sum
}

// left returns what may still be spent: never below zero.
func (a *allowance) left() money.Cents { return max(0, a.limit-a.used()) }

// spend counts an amount.
func (a *allowance) spend(now time.Time, cents money.Cents) {
	at := upSecond(now.UnixMicro())
	// Time never goes back for a writer, but several writers may differ a little.
	if n := len(a.spent); n > 0 {
		at = max(at, a.spent[n-1].at)
	}
	a.spent = append(a.spent, spending{at, cents})
	if len(a.spent) > exactEntries {
		a.compact()
	}
}

// compact puts the amounts of each hour together at the time of the latest.
func (a *allowance) compact() {
	kept := a.spent[:0]
	for _, s := range a.spent {
		if n := len(kept); n > 0 && kept[n-1].at/3600 == s.at/3600 {
			s.cents = money.Add(s.cents, kept[n-1].cents)
			kept = kept[:n-1]
		}
		kept = append(kept, s)
	}
	a.spent = kept
}

// release takes back an amount that was counted at a time, in microseconds, and came to nothing.
func (a *allowance) release(at int64, cents money.Cents) {
	for i := range a.spent {
		if s := &a.spent[i]; s.at >= upSecond(at) {
			part := min(cents, s.cents)
			s.cents -= part
			if cents -= part; cents == 0 {
				return
			}
		}
	}
}

// upSecond rounds microseconds up to seconds.
func upSecond(micro int64) int64 { return (micro + 999_999) / 1_000_000 }
