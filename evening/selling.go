package evening

import (
	"fmt"
	"slices"

	"tirage/central"
	"tirage/games"
	"tirage/rules/money"
	"tirage/rules/pack"
)

// act adds a line of the sales, at the instant where the clock stands: that of the opening until the first "at".
func (p *parser) act(a Act) error {
	if p.clock.IsZero() {
		p.clock = p.s.Opens
	}
	a.Line, a.Text, a.At = p.number, p.text, p.clock
	p.s.Acts = append(p.s.Acts, a)
	return nil
}

func (p *parser) at(args []string) error {
	if len(args) != 2 {
		return errForm
	}
	t, err := games.ParseTime(args[0], args[1])
	if err != nil {
		return err
	}
	if from := max(p.clock.UnixMicro(), p.s.Opens.UnixMicro()); t.UnixMicro() < from {
		return fmt.Errorf("%s %s lies before where the clock stands; accepted: from the opening on, and never back", args[0], args[1])
	}
	p.clock = t
	return p.act(Act{})
}

func (p *parser) player(args []string) error {
	if len(args) < 1 {
		return errForm
	}
	return p.accountsOf(args[0], args[0:1], args[1:])
}

// players reads a crowd: the accounts NAME-1 to NAME-N, which act as one under NAME.
func (p *parser) players(args []string) error {
	if len(args) < 2 {
		return errForm
	}
	n, err := count(args[:1], "players", maxPlayers)
	if err != nil {
		return err
	}
	who := make([]string, n)
	for i := range who {
		who[i] = fmt.Sprintf("%s-%d", args[1], i+1)
	}
	return p.accountsOf(args[1], who, args[2:])
}

func (p *parser) accountsOf(as string, who, deposit []string) error {
	if err := name(as); err != nil {
		return err
	}
	for _, n := range append([]string{as}, who...) {
		if _, known := p.who[n]; known {
			return fmt.Errorf("name %q is taken; accepted: another one", n)
		}
	}
	if p.accounts += len(who); p.accounts > maxPlayers {
		return fmt.Errorf("%d accounts; accepted: at most %d", p.accounts, maxPlayers)
	}
	a := Act{As: as, Who: who, Open: true}
	if len(deposit) > 0 {
		if deposit[0] != "deposit" {
			return errForm
		}
		var err error
		if a.Deposit, err = p.money(deposit[1:], len(who)); err != nil {
			return err
		}
	}
	for _, n := range who {
		p.who[n] = []string{n}
	}
	p.who[as] = who
	return p.act(a)
}

func (p *parser) whoIs(word string) ([]string, error) {
	who, ok := p.who[word]
	if !ok {
		return nil, fmt.Errorf("%.40q has no account; accepted after a line %s, or %s", word, p.forms("player"), p.forms("players"))
	}
	return who, nil
}

func (p *parser) deposit(args []string) error {
	if len(args) < 2 {
		return errForm
	}
	who, err := p.whoIs(args[0])
	if err != nil {
		return err
	}
	a := Act{As: args[0], Who: who}
	if a.Deposit, err = p.money(args[1:], len(who)); err != nil {
		return err
	}
	return p.act(a)
}

// money reads a deposit for each of so many accounts. All deposits together stay within [money.Limit], so that no balance leaves its range.
func (p *parser) money(words []string, accounts int) (money.Cents, error) {
	c, err := amount(words)
	if err != nil {
		return 0, err
	}
	left := (money.Limit - p.deposited) / money.Cents(accounts)
	if c == 0 || c > left {
		return 0, fmt.Errorf("%v for each of %d accounts; accepted: 0.01 to %v", c, accounts, left)
	}
	p.deposited += c * money.Cents(accounts)
	return c, nil
}

// buy reads a play of grids, chosen or by quick pick (Système Flash), or of shares of a pack.
func (p *parser) buy(args []string) error {
	if len(args) < 2 {
		return errForm
	}
	who, err := p.whoIs(args[0])
	if err != nil {
		return err
	}
	a := Act{As: args[0], Who: who}
	if len(args) > 2 && slices.Contains([]string{"share", "shares"}, args[2]) {
		if len(args) != 5 || args[3] != "of" {
			return errForm
		}
		offer, err := p.offer(args[4])
		if err != nil {
			return err
		}
		a.Type = offer.Type
		if a.Shares, err = count(args[1:2], "shares", pack.SharesMax); err != nil {
			return err
		}
		return p.act(a)
	}
	for rest := args[1:]; len(rest) > 0; {
		var line central.Line
		if rest[0] == "quick" {
			if len(rest) < 2 {
				return errForm
			}
			if err := line.UnmarshalText([]byte("quick " + rest[1])); err != nil {
				return err
			}
			rest = rest[2:]
		} else {
			if line.Grid, err = p.grid(rest[0]); err != nil {
				return err
			}
			rest = rest[1:]
		}
		a.Lines = append(a.Lines, line)
	}
	return p.act(a)
}
