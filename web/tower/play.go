package tower

import (
	"math/big"
	"sync"
	"time"

	"tirage/central"
	"tirage/fairness/replay"
	"tirage/games"
	"tirage/rules/ladder"
	"tirage/rules/money"
	"tirage/rules/rulebook"
	"tirage/web/practice"
)

// phase is where a player stands at the game.
type phase string

const (
	phaseOff      phase = "off"      // the game is not on sale: a message says why
	phaseVisitor  phase = "visitor"  // nobody is logged in
	phaseReady    phase = "ready"    // no round is open
	phaseStarted  phase = "started"  // paid, « Go » comes next
	phaseChoice   phase = "choice"   // a level is passed, the player decides
	phaseWon      phase = "won"      // over, with a gain
	phaseLost     phase = "lost"     // over, the tower fell
	phaseRefunded phase = "refunded" // over, never started
	phaseBlocked  phase = "blocked"  // the operator looks into it
)

// play is a round as its player sees it, paid for or for practice.
type play struct {
	practice bool
	id       string // in forms and paths, "" where no round is
	phase    phase
	rules    *rules
	state    ladder.State
	step     int64
	stake    money.Cents
	gain     money.Cents // paid
	endedBy  string
	series   []replay.Series
	promise  []byte // commitment to the secret of the next series
	due      time.Time
	started  time.Time
	ahead    []*big.Rat // what means returns, once it was asked for
}

// rules is a version of the game with what each page shows of it.
type rules struct {
	book    *rulebook.Rulebook
	table   *ladder.Table
	odds    []ladder.Odds
	outlook *ladder.Outlook
	version string
}

// known keeps the rules by version: rulebooks never change.
var known sync.Map // string → *rules

func rulesOf(book *rulebook.Rulebook) *rules {
	version := book.Header.Version()
	if r, ok := known.Load(version); ok {
		return r.(*rules)
	}
	r, _ := known.LoadOrStore(version, &rules{book: book, table: book.Ladder, odds: book.Ladder.Odds(), outlook: book.Ladder.Outlook(), version: version})
	return r.(*rules)
}

func rulesUnder(version string) (*rules, error) {
	book, err := games.Version(version)
	if err != nil {
		return nil, err
	}
	return rulesOf(book), nil
}

// items is how many donuts are on the pile when a level is passed; 0 at the foot.
func (r *rules) items(level int) int {
	if level == 0 {
		return 0
	}
	return r.odds[level-1].Items
}

// multiplier is what the gauge shows with so many stars.
func (r *rules) multiplier(stars int) ladder.Ratio {
	if gauge := r.table.Rules().Gauge; len(gauge) > 0 {
		return gauge[stars]
	}
	return ladder.Certain
}

// stars is how many the gauge holds.
func (r *rules) stars() int { return max(0, len(r.table.Rules().Gauge)-1) }

// ofRound is a round of the store, with its series in order.
func ofRound(row *central.Round, file *replay.Round) (*play, error) {
	r, err := rulesUnder(file.Rules)
	if err != nil {
		return nil, err
	}
	p := &play{
		id: row.ID.String(), rules: r, step: row.Step, stake: row.Stake, gain: row.Gain, endedBy: row.EndedBy, series: file.Series, promise: row.Commitment,
		due: time.UnixMicro(row.Due), started: time.UnixMicro(row.Started),
		state: ladder.State{Level: int(row.Step), Sum: row.Sum, Stars: int(row.Stars), Collapsed: file.State == replay.Lost},
	}
	switch file.State {
	case replay.Lost:
		p.phase, p.state.Level = phaseLost, p.state.Level-1
	case replay.Won:
		p.phase = phaseWon
	case replay.Refunded:
		p.phase = phaseRefunded
	case replay.Blocked:
		p.phase = phaseBlocked
	default:
		p.phase = openPhase(row.Step)
	}
	return p, nil
}

func openPhase(step int64) phase {
	if step == 0 {
		return phaseStarted
	}
	return phaseChoice
}

// ofPractice is a round without money.
func ofPractice(r *practice.Round) *play {
	p := &play{
		practice: true, id: r.Name, rules: rulesOf(r.Book), step: r.Step, stake: r.Book.Sale.Price, series: r.Series, promise: r.Commitment[:], state: r.State,
	}
	switch {
	case r.State.Collapsed:
		p.phase, p.endedBy = phaseLost, central.EndedByCollapse
	case r.Over:
		p.phase, p.gain, p.endedBy = phaseWon, p.rules.table.Gain(r.State), central.EndedByPlayer
		if p.rules.table.Ended(r.State) {
			p.endedBy = central.EndedByTop
		}
	default:
		p.phase = openPhase(r.Step)
	}
	return p
}

func (p *play) open() bool { return p.phase == phaseStarted || p.phase == phaseChoice }

// over reports whether the round has ended.
func (p *play) over() bool {
	return p.phase == phaseWon || p.phase == phaseLost || p.phase == phaseRefunded
}

// sure is what « J'arrête » pays now.
func (p *play) sure() money.Cents { return p.rules.table.Gain(p.state) }

// pass is the chance to pass the next level.
func (p *play) pass() *big.Rat { return p.rules.odds[p.state.Level].Pass }

// standing returns the state after each level passed, from the first on.
func (p *play) standing() []ladder.State {
	var states []ladder.State
	var s ladder.State
	for _, series := range p.series {
		for _, it := range series.Items {
			s.Sum += it.Value
			if it.Star {
				s.Stars = min(s.Stars+1, p.rules.stars())
			}
			if !it.Stable {
				return states
			}
		}
		s.Level++
		states = append(states, s)
	}
	return states
}

// fallen is how many donuts have come down: those of all levels passed and, where the tower fell, up to the one that did not hold
// (Art. donuts@2019-06-25:3.1.1).
func (p *play) fallen() int { return len(p.pile()) }

// pile lists the donuts that came down, from the first on. Those that were drawn above one that did not hold are left out: what might have been is
// not shown.
func (p *play) pile() []donut {
	pile := []donut{} // for scripts, which know no list that is null
	for _, s := range p.series {
		for _, it := range s.Items {
			pile = append(pile, p.donut(it, len(pile)))
			if !it.Stable {
				return pile
			}
		}
	}
	return pile
}

// fell returns the place of the first item of a series that does not hold, from 0, or −1.
func fell(s *replay.Series) int {
	for i, it := range s.Items {
		if !it.Stable {
			return i
		}
	}
	return -1
}

// donut is one donut as the scene draws it.
type donut struct {
	Flavour string `json:"flavour"`
	Star    bool   `json:"star"`

	kind  string
	value money.Cents
	holds bool
}

// flavours of each kind of donut: the looks are ours, and tell the kind. The base donut is of no kind.
var flavours = map[string][]string{
	"":       {"sucre"},
	"plain":  {"framboise", "chocolat", "vanille", "coco", "cafe"},
	"glazed": {"pistache", "myrtille", "menthe", "citron"},
	"golden": {"caramel", "miel"},
}

// donut gives an item its look, which depends on the round and its place alone: it is the same on every device, and when it is shown again.
func (p *play) donut(it replay.Item, place int) donut {
	looks := flavours[it.Kind]
	if len(looks) == 0 {
		looks = flavours["plain"]
	}
	n := place * 7
	for _, c := range p.id {
		n = n*31 + int(c)
	}
	return donut{Flavour: looks[uint(n/3)%uint(len(looks))], Star: it.Star, kind: it.Kind, value: it.Value, holds: it.Stable}
}
