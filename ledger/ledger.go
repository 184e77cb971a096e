// Package ledger is the chart of accounts and the form of a posting: double entry in whole cents.
//
// Invariant: a [Posting] takes an amount from one account and gives the same amount to another, so the balances of all
// accounts always add up to zero. Money that is outside the system stands as a negative balance of [Bank] (players'
// money) or of an outside account (other points of sale and other countries).
//
//	ledger.Posting{From: ledger.Player(42), To: ledger.Stakes("loto-2020-06-22"), Cents: 660}
package ledger

import (
	"fmt"
	"strconv"
	"strings"

	"tirage/rules/money"
)

// Account is the name of an account: a kind, then what it belongs to, joined by "/".
type Account string

// Bank is the operator's account for players' money outside the system: negative by what the players own inside.
const Bank Account = "bank"

// Player is the available balance (disponibilités) of a player.
func Player(id int64) Account { return Account("player/" + strconv.FormatInt(id, 10)) }

// Withdrawal holds what a player has asked to be paid out and the provider has not yet confirmed.
func Withdrawal(id int64) Account { return Account("withdrawal/" + strconv.FormatInt(id, 10)) }

// Stakes holds what was staked on a draw until its result is approved.
func Stakes(draw string) Account { return Account("stakes/" + draw) }

// Prizes holds the prize money of a draw between the approval and the payments.
func Prizes(draw string) Account { return Account("prizes/" + draw) }

// Unsold is the operator's stake in the unsold shares of a draw's packs: negative by that stake.
func Unsold(draw string) Account { return Account("unsold/" + draw) }

// Rounding holds the difference between gains and what their equal shares add up to, of either sign
// (packs and group receipts). The regulation names nobody for it: inferred.
func Rounding(draw string) Account { return Account("rounding/" + draw) }

// Crumbs holds what the floors to 0.10 € leave. Assumed: it goes to the reserve fund.
func Crumbs(draw string) Account { return Account("crumbs/" + draw) }

// Claims holds gains that wait for their winner.
func Claims(draw string) Account { return Account("claims/" + draw) }

// Outside clears a draw with the other points of sale and the other countries: what they owe (negative) or are owed.
func Outside(draw string) Account { return Account("outside/" + draw) }

// Operator is the operator's own part of the stakes of a game. It may be negative: the operator answers for a game of codes whose gains are above its
// part of the price.
func Operator(game string) Account { return Account("operator/" + game) }

// Reserve is the reserve fund of a game (Art. loto@2018-10-29:10.2; euromillions 4.3; mymillion 5.3.2). A fund may be negative: what it held before
// the first draw of this system is not known here.
func Reserve(game string) Account { return Account("fund/" + game + "/reserve") }

// Carry is the jackpot money of a game carried to the next draw.
func Carry(game string) Account { return Account("fund/" + game + "/carry") }

// Counterpart is the fund that absorbs the difference between the winners' share of the stakes and the prizes due
// (fonds de contrepartie), of either sign.
func Counterpart(game string) Account { return Account("fund/" + game + "/counterpart") }

// Super is the fund of the super jackpots (Fonds de Super Cagnotte).
func Super(game string) Account { return Account("fund/" + game + "/super") }

// PlayerID returns the player that an account of kind player belongs to.
func (a Account) PlayerID() (int64, bool) {
	s, ok := strings.CutPrefix(string(a), "player/")
	if !ok {
		return 0, false
	}
	id, err := strconv.ParseInt(s, 10, 64)
	return id, err == nil && Player(id) == a // one player has one account: "player/+7" is none
}

// Kind returns the part of the name before the first "/".
func (a Account) Kind() string {
	kind, _, _ := strings.Cut(string(a), "/")
	return kind
}

// mayOwe lists the kinds whose balance may be negative, each for the reason given at its constructor.
var mayOwe = map[string]bool{"bank": true, "unsold": true, "rounding": true, "outside": true, "operator": true, "fund": true}

// MayOwe reports whether the balance may be negative. A player's available balance never is.
func (a Account) MayOwe() bool { return mayOwe[a.Kind()] }

// Posting moves an amount, in cents and above zero, from one account to another.
type Posting struct {
	From, To Account
	Cents    money.Cents
}

// Check refuses a posting that moves nothing or moves it nowhere.
func (p Posting) Check() error {
	switch {
	case p.Cents <= 0 || p.Cents > money.Limit:
		return fmt.Errorf("posting of %v from %s to %s: accepted amounts are above 0 and at most %v", p.Cents, p.From, p.To, money.Limit)
	case p.From == p.To || p.From == "" || p.To == "":
		return fmt.Errorf("posting of %v from %q to %q: two different accounts are needed", p.Cents, p.From, p.To)
	}
	return nil
}

// Signed returns the posting between a and b for an amount of either sign; ok is false when the amount is zero.
// A negative amount moves from b to a.
func Signed(a, b Account, cents money.Cents) (p Posting, ok bool) {
	switch {
	case cents > 0:
		return Posting{a, b, cents}, true
	case cents < 0:
		return Posting{b, a, -cents}, true
	}
	return Posting{}, false
}
