package site

import (
	"testing"

	"tirage/central"
	"tirage/rules/money"
)

// A gain is divided and rounded first, then multiplied by what the player holds: shares of a pack, receipts of a group play, or the whole of a play of one's own.
func TestPartsOfAGain(t *testing.T) {
	for name, c := range map[string]struct {
		play        central.PlayRecord
		part, total money.Cents
	}{
		"own":   {central.PlayRecord{}, 2090, 6270},
		"pack":  {central.PlayRecord{Pack: "600/0", Shares: 2, PackShares: 200}, 10, 60},
		"group": {central.PlayRecord{Receipts: []int64{2, 3, 4}, OfReceipts: 4}, 523, 4707},
	} {
		r := &receipt{PlayRecord: &c.play}
		r.add("three numbers", 3, 2090)
		if w := r.Wins[0]; w.Part != c.part || w.Total != c.total {
			t.Errorf("%s: %v a part, %v in all, want %v and %v", name, w.Part, w.Total, c.part, c.total)
		}
	}
}
