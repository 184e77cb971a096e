package tower

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"

	"tirage/central"
	"tirage/fairness"
	"tirage/web/kit"
)

// scene is the view of a visit: where the player stands, and what a script needs to show how it came there.
type scene struct {
	*kit.Visit
	*play
	offer *central.Offer
	wait  int64  // seconds until another round may start
	note  string // a refusal in words, "" for none
	drop  *drop  // the series that was just drawn
	after string // path of this state, for the address bar
}

// drop is a series that comes down.
type drop struct {
	Items []donut `json:"items"`
	Fell  int     `json:"fell"` // place of the first that does not hold, −1 when all do
}

// page shows the game: the open round, a past one that the address names, or the start.
func (t *tower) page(v *kit.Visit) error {
	s, err := t.now(v)
	if err != nil {
		return err
	}
	if name := v.Form("round"); name != "" && v.Caller.Player != 0 && !s.open() {
		p, err := t.read(v, name)
		if err != nil {
			return err
		}
		if p.over() {
			s.play = p
		}
	}
	return s.show()
}

// now reads where the player stands.
func (t *tower) now(v *kit.Visit) (*scene, error) {
	s := &scene{Visit: v, after: Path}
	var id central.RoundID
	err := v.View(func(snap central.Snapshot) error {
		var err error
		if s.offer, err = central.ReadOffer(v.Context(), snap, Game, v.Now); err != nil || v.Caller.Player == 0 {
			return err
		}
		seat, err := kit.Get[*central.Seat](v.Context(), snap, central.Key{Table: central.Seats, S: Game, N: v.Caller.Player})
		if err != nil || seat == nil {
			return err
		}
		id = seat.Open
		s.wait, err = s.floor(seat)
		return err
	})
	if err != nil {
		return nil, err
	}
	if id != 0 {
		s.play, err = t.read(v, id.String())
		return s, err
	}
	s.play, err = idle(s)
	return s, err
}

// floor returns how many seconds must pass before the player may start another round.
func (s *scene) floor(seat *central.Seat) (int64, error) {
	if s.offer.Rules == "" {
		return 0, nil
	}
	r, err := rulesUnder(s.offer.Rules)
	if err != nil {
		return 0, err
	}
	const second = 1_000_000
	left := seat.Started + r.book.Rounds.FloorSeconds*second - s.Now.UnixMicro()
	return max(0, (left+second-1)/second), nil
}

// idle is the state in which no round is open. Where the game is not on sale, the message to the players stands in the place of the button.
// Art. donuts@2019-06-25:1, Art. donuts@2019-06-25:annex.1 (players are told by a message on the sites).
func idle(s *scene) (*play, error) {
	version := s.offer.Rules
	if version == "" {
		version = firstVersion
	}
	r, err := rulesUnder(version)
	if err != nil {
		return nil, err
	}
	p := &play{rules: r, phase: phaseReady, stake: r.book.Sale.Price}
	switch {
	case !s.offer.OnSale:
		p.phase = phaseOff
	case s.Caller.Player == 0:
		p.phase = phaseVisitor
	}
	return p, nil
}

// firstVersion is shown before the day of effect.
const firstVersion = "donuts@2019-06-25"

// read returns a round of the player.
func (t *tower) read(v *kit.Visit, name string) (*play, error) {
	var id central.RoundID
	if err := id.UnmarshalText([]byte(name)); err != nil {
		return nil, unknownRound
	}
	var p *play
	err := v.View(func(snap central.Snapshot) error {
		file, err := central.ExportRound(v.Context(), snap, Game, v.Caller.Player, id)
		if err != nil {
			return err
		}
		row, err := kit.Get[*central.Round](v.Context(), snap, central.Key{Table: central.Rounds, S: Game, N: int64(id)})
		if err == nil {
			p, err = ofRound(row, file)
		}
		return err
	})
	return p, err
}

var unknownRound = &central.Refusal{
	Code: central.NotFound, Reason: "round.unknown", Field: "round", Text: "There is no such round.", French: "Cette partie n’existe pas.",
}

// errScripts refuses what a device without scripts asks for: it could not add its part to a draw.
var errScripts = &central.Refusal{
	Code: central.Invalid, Reason: "form.scripts", Field: "contribution", Text: "This game needs scripts: your device adds its own chance to every draw. Nothing was debited, nothing was drawn.",
	French: "Ce jeu a besoin des scripts\u00a0: votre appareil ajoute sa part de hasard à chaque tirage. Rien n’est débité, rien n’est tiré.",
}

// start is « Jouez 0,50 € ».
// Art. donuts@2019-06-25:annex.2 (« Jouez 0,50 € »: the stake is debited from the available balance).
func (t *tower) start(v *kit.Visit) error {
	if v.Form("device") == "" {
		return t.refused(v, errScripts)
	}
	a, err := t.do(v, central.StartRound{Player: v.Caller.Player, Game: Game})
	return t.answer(v, a, err)
}

// series is « Go » or « Je continue ».
func (t *tower) series(v *kit.Visit) error {
	id, step, err := action(v)
	if err != nil {
		return t.refused(v, err)
	}
	contribution, err := contribution(v)
	if err != nil {
		return t.refused(v, err)
	}
	a, err := t.do(v, central.PlaySeries{Player: v.Caller.Player, Game: Game, Round: id, Step: step, Contribution: contribution})
	return t.answer(v, a, err)
}

// stop is « J'arrête ».
// Art. donuts@2019-06-25:3.2.4.a.
func (t *tower) stop(v *kit.Visit) error {
	id, step, err := action(v)
	if err != nil {
		return t.refused(v, err)
	}
	a, err := t.do(v, central.StopRound{Player: v.Caller.Player, Game: Game, Round: id, Step: step})
	return t.answer(v, a, err)
}

// action reads which round a form is about, and the step that its player saw.
func action(v *kit.Visit) (id central.RoundID, step int64, err error) {
	if id.UnmarshalText([]byte(v.Form("round"))) != nil {
		return 0, 0, unknownRound
	}
	step, err = stepOf(v)
	return id, step, err
}

func stepOf(v *kit.Visit) (int64, error) {
	step, err := strconv.ParseInt(v.Form("step"), 10, 32)
	if err != nil {
		return 0, &central.Refusal{
			Code: central.Invalid, Reason: "form.step", Field: "step", Text: "The form is incomplete: open its page again. Nothing was done.",
			French: "Le formulaire est incomplet\u00a0: rouvrez sa page. Rien n’a été fait.",
		}
	}
	return step, nil
}

// contribution reads the 16 fresh bytes of the device.
func contribution(v *kit.Visit) ([]byte, error) {
	text := v.Form("contribution")
	if text == "" {
		return nil, errScripts
	}
	b, err := hex.DecodeString(text)
	if err != nil || len(b) != len(fairness.Contribution{}) {
		return nil, &central.Refusal{
			Code: central.Invalid, Reason: "round.contribution", Field: "contribution", Text: "The contribution of your device has 16 bytes, in hexadecimal. Nothing was drawn.",
			French: "La contribution de votre appareil compte 16 octets, en hexadécimal. Rien n’est tiré.",
		}
	}
	return b, nil
}

// keyMax bounds the key of a request.
const keyMax = 64

// do does an action through the croupier, who blocks a round that can't be right.
func (t *tower) do(v *kit.Visit, c central.Command) (*central.RoundAnswer, error) {
	key := v.Form("key")
	if key == "" || len(key) > keyMax {
		return nil, errKey
	}
	receipt, err := t.ui.Host.Croupier.Do(v.Context(), central.Request{Principal: v.Caller.Principal, Key: key, Command: c})
	if err != nil {
		return nil, err
	}
	a := &central.RoundAnswer{}
	if err := json.Unmarshal(receipt.Result, a); err != nil {
		return nil, fmt.Errorf("result of %s: %w", c.Kind(), err)
	}
	return a, nil
}

var errKey = &central.Refusal{
	Code: central.Invalid, Reason: "form.key", Field: "key", Text: "The form is incomplete: open its page again. Nothing was done.",
	French: "Le formulaire est incomplet\u00a0: rouvrez sa page. Rien n’a été fait.",
}

// answer shows how a round stands after an action: to a script the parts that changed, to a form the page.
func (t *tower) answer(v *kit.Visit, a *central.RoundAnswer, err error) error {
	if err != nil {
		return t.refused(v, err)
	}
	if err := v.Reload(); err != nil {
		return err
	}
	s, err := t.now(v)
	if err != nil {
		return err
	}
	if s.play, err = t.read(v, a.Round.Round.String()); err != nil {
		return err
	}
	s.after = s.path()
	if !v.Fragment() {
		return v.Go(s.after)
	}
	// The answer to a request that was sent again tells of its own series, unless the round has gone on since.
	if last := len(s.series); last > 0 && v.R.URL.Path == Path+"/series" && int64(last) == a.Round.Step {
		s.drop = s.dropOf(last - 1)
	}
	return s.show()
}

// path is the address under which a state is found again.
func (s *scene) path() string {
	switch {
	case s.practice && s.id != "":
		return Path + "/practice?round=" + s.id
	case s.practice:
		return Path + "/practice"
	case s.over():
		return Path + "?round=" + s.id
	}
	return Path
}

// dropOf is the series with this index as it comes down.
func (p *play) dropOf(i int) *drop {
	before := 0
	for k := range i {
		before += len(p.series[k].Items)
	}
	d := &drop{Fell: fell(&p.series[i])}
	for k, it := range p.series[i].Items {
		d.Items = append(d.Items, p.donut(it, before+k))
		if !it.Stable {
			break
		}
	}
	return d
}

// refused shows what stands, with the reason why the action was not done.
func (t *tower) refused(v *kit.Visit, err error) error {
	refusal := kit.Refused(err)
	if refusal == nil || refusal.Reason == central.NoSession().Reason {
		return err
	}
	if refusal.Reason == "check.open" {
		return v.Go(Path) // whose page opens with the reality check
	}
	s, err := t.now(v)
	if err != nil {
		return err
	}
	s.note = v.Said(refusal)
	if a, ok := refusal.Current.(*central.RoundAnswer); ok && !s.open() {
		if s.play, err = t.read(v, a.Round.Round.String()); err != nil {
			return err
		}
		s.after = s.path()
	}
	v.Status(statusOf(refusal.Code))
	return s.show()
}
