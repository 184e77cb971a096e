package central

import (
	"context"

	"tirage/rules/money"
	"tirage/rules/pack"
)

// Unsold says what is unsold of the packs of a type, beside what would be unsold if somebody had known all orders beforehand.
type Unsold struct {
	Type     string          `json:"type"`
	Shares   int64           `json:"shares"` // of one pack
	Orders   map[int64]int64 `json:"orders"` // accepted, by their number of shares
	Packs    int64           `json:"packs"`
	Sold     int64           `json:"sold"`   // shares
	Unsold   int64           `json:"unsold"` // shares
	Stake    money.Cents     `json:"unsold_cents"`
	Best     UnsoldBest      `json:"best"`
	MaxPacks int64           `json:"max_packs"`
}

// UnsoldBest is the best possible for the same orders. Where it is not known exactly it lies between two numbers of packs, see [pack.Fewest].
type UnsoldBest struct {
	Packs  int64 `json:"packs"`
	Unsold int64 `json:"unsold"`
	AtMost int64 `json:"packs_at_most"`
}

// ReadUnsold reports on each pack type of a draw, in the order of their names. It reads all plays of the draw.
func ReadUnsold(ctx context.Context, snap Snapshot, draw string) ([]Unsold, error) {
	if _, err := readDraw(ctx, snap, draw); err != nil {
		return nil, err
	}
	var list []Unsold
	places := map[string]int{}
	err := snap.Scan(ctx, Range{From: Key{Table: PackTypes, S: draw}, Prefix: 1}, func(r Row) error {
		t := r.(*PackType)
		places[t.Type] = len(list)
		unsold := t.Opened*t.Shares - t.Sold
		list = append(list, Unsold{
			Type: t.Type, Shares: t.Shares, Orders: map[int64]int64{}, Packs: t.Opened, Sold: t.Sold, Unsold: unsold,
			Stake: money.Mul(t.SharePrice, unsold), MaxPacks: t.MaxPacks,
		})
		return nil
	})
	if err != nil {
		return nil, err
	}
	only := []string{"draw", "id", "pack_type", "shares"}
	err = snap.Scan(ctx, Range{From: Key{Table: Plays, S: draw}, Prefix: 1, Only: only}, func(r Row) error {
		if p := r.(*Play); p.PackType != "" {
			list[places[p.PackType]].Orders[p.Shares]++
		}
		return nil
	})
	for i := range list {
		u := &list[i]
		u.Best.Packs, u.Best.AtMost = pack.Fewest(u.Shares, u.Orders)
		u.Best.Unsold = u.Best.Packs*u.Shares - u.Sold
	}
	return list, err
}
