// Package central is the operator's core: every change of state is a [Command], and every command goes through one [Register].
//
// A register takes commands in batches. For each batch it loads the rows that the commands touch, plans each command with pure code against
// that view, and commits effects, postings, idempotency records and log leaves in one transaction; then it answers. A refused
// command leaves no trace and does not touch its neighbours.
//
//	r, err := central.NewRegister(central.Config{Store: store, Clock: clock, …})
//	receipt, err := r.Do(ctx, central.Request{Principal: "player/42", Key: "018f…", Command: central.BuyShares{
//		Player: 42, Draw: "loto-2018-10-29", Type: "600", Shares: 5,
//	}})
//
// # Invariants
//
// [CheckBooks] verifies them all: balances add up to zero and never fall below their floor; every posting, key and row stands in a leaf of the log; a pack
// is never oversold and a code never issued twice; a settled draw has paid what two counts agree on, to the cent.
//
// # A draw
//
// [Operator] takes a draw through its life: close, seal (the plays are counted, hashed and signed with the draw's terms), balance (the control agrees), record
// (the result), count (winners and gains, by operator and control), approve (an officer), pay (slices of credits), publish (the notice).
//
// # A player
//
// A player registers ([RegisterPlayer]), is verified and confirmed by staff, chooses limits over seven rolling days ([SetLimit]), opens a session
// ([OpenSession]), deposits through a provider ([RequestDeposit], [SettlePayment]) and stakes. Every stake, of whatever game and channel, goes through one
// function, which looks at the player's row alone: confirmed, not excluded, no reality check open, within the limit. The rest stands in the [Guard]. What a plan cannot know, such as
// the answer of the ban list, is asked where the command is made and travels beside it, signed and dated ([Clearance]). [ReadStatement] reads a player's
// history, [Refusal.In] says a refusal in French or English.
//
// # A purchase
//
// [ReadCatalogue] shows what is on sale. [Register.Quote] says what an order would cost and hold, [Quote.Recap] shows it, [Confirm] buys on these terms or not
// at all, [DropQuote] gives the order back to be changed. [Register.ReadPlays] shows what was bought, for ever.
package central
