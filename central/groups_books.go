package central

import (
	"fmt"
	"reflect"

	"tirage/rules/rulebook"
)

// groupBooks is a group play with its receipts.
type groupBooks struct {
	play     *Play
	receipts []*GroupReceipt
}

// readGroup checks the receipts of a group play: as many as its version allows, of players who exist, their parts those of its stake.
func (b *drawCheck) readGroup(book *rulebook.Rulebook, r *Play) error {
	if r.Kind != KindGroup {
		return nil // receipts of it would be left
	}
	if r.Shares < groupMin || r.Shares > int64(book.Sale.GroupMax) {
		return fmt.Errorf("%d receipts, accepted %d to %d", r.Shares, groupMin, book.Sale.GroupMax)
	}
	if len(b.addOns[r.ID]) > 0 {
		return fmt.Errorf("games are added to a group play")
	}
	receipts, err := b.groups.take(r)
	if err != nil {
		return err
	}
	if receipts[0].Player != r.Player {
		return fmt.Errorf("its first receipt is player %d's, it was registered by player %d", receipts[0].Player, r.Player)
	}
	for _, receipt := range receipts {
		if b.players[receipt.Player] == nil {
			return fmt.Errorf("receipt %d belongs to player %d, who does not exist", receipt.N, receipt.Player)
		}
		if want := receiptPart(r.Stake, r.Shares, receipt.N); receipt.Cents != want {
			return fmt.Errorf("receipt %d was paid %v, its part of %v is %v", receipt.N, receipt.Cents, r.Stake, want)
		}
	}
	b.played[r.ID] = groupBooks{r, receipts}
	return nil
}

// checkGroups compares the groups of a draw with the plays as which they were registered: each group play is one group's, its receipts those of
// organiser and members.
func (b *drawCheck) checkGroups() error {
	err := b.snap.Scan(b.ctx, Range{From: groupKey(b.draw.ID, 0), Prefix: 1}, func(r Row) error {
		g := r.(*Group)
		if err := b.checkGroup(g); err != nil {
			return fmt.Errorf("group %v: %w", ID(g.ID), err)
		}
		delete(b.played, g.Play)
		return nil
	})
	for id := range b.played {
		if err == nil {
			err = fmt.Errorf("play %s is no group's", PlayID(id))
		}
	}
	return err
}

func (b *drawCheck) checkGroup(g *Group) error {
	members, err := g.members()
	if err != nil {
		return err
	}
	if left(g.Receipts, members) < 1 {
		return fmt.Errorf("its members hold all of %d receipts", g.Receipts)
	}
	if g.Play == 0 {
		return nil
	}
	of, ok := b.played[g.Play]
	if !ok || of.play.Player != g.Player || of.play.Stake != g.Stake || of.play.Channel != g.Channel {
		return fmt.Errorf("it is registered as play %s, which is not its own", PlayID(g.Play))
	}
	if !reflect.DeepEqual(of.receipts, g.holders(members)) {
		return fmt.Errorf("the receipts of play %s are not those of its members", PlayID(g.Play))
	}
	return nil
}
