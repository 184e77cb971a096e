package main

import (
	"fmt"
	"io"
	"os"

	"tirage/fairness/replay"
	"tirage/games"
	"tirage/rules/rulebook"
)

// verifyCmd holds the checks that anybody makes alone: they read a file and the rulebooks in this program, and ask no server.
type verifyCmd struct {
	Round verifyRoundCmd `cmd:"" help:"Compute a round of a ladder game again from its file: secrets, contributions, outcomes, gain."`
}

// verifyRoundCmd is `tirage verify round`.
type verifyRoundCmd struct {
	File  string `arg:"" help:"Round as the history gives it (JSON)."`
	Rules string `placeholder:"FILE" help:"Rulebook to hold it against instead of the one in this program, such as the one that stood when it was played."`
	JSON  bool   `name:"json" help:"Print {round, rules, state, stake, gain, verified, findings: [{series, ok, why}]}."`
}

// verifyRoundJSON is the output of --json. Its names and types don't change.
type verifyRoundJSON struct {
	Round    replay.Hex     `json:"round"`
	Rules    string         `json:"rules"`
	State    replay.State   `json:"state"`
	Stake    int64          `json:"stake"` // cents
	Gain     int64          `json:"gain"`
	Verified bool           `json:"verified"`
	Findings []verifiedJSON `json:"findings"`
}

type verifiedJSON struct {
	Series int    `json:"series"` // 0: the round as a whole
	OK     bool   `json:"ok"`
	Why    string `json:"why,omitempty"`
}

// Run prints one line a series and one for the round. It fails when any of them is not what the secrets give.
func (c *verifyRoundCmd) Run(p *program) error {
	data, err := readLimited(c.File, replay.MaxFile)
	if err != nil {
		return err
	}
	r, err := replay.Parse(data)
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	book, err := c.rulebook(r)
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	out := verifyRoundJSON{Round: r.Round, Rules: r.Rules, State: r.State, Stake: int64(r.Stake), Gain: int64(r.Gain), Verified: true}
	findings := r.Check(book)
	for _, f := range findings {
		v := verifiedJSON{Series: f.N, OK: f.Err == nil}
		if f.Err != nil {
			v.Why = f.Err.Error()
			out.Verified = false
		}
		out.Findings = append(out.Findings, v)
	}
	if c.JSON {
		err = p.printJSON(out)
	} else {
		fmt.Fprintf(p.out, "round %x of %s: %s, stake %s, gain %s\n", []byte(r.Round), r.Rules, r.State, euros(r.Stake), euros(r.Gain))
		for _, f := range findings {
			fmt.Fprintf(p.out, "  %v\n", f)
		}
	}
	if err == nil && !out.Verified {
		err = contradicted("%s: the round does not verify", c.File)
	}
	return err
}

// rulebook returns the rules that the round names, of this program or of a file.
func (c *verifyRoundCmd) rulebook(r *replay.Round) (*rulebook.Rulebook, error) {
	book, err := games.Version(r.Rules)
	if c.Rules != "" {
		book, err = games.LoadFile(c.Rules)
	}
	if err != nil {
		return nil, err
	}
	if book.Ladder == nil {
		return nil, fmt.Errorf("rules %s: accepted a ladder game", book.Header.Version())
	}
	return book, nil
}

// readLimited reads a file of at most so many bytes, and one more, by which its reader sees that it is too long.
func readLimited(path string, limit int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, limit+1))
}
