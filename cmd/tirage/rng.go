package main

import (
	"fmt"
	"io"
	"os"

	"tirage/rngaudit"
	"tirage/vault"
)

// rngCmd is `tirage rng`.
type rngCmd struct {
	Audit rngAuditCmd `cmd:"" help:"Test the final outcomes of the generators: grids, stars, codes, numbers, donuts."`
}

// rngAuditCmd is `tirage rng audit`.
type rngAuditCmd struct {
	Quick    bool   `xor:"size" help:"Two hundred thousand outcomes of each kind instead of three million."`
	Outcomes int    `xor:"size" placeholder:"N" help:"Outcomes of each kind."`
	JSON     bool   `name:"json" help:"Print JSON."`
	HTML     string `name:"html" placeholder:"FILE" help:"Write the report there as a page, too."`
}

func (c *rngAuditCmd) Help() string {
	return "Exit 1 when a test rejects the generator twice (family-wise error 10⁻⁴ by Holm, one retest on fresh outcomes), or when a generator with a known fault is not rejected at 10⁻⁶."
}

// Run audits the generator that sells and draws.
func (c *rngAuditCmd) Run(p *program) error {
	n := rngaudit.Full
	switch {
	case c.Quick:
		n = rngaudit.Quick
	case c.Outcomes != 0:
		n = c.Outcomes
	}
	r, err := rngaudit.Run(rngaudit.Production(vault.SystemEntropy{}), n, p.progress())
	if err != nil {
		return err
	}
	if c.HTML != "" {
		if err := writePage(c.HTML, r); err != nil {
			return err
		}
	}
	if c.JSON {
		err = p.printJSON(r)
	} else {
		printAudit(p.out, r)
	}
	if err == nil && !r.Passed {
		err = contradicted("the audit of the generator failed")
	}
	return err
}

func writePage(path string, r *rngaudit.Report) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := r.WriteHTML(f); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

func printAudit(w io.Writer, r *rngaudit.Report) {
	t := table{align: "llrrrrrr"}
	t.add("outcomes", "test", "statistic", "df", "chance", "by Holm", "retest", "departure found with 99 %")
	for _, x := range r.Tests {
		df, retest := "", ""
		if x.DF > 0 {
			df = fmt.Sprint(x.DF)
		}
		if x.Retest > 0 {
			retest = fmt.Sprintf("%.2g", x.Retest)
		}
		t.add(x.On, x.Name, fmt.Sprintf("%.2f", x.Statistic), df, fmt.Sprintf("%.2g", x.P), fmt.Sprintf("%.2g", x.Adjusted), retest, fmt.Sprintf("%.2f %%", 100*x.Detects))
	}
	t.print(w, "")
	fmt.Fprintln(w)
	t = table{align: "lllrr"}
	t.add("generator with a fault", "", "found by", "by Holm", "retest")
	for _, b := range r.Broken {
		t.add(b.Name, b.What, b.On+": "+b.Test, fmt.Sprintf("%.1e", b.Adjusted), fmt.Sprintf("%.1e", b.Retest))
	}
	t.print(w, "")
	verdict := "passed"
	if !r.Passed {
		verdict = "FAILED"
	}
	fmt.Fprintf(w, "\n%s: %d tests on %d outcomes of each kind, family-wise error %.0e by Holm, %d tested once more\n", verdict, len(r.Tests), r.Outcomes, r.Level, r.Retested)
}
