package tower

import (
	"tirage/central"
	"tirage/web/kit"
	"tirage/web/practice"
)

// Practice plays with the same engine, the same chances and the same proofs, and no money. A round is named by its address and lives half an hour.

func (t *tower) practicePage(v *kit.Visit) error {
	s, err := t.practiceIdle(v)
	if err != nil {
		return err
	}
	if name := v.Form("round"); name != "" {
		switch r, err := t.room.Read(Game, name); {
		case err != nil:
			s.note = v.Said(kit.Refused(err))
			v.Status(statusOf(central.NotFound))
		default:
			s.play = ofPractice(r)
		}
	}
	return s.show()
}

// practiceIdle is the state without a round.
func (t *tower) practiceIdle(v *kit.Visit) (*scene, error) {
	s := &scene{Visit: v, after: Path + "/practice", offer: &central.Offer{Game: Game}}
	p, err := idle(s)
	if err != nil {
		return nil, err
	}
	p.practice, p.phase = true, phaseReady
	s.play = p
	return s, nil
}

func (t *tower) practiceStart(v *kit.Visit) error {
	if v.Form("device") == "" {
		return t.practiceAnswer(v, nil, errScripts)
	}
	r, err := t.room.Start(Game)
	return t.practiceAnswer(v, r, err)
}

func (t *tower) practiceSeries(v *kit.Visit) error {
	step, err := stepOf(v)
	if err != nil {
		return t.practiceAnswer(v, nil, err)
	}
	c, err := contribution(v)
	if err != nil {
		return t.practiceAnswer(v, nil, err)
	}
	r, err := t.room.Series(Game, v.Form("round"), step, c)
	return t.practiceAnswer(v, r, err)
}

func (t *tower) practiceStop(v *kit.Visit) error {
	step, err := stepOf(v)
	if err != nil {
		return t.practiceAnswer(v, nil, err)
	}
	r, err := t.room.Stop(Game, v.Form("round"), step)
	return t.practiceAnswer(v, r, err)
}

// practiceAnswer shows how a practice round stands after an action.
func (t *tower) practiceAnswer(v *kit.Visit, r *practice.Round, err error) error {
	refusal := kit.Refused(err)
	if err != nil && refusal == nil {
		return err
	}
	s, err := t.practiceIdle(v)
	if err != nil {
		return err
	}
	if refusal != nil {
		s.note = v.Said(refusal)
		v.Status(statusOf(refusal.Code))
		if r, _ = t.room.Read(Game, v.Form("round")); r != nil {
			s.play = ofPractice(r)
		}
		s.after = s.path()
		return s.show()
	}
	s.play = ofPractice(r)
	s.after = s.path()
	if !v.Fragment() {
		return v.Go(s.after)
	}
	if n := len(s.series); n > 0 && v.R.URL.Path == Path+"/practice/series" {
		s.drop = s.dropOf(n - 1)
	}
	return s.show()
}
