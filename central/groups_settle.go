package central

import (
	"fmt"
	"strconv"
	"strings"

	"tirage/rules/money"
)

// GroupReceipt is one of the equal receipts (reçus) in which a group play (« Jeu en groupe ») is divided. It belongs to the player who paid
// its part of the stake; its part of the gains is that player's.
type GroupReceipt struct {
	Draw   string
	Play   int64
	N      int64 // 1 to Play.Shares
	Player int64
	Cents  money.Cents // part of the stake
}

func (*GroupReceipt) Table() TableID { return Receipts }
func (r *GroupReceipt) Fields() []any {
	return []any{&r.Draw, &r.Play, &r.N, &r.Player, (*int64)(&r.Cents)}
}

// receiptsOf holds the receipts of group plays by play, as the sealed rows give them before the plays.
type receiptsOf map[int64][]*GroupReceipt

func (g receiptsOf) add(r *GroupReceipt) { g[r.Play] = append(g[r.Play], r) }

// take returns the receipts of a play, 1 to its number, and forgets them.
func (g receiptsOf) take(r *Play) ([]*GroupReceipt, error) {
	list := g[r.ID]
	delete(g, r.ID)
	if int64(len(list)) != r.Shares {
		return nil, fmt.Errorf("%d receipts stand, the play has %d", len(list), r.Shares)
	}
	for i, receipt := range list {
		if receipt.N != int64(i)+1 {
			return nil, fmt.Errorf("receipt %d stands where receipt %d should", receipt.N, i+1)
		}
	}
	return list, nil
}

// none makes sure that every receipt was one of a play.
func (g receiptsOf) none() error {
	for play := range g {
		return fmt.Errorf("receipts of play %s, which is no group's", PlayID(play))
	}
	return nil
}

// creditGroup yields the gains of the receipts of a group play, component by component, receipt by receipt.
//
// Art. loto@2018-10-29:11: the gains « de chaque Combinaison Simple gagnante et de chaque code alphanumérique gagnant, par rang de gain Loto sont
// ensuite à répartir entre les reçus issus d'une même prise de jeu, selon les modalités prévues au sous-article 8.2 ». The text of 8.2 is not at hand: equal
// receipts, and the rounding of the pack on each gain, are inferred.
func (c *Counting) creditGroup(r *Play, out *Count, yield func(Credit) error) error {
	receipts, err := c.groups.take(r)
	if err != nil {
		return fmt.Errorf("group play %s: %w", PlayID(r.ID), err)
	}
	split, perReceipt, err := c.split(r.Lines, r.Combos, r.CodeAt, r.CodeAt2, r.Shares, r.Shares)
	if err != nil {
		return fmt.Errorf("group play %s: %w", PlayID(r.ID), err)
	}
	out.Groups.Gains = money.Add(out.Groups.Gains, split.Gains)
	out.Groups.Holders = money.Add(out.Groups.Holders, split.Holders)
	out.Groups.Rounding = money.Add(out.Groups.Rounding, split.Rounding)
	waits := r.payee() == 0 // for whoever shows the receipt
	for _, i := range c.order {
		if perReceipt[i] == 0 {
			continue
		}
		for _, receipt := range receipts {
			player := receipt.Player
			if waits {
				player = 0
			}
			out.Credits++
			out.Due = money.Add(out.Due, perReceipt[i])
			credit := Credit{
				Draw: r.Draw, Component: ReceiptComponent(c.names[i], receipt.N), Play: r.ID, Version: c.Draw.Version, Player: player, Cents: perReceipt[i],
			}
			if err := yield(credit); err != nil {
				return err
			}
		}
	}
	return nil
}

// ReceiptComponent names a component of a receipt of a group play: "ranks#3", "code/loto#3". [CutReceipt] reads it.
func ReceiptComponent(component string, receipt int64) string {
	return component + "#" + strconv.FormatInt(receipt, 10)
}

// CutReceipt returns the component that [ReceiptComponent] names and the number of the receipt, 0 for that of any other play.
func CutReceipt(component string) (base string, receipt int64) {
	base, n, _ := strings.Cut(component, "#")
	receipt, _ = strconv.ParseInt(n, 10, 64)
	return base, receipt
}

// groupMin is the smallest number of receipts: one alone is an ordinary play.
const groupMin = 2

// receiptPart returns the part of a stake that receipt n of a group play costs: the stake divided by their number, rounded down to the cent; the first, which
// is that of the player who registers the play, bears the cents that are left, nine at most (assumed: the text of 8.2 is not at hand).
func receiptPart(stake money.Cents, receipts, n int64) money.Cents {
	part := stake / money.Cents(receipts)
	if n == 1 {
		part = money.Add(part, stake%money.Cents(receipts))
	}
	return part
}
