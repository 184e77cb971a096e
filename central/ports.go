package central

import (
	"context"
	"time"

	"tirage/rules/money"
)

// Store keeps the rows. One write transaction runs at a time for a [Register]; several registers may share a store.
type Store interface {
	Reader
	// Begin opens a write transaction. Its loads lock what they return until the end.
	Begin(ctx context.Context) (Tx, error)
}

// Tx is one write transaction.
type Tx interface {
	// Load returns the rows that exist among the keys, locked until the end in the order of (table, key), in which both lists come. Rows
	// of shared may be held so by several transactions at a time: nobody changes them meanwhile, this transaction neither. Tables that
	// are appended to, or that writes add to, are read without a lock.
	Load(ctx context.Context, keys, shared []Key) ([]Row, error)
	// Base tells whether this transaction is alone: no other can hold a row that it asks for, nobody waits for anybody, loads may come in any order. If so it
	// numbers the state of the store on which it stands. After its commit that is one more, and any commit of anybody else makes it more.
	Base() (state int64, alone bool)
	// Since reports whether a commit after that state may have written in the table.
	Since(state int64, table TableID) bool
	// Apply writes the changes; nothing is visible to others before Commit. It returns an error that wraps [ErrRetry] when a new row exists.
	Apply(ctx context.Context, changes *Changes) error
	// Commit makes the transaction durable: once it returns nil, no crash can lose it. When it returns an error that wraps
	// [ErrInDoubt] the transaction may or may not have been applied.
	Commit(ctx context.Context) error
	// Rollback drops the transaction. After Commit it does nothing.
	Rollback()
}

// Reader reads what is committed.
type Reader interface {
	// Snapshot opens a consistent view of all that is committed; the caller closes it.
	Snapshot(ctx context.Context) (Snapshot, error)
}

// Snapshot is a consistent, read-only view.
type Snapshot interface {
	// Get returns the row with this key, or nil.
	Get(ctx context.Context, key Key) (Row, error)
	// Scan calls yield for the rows of a range in the order of their key until it returns an error.
	Scan(ctx context.Context, r Range, yield func(Row) error) error
	Close()
}

// GetMany returns the rows with these keys that exist, in any order: in one go where the snapshot can (a method GetMany), as a database at the other end of
// a line does, one by one elsewhere.
func GetMany(ctx context.Context, snap Snapshot, keys ...Key) (rows []Row, err error) {
	if s, ok := snap.(interface {
		GetMany(ctx context.Context, keys []Key) ([]Row, error)
	}); ok {
		return s.GetMany(ctx, keys)
	}
	for _, k := range keys {
		r, err := snap.Get(ctx, k)
		if err != nil {
			return nil, err
		}
		if r != nil {
			rows = append(rows, r)
		}
	}
	return rows, nil
}

// Range selects the rows of a table whose first Prefix key columns equal those of From and whose key is > From when After is set,
// at most Limit of them (0: all).
type Range struct {
	From   Key
	Prefix int // number of key columns that must be equal
	After  bool
	Limit  int
	Only   []string // columns that the caller needs, the key first; a store may leave the others empty. nil: all
}

// Changes is what a batch writes, as final states: each row stands once.
type Changes struct {
	New []Row // inserted, never overwritten: another node may have been first
	Put []Row // rows that this transaction has loaded for itself alone, replaced
	Add []Row // rows of Accounts and Counters, whose value is added
}

// Clock tells the time. The register never lets it go back.
type Clock interface{ Now() time.Time }

// Entropy fills p with random bytes that nobody can predict.
type Entropy interface{ Read(p []byte) (int, error) }

// Sealer keeps the secrets of the draws and stamps quotes, with keys that are not in the database.
type Sealer interface {
	Seal(secret, nonce []byte, context string) []byte
	Open(sealed []byte, context string) ([]byte, error)
	// Stamp returns what proves that a text is the system's own: 32 bytes that nobody makes without the key. Every node has the same key.
	Stamp(text []byte) []byte
}

// Verifier checks who signed a paper of a draw.
type Verifier interface {
	// Verify returns the text of a signed note, or an error when it is not signed by that role ("operator", "control").
	Verify(signed, role string) (text string, err error)
}

// BanList is the national list of persons who may not play, asked where a command is made: see [Clearance]. An error means that there is no
// answer, and what needs one is refused.
type BanList interface {
	// Ask returns a fresh answer about a person: a [Clearance], signed.
	Ask(ctx context.Context, person *Person) (clearance string, err error)
}

// Payments is a provider by which money comes in and goes out. It tells the outcome of an order by a [SettlePayment], some time and perhaps
// more than once. An order that it has already is the same order.
type Payments interface {
	// Collect asks for a deposit and returns the address where the player pays it.
	Collect(ctx context.Context, order PaymentOrder) (address string, err error)
	// PayOut asks for a withdrawal to be paid.
	PayOut(ctx context.Context, order PaymentOrder) error
}

// PaymentOrder is what a provider is asked for.
type PaymentOrder struct {
	Payment string      // PaymentName
	Cents   money.Cents // above zero
}
