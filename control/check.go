package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"
)

// report is what the control says of one draw.
type report struct {
	Draw    string   `json:"draw"`
	Agrees  bool     `json:"agrees"`
	Signed  bool     `json:"signed"` // the operator's signatures were verified
	Seconds float64  `json:"seconds"`
	Checks  []tested `json:"checks"`
	Sales   *sales   `json:"sales"`
	Count   *count   `json:"count,omitempty"`
}

// tested is one check and what it found.
type tested struct {
	Name    string   `json:"name"`
	Found   int      `json:"found"`
	Samples []string `json:"samples,omitempty"`
	Seconds float64  `json:"seconds"`
}

// check checks one draw.
func check(ctx context.Context, o *options, stem string) (r *report, err error) {
	start := time.Now()
	p, err := readPapers(o, stem)
	if err != nil {
		return nil, err
	}
	e, err := open(ctx, o.memory)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, e.close()) }()
	r = &report{Draw: p.manifest.Sales.Draw, Signed: o.operator != ""}
	file, err := r.parts(p)
	if err != nil {
		return nil, err
	}
	if err := e.load(ctx, p); err != nil {
		return nil, err
	}
	if err := r.run(ctx, e, "before.sql"); err != nil {
		return nil, err
	}
	if r.Sales, err = e.sales(ctx, r.Draw, file); err != nil {
		return nil, err
	}
	r.Sales.Findings = r.findings()
	if p.version > 0 {
		if err := r.result(ctx, e, p); err != nil {
			return nil, err
		}
	}
	r.Agrees = len(r.findings()) == 0
	r.Seconds = seconds(start)
	return r, nil
}

// parts compares the files with the manifest and returns the digest that binds them. A file that is not the one that was sealed is looked through all the
// same: the other checks tell what is not right in it.
func (r *report) parts(p *papers) ([]byte, error) {
	t, start, all := tested{Name: "files"}, time.Now(), sha256.New()
	for _, part := range p.manifest.File.Parts {
		sum, size, err := digest(filepath.Join(filepath.Dir(p.stem), filepath.Base(part.Name)))
		if err != nil {
			return nil, err
		}
		all.Write(sum)
		if !bytes.Equal(sum, part.SHA256) {
			t.add("%s: %d bytes with SHA-256 %x, sealed are %d with %x", part.Name, size, sum[:8], part.Bytes, part.SHA256[:min(8, len(part.SHA256))])
		}
	}
	file := all.Sum(nil)
	if len(p.manifest.File.Parts) != 2 || !bytes.Equal(file, p.manifest.Sales.File) && t.Found == 0 {
		t.add("the manifest does not bind its files")
	}
	t.Seconds = seconds(start)
	r.Checks = append(r.Checks, t)
	return file, nil
}

func (t *tested) add(format string, a ...any) {
	t.Found++
	t.Samples = append(t.Samples, fmt.Sprintf(format, a...))
}

// run runs the checks of a script.
func (r *report) run(ctx context.Context, e *engine, script string) error {
	list, err := queries(script)
	if err != nil {
		return err
	}
	for _, q := range list {
		start := time.Now()
		found, n, err := e.found(ctx, q)
		if err != nil {
			return err
		}
		r.Checks = append(r.Checks, tested{q.name, n, found, seconds(start)})
	}
	return nil
}

// result checks the latest result.
func (r *report) result(ctx context.Context, e *engine, p *papers) error {
	if err := e.loadResult(ctx, p); err != nil {
		return err
	}
	if err := r.run(ctx, e, "after.sql"); err != nil {
		return err
	}
	sum, size, err := digest(fmt.Sprintf("%s.gains-%d.parquet", p.stem, p.version))
	if err != nil {
		return err
	}
	t := tested{Name: "file of gains"}
	if !bytes.Equal(sum, p.said.File) {
		t.add("%d bytes with SHA-256 %x, counted was %x", size, sum[:8], p.said.File[:min(8, len(p.said.File))])
	}
	r.Checks = append(r.Checks, t)
	if r.Count, err = e.count(ctx, p, sum); err != nil {
		return err
	}
	r.Count.Findings = r.findings()
	return nil
}

// findings lists what was found so far, for a paper: the first few of each check. That files are not those of the manifest comes last: the other checks
// say where.
func (r *report) findings() (list []string) {
	const most = 5
	for _, t := range append(r.Checks[1:len(r.Checks):len(r.Checks)], r.Checks[0]) {
		for _, s := range t.Samples[:min(len(t.Samples), most)] {
			list = append(list, t.Name+": "+s)
		}
	}
	return list
}

// sales returns what the sealed plays add up to.
func (e *engine) sales(ctx context.Context, draw string, file []byte) (*sales, error) {
	s := &sales{Draw: draw, File: file}
	var err error
	s.Kinds, err = all(ctx, e, "SELECT kind, plays, cents FROM sold_kind ORDER BY kind", func(k *kindCount) []any { return []any{&k.Kind, &k.Plays, &k.Cents} })
	if err != nil {
		return nil, err
	}
	s.Rules, err = all(ctx, e, "SELECT rules, combinations, cents FROM sold_rules ORDER BY rules", func(r *rulesCount) []any { return []any{&r.Rules, &r.Combinations, &r.Cents} })
	if err != nil {
		return nil, err
	}
	row := e.db.QueryRowContext(ctx, "SELECT packs, unsold_shares, unsold_cents, stakes FROM sold")
	return s, row.Scan(&s.Packs, &s.UnsoldShares, &s.UnsoldCents, &s.Stakes)
}

// count returns what the result gives.
func (e *engine) count(ctx context.Context, p *papers, file []byte) (*count, error) {
	c := &count{Draw: p.result.Draw, Version: p.version, Outside: p.outside.Winners, File: file}
	number := func(n *int64) []any { return []any{n} }
	var err1, err2, err3 error
	c.Winners, err1 = all(ctx, e, "SELECT winners FROM ours ORDER BY rank", number)
	c.Unit, err2 = all(ctx, e, "SELECT cents FROM unit ORDER BY rank", number)
	c.Codes, err3 = all(ctx, e, "SELECT series, drawn, ours, unit FROM code_count ORDER BY place", func(x *codeCount) []any { return []any{&x.Series, &x.Drawn, &x.Ours, &x.Unit} })
	if err := errors.Join(err1, err2, err3); err != nil {
		return nil, err
	}
	if c.AddOns, err1 = e.addOns(ctx, p); err1 != nil {
		return nil, err1
	}
	type fund struct {
		name  string
		cents int64
	}
	funds, err := all(ctx, e, "SELECT fund, cents FROM reserve_sums ORDER BY fund", func(f *fund) []any { return []any{&f.name, &f.cents} })
	if err != nil {
		return nil, err
	}
	for _, f := range funds {
		if c.Packs.Reserve == nil {
			c.Packs.Reserve = map[string]int64{}
		}
		c.Packs.Reserve[f.name] = f.cents
	}
	row := e.db.QueryRowContext(ctx, "SELECT gains, credits, due, pack_gains, holders, rounding, group_gains, group_holders, group_rounding FROM result_sums")
	return c, row.Scan(&c.Gains, &c.Credits, &c.Due, &c.Packs.Gains, &c.Packs.Holders, &c.Packs.Rounding, &c.Groups.Gains, &c.Groups.Holders, &c.Groups.Rounding)
}

// addOns returns what the result gives to games added to plays, by name.
func (e *engine) addOns(ctx context.Context, p *papers) (list []addOnCount, err error) {
	type slot struct {
		game          string
		winners, unit int64
	}
	slots, err := all(ctx, e, "SELECT game, winners, unit FROM added_unit ORDER BY game, slot", func(s *slot) []any { return []any{&s.game, &s.winners, &s.unit} })
	for _, s := range slots {
		if n := len(list); n == 0 || list[n-1].Game != s.game {
			list = append(list, addOnCount{Game: s.game, Outside: p.outside.AddOns[s.game]})
		}
		last := &list[len(list)-1]
		last.Winners, last.Unit = append(last.Winners, s.winners), append(last.Unit, s.unit)
	}
	return list, err
}

func seconds(since time.Time) float64 { return float64(time.Since(since).Milliseconds()) / 1000 }

// print writes the report for people.
func (r *report) print(w io.Writer) {
	verdict := "agrees"
	if !r.Agrees {
		verdict = "DIFFERS"
	}
	signed := "signatures of the operator verified"
	if !r.Signed {
		signed = "signatures not verified: no key was given"
	}
	fmt.Fprintf(w, "%s %s, %s, in %.1f s\n", r.Draw, verdict, signed, r.Seconds)
	quiet := 0
	for _, t := range r.Checks {
		if t.Found == 0 {
			quiet++
			continue
		}
		fmt.Fprintf(w, "  %s: %d found\n", t.Name, t.Found)
		for _, s := range t.Samples {
			fmt.Fprintf(w, "    %s\n", s)
		}
	}
	fmt.Fprintf(w, "  %d of %d checks found nothing\n", quiet, len(r.Checks))
	s := r.Sales
	fmt.Fprintf(w, "  counted: stakes of %s", euros(s.Stakes))
	for _, k := range s.Kinds {
		fmt.Fprintf(w, ", %d %s of %s", k.Plays, k.Kind, euros(k.Cents))
	}
	fmt.Fprintf(w, "; %d packs with %d unsold shares of %s\n", s.Packs, s.UnsoldShares, euros(s.UnsoldCents))
	if c := r.Count; c != nil {
		fmt.Fprintf(w, "  result %d: winners %s, %d gains of plays, %s to players, rounding of packs %s\n", c.Version, strings.Trim(fmt.Sprint(c.Winners), "[]"), c.Credits, euros(c.Due), euros(c.Packs.Rounding))
	}
}

// euros writes cents.
func euros(cents int64) string {
	sign := ""
	if cents < 0 {
		sign, cents = "-", -cents
	}
	return fmt.Sprintf("%s%d.%02d €", sign, cents/100, cents%100)
}
