package central

import (
	"tirage/fairness/beacon"
	"tirage/logbook"
)

// Config is what a register needs.
type Config struct {
	Store     Store
	Clock     Clock
	Entropy   Entropy
	Sealer    Sealer
	Verifier  Verifier
	Node      int64
	CodeBlock int64        // codes reserved ahead by this node; 0: none, as a single writer wants
	OnCommit  func([]Done) // told of each batch after its commit, in order; may be nil
	// AllowReconstructed lets draws be opened as reconstructed, with contents, codes and outside winners given. A server that sells never sets it.
	AllowReconstructed bool
	// AllowBare lets accounts without identity and limits be opened, and money be deposited without a provider, as benchmarks do;
	// AllowReconstructed lets it too.
	AllowBare bool
	// QuotesOnly refuses what a player buys otherwise than by confirming a quote. A server that sells to people sets it; tools and tests that show
	// nothing to anybody do not.
	QuotesOnly bool
	// DrawRoom gives each draw that is opened a [Room], and refuses a result that did not come from one. A server that sells to people sets it; tools and tests
	// without a draw room do not, and record no result of a draw that has one.
	DrawRoom bool
	// Program is the SHA-256 of the running program, in hex: the draw room compares it before a draw and holds to it.
	Program string
	// Beacon is the chain that draws by the generator take their value from; nil: beacon.Quicknet. Tests have one of their own.
	Beacon *beacon.Chain
	// Summed lets Node be MaxNodes or more: the store keeps the totals of all nodes in one row each and no combinations are counted, as package bench does to
	// compare.
	Summed bool
	// NullLog writes no leaves, so that package bench can say what the log costs: no encoding, no salt, no hash, no row. Nothing that it sells can be proved, its
	// books do not hold, and no register that sells to people ([Config.QuotesOnly], [Config.DrawRoom]) takes it.
	NullLog bool
}

// Done is an accepted command as listeners see it.
type Done struct {
	Request *Request
	Leaf    *logbook.Leaf
}
