package central

import (
	"fmt"
	"strings"
)

// checkRooms verifies that every result of a draw with a room is what two people typed alike, and that who signed is neither of them.
func (b *books) checkRooms() error {
	return b.scan(Rooms, func(row Row) error {
		r := row.(*Room)
		if err := b.checkRoom(r); err != nil {
			return fmt.Errorf("draw room of %s: %w", r.Draw, err)
		}
		return nil
	})
}

func (b *books) checkRoom(r *Room) error {
	d, err := readDraw(b.ctx, b.snap, r.Draw)
	if err != nil {
		return err
	}
	last := map[int64][2]*RoomEntry{} // by version: the two that were sealed last
	err = b.snap.Scan(b.ctx, Range{From: Key{Table: EntryRows, S: r.Draw}, Prefix: 1}, func(row Row) error {
		e := row.(*RoomEntry)
		if !r.typed(e.Enterer) {
			return fmt.Errorf("%s typed a result and is not remembered", e.Enterer)
		}
		last[e.Version] = [2]*RoomEntry{last[e.Version][1], e}
		return nil
	})
	switch {
	case err != nil:
		return err
	case r.Version != d.Version+1 && r.Version != d.Version:
		return fmt.Errorf("version %d is made, the draw has version %d", r.Version, d.Version)
	case r.Entries < 0 || r.Entries > 2 || r.Round < 1:
		return fmt.Errorf("%d entries in round %d", r.Entries, r.Round)
	case r.Signer != "" && (r.typed(r.Signer) || r.Entries != 2 || r.Program == "" && r.Checker == ""):
		return fmt.Errorf("%s signed version %d with %d entries, typed by %s", r.Signer, r.Version, r.Entries, r.Hands)
	}
	for version := int64(1); version <= d.Version; version++ {
		if err := b.checkEntered(d, version, last[version]); err != nil {
			return fmt.Errorf("version %d: %w", version, err)
		}
	}
	return nil
}

// checkEntered compares a recorded result with the last two entries of its version.
func (b *books) checkEntered(d *Draw, version int64, pair [2]*RoomEntry) error {
	result, err := readDoc[Result](b.ctx, b.snap, d.ID, DocResult, version)
	if err != nil {
		return err
	}
	out, err := readDoc[Outside](b.ctx, b.snap, d.ID, DocOutside, version)
	if err != nil {
		return err
	}
	if pair[0] == nil || pair[0].Enterer == pair[1].Enterer || pair[0].Body != pair[1].Body {
		return fmt.Errorf("it was not typed alike by two people")
	}
	entry, err := ReadEntry(pair[1].Body)
	if err != nil {
		return err
	}
	wantResult, wantOut := entry.papers(d.ID, version)
	wantResult.Late, wantResult.Claims = result.Late, result.Claims
	if !sameJSON(result, wantResult) || !sameJSON(out, wantOut) {
		return fmt.Errorf("it is not what was typed: %s", strings.TrimSpace(pair[1].Body))
	}
	return nil
}
