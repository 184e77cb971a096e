package central

import (
	"context"
	"crypto/sha256"
	"fmt"
	"time"

	"tirage/logbook"
	"tirage/rules/drawing"
)

// Moment is a step in the life of a draw that has been made: when, and by which leaf of the log. Those of the draw room have no leaf here: their
// authors are members of the staff.
type Moment struct {
	Step  string    `json:"step"`
	At    time.Time `json:"at"`
	Leaf  string    `json:"leaf,omitempty"` // "0-12"
	Node  int64     `json:"-"`
	Index int64     `json:"-"`
}

// Steps of [ReadStory], in the order of a draw's life.
const (
	StepOpened    = "opened"
	StepClosed    = "closed"
	StepSealed    = "sealed"
	StepBalanced  = "balanced"
	StepGenerated = "generated" // where no balls were drawn
	StepTyped     = "typed"     // once for each of the two entries
	StepSigned    = "signed"
	StepRecorded  = "recorded"
	StepCounted   = "counted"
	StepApproved  = "approved"
	StepPaid      = "paid"
	StepPublished = "published"
)

// ReadStory tells the life of a published draw, as far as its log says it: steps of which no record is found are left out. A leaf is found by the key
// under which its command was done, which names the step.
func ReadStory(ctx context.Context, snap Snapshot, draw string) (list []Moment, err error) {
	d, err := readDraw(ctx, snap, draw)
	if err != nil {
		return nil, err
	}
	if d.State != string(drawing.Published) {
		return nil, refuse(NotFound, "draw.unpublished", "draw", "the result of draw %s is not published", draw)
	}
	s := &story{ctx: ctx, snap: snap, draw: d}
	s.leaf(StepOpened, OpenDraw{}.Kind(), "open/"+d.ID)
	s.leaf(StepClosed, CloseDraw{}.Kind(), "close/"+d.ID)
	s.leaf(StepSealed, SealDraw{}.Kind(), "seal/"+d.ID)
	s.agreed(StepBalanced, BalanceDraw{}.Kind(), "balance/"+d.ID, docKey(d.ID, DocSales, 0))
	s.generated()
	s.room()
	s.leaf(StepRecorded, RecordResult{}.Kind(), fmt.Sprintf("result/%s/%d", d.ID, d.Version))
	s.agreed(StepCounted, CountDraw{}.Kind(), fmt.Sprintf("count/%s/%d", d.ID, d.Version), docKey(d.ID, DocCount, d.Version), docKey(d.ID, DocControl, d.Version))
	s.leaf(StepApproved, ApproveDraw{}.Kind(), fmt.Sprintf("approve/%s/%d", d.ID, d.Version))
	s.leaf(StepPaid, (*CreditSlice)(nil).Kind(), fmt.Sprintf("credit/%s/%d/%d", d.ID, d.Version, d.Slices-1))
	s.leaf(StepPublished, PublishDraw{}.Kind(), fmt.Sprintf("publish/%s/%d", d.ID, d.Version))
	return s.list, s.err
}

// story gathers moments; after an error it gathers nothing more.
type story struct {
	ctx  context.Context
	snap Snapshot
	draw *Draw
	list []Moment
	err  error
}

// leaf adds the moment of the command of a kind that was done under a key. Anybody may use any key for commands of their own: the kind tells them apart.
func (s *story) leaf(step, kind, key string) {
	if s.err != nil {
		return
	}
	var rows []*KeyRow
	s.err = s.snap.Scan(s.ctx, Range{From: Key{Table: Keys, S: key}, Prefix: 1}, func(r Row) error {
		rows = append(rows, r.(*KeyRow))
		return nil
	})
	for _, k := range rows {
		if s.err != nil {
			return
		}
		var head *logbook.Leaf
		if head, s.err = s.head(k.Node, k.Index); head != nil && head.Kind == kind {
			s.list = append(s.list, Moment{Step: step, At: utc(head.At), Leaf: PlayID(k.Node<<48 | (k.Index + 1)), Node: k.Node, Index: k.Index})
			return
		}
	}
}

func (s *story) head(node, index int64) (*logbook.Leaf, error) {
	row, err := s.snap.Get(s.ctx, Key{Table: Leaves, N: node, M: index})
	if row == nil || err != nil {
		return nil, err
	}
	return logbook.ParseHead(row.(*LeafRow).Body)
}

// agreed adds the moment at which two counts were found equal: its key names their papers, as [Operator.agree] writes it.
func (s *story) agreed(step, kind, key string, papers ...Key) {
	if s.err != nil {
		return
	}
	h := sha256.New()
	for _, k := range papers {
		row, err := s.snap.Get(s.ctx, k)
		if row == nil || err != nil {
			s.err = err
			return
		}
		body := row.(*Doc).Body
		fmt.Fprintf(h, "%d %s", len(body), body)
	}
	s.leaf(step, kind, fmt.Sprintf("%s/%x", key, h.Sum(nil)[:8]))
}

// generated adds when the generator drew the numbers.
func (s *story) generated() {
	if s.err != nil {
		return
	}
	row, err := s.snap.Get(s.ctx, generatorKey(s.draw.ID))
	if g, ok := row.(*Generator); ok && g.Numbers != "" {
		s.list = append(s.list, Moment{Step: StepGenerated, At: utc(g.DrawnAt)})
	}
	s.err = err
}

// room adds when the result was typed, twice and equal, and when it was signed.
func (s *story) room() {
	if s.err != nil {
		return
	}
	row, err := s.snap.Get(s.ctx, roomKey(s.draw.ID))
	r, _ := row.(*Room)
	if r == nil || err != nil || !r.signed(s.draw.Version) {
		s.err = err
		return
	}
	for i := range r.Entries {
		entry, err := s.snap.Get(s.ctx, entryKey(r.Draw, r.Version, 2*r.Round-1+i))
		if entry == nil || err != nil {
			s.err = err
			return
		}
		s.list = append(s.list, Moment{Step: StepTyped, At: utc(entry.(*RoomEntry).At)})
	}
	s.list = append(s.list, Moment{Step: StepSigned, At: utc(r.SignedAt)})
}
