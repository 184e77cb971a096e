package central

import (
	"errors"
	"fmt"

	"tirage/fairness"
)

// Random fills b with random bytes that nobody could predict. They belong to the call: however often its command is planned, for lack of a row
// or because the database gave the batch up, it gets the same bytes, so that Plan stays a function of the view, the clock and these
// bytes. They stand in no leaf; what a command makes of them is written, sealed where it is secret.
func (p *Plan) Random(b []byte) error {
	if missing := p.drawn + len(b) - len(p.call.random); missing > 0 {
		fresh := make([]byte, missing)
		if _, err := p.reg.cfg.Entropy.Read(fresh); err != nil {
			return fmt.Errorf("entropy: %w", err)
		}
		p.call.random = append(p.call.random, fresh...)
	}
	p.drawn += copy(b, p.call.random[p.drawn:])
	return nil
}

// commit makes the secret of the round's next series and the commitment to it: the series before is stored in the same transaction, so nothing of what
// is to come was drawn while the player could still decide about it (Art. donuts@2019-06-25:3.2.2).
func (p *Plan) commit(r *Round) error {
	var secret fairness.Secret
	var nonce [12]byte // random: a number of the leaf would come again after a restored backup
	if err := errors.Join(p.Random(secret[:]), p.Random(nonce[:])); err != nil {
		return err
	}
	of := r.ID.series(r.Step + 1)
	commitment := of.Commit(secret)
	r.Secret, r.Commitment = p.reg.cfg.Sealer.Seal(secret[:], nonce[:], sealContext(of)), commitment[:]
	return nil
}

// openSecret opens the sealed secret of the round's next series.
func (p *Plan) openSecret(r *Round) (fairness.Secret, error) {
	of := r.ID.series(r.Step + 1)
	b, err := p.reg.cfg.Sealer.Open(r.Secret, sealContext(of))
	if err == nil && (len(b) != len(fairness.Secret{}) || len(r.Commitment) != 32 || !of.CheckCommit([32]byte(r.Commitment), fairness.Secret(b))) {
		err = errors.New("it is not the one that was committed to")
	}
	if err != nil {
		return fairness.Secret{}, fmt.Errorf("secret of series %d of round %v cannot be used: is it the same key? %w", of.N, r.ID, err)
	}
	return fairness.Secret(b), nil
}

// sealContext binds a sealed secret to its series.
func sealContext(of fairness.LadderSeries) string { return fmt.Sprintf("ladder/%x/%d", of.Round, of.N) }
