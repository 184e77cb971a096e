package central

import "fmt"

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
