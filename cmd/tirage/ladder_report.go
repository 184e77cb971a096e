package main

import (
	"math"
	"math/big"

	"tirage/rules/ladder"
	"tirage/rules/money"
	"tirage/rules/odds"
	"tirage/rules/rulebook"
)

// ladderReport is `tirage ladder analyse --json`. What ends in Exact is a fraction written as text; returns, rates and
// probabilities beside it are the same numbers as a program reads them. Amounts in cents are whole, variances in square cents.
type ladderReport struct {
	Version       string              `json:"version"` // "donuts@2019-06-25"
	Title         string              `json:"title"`
	PriceCents    money.Cents         `json:"price_cents"`
	States        int                 `json:"states"`
	Seconds       float64             `json:"seconds"` // that the analysis took
	Gains         rulebook.Confidence `json:"gains_confidence"`
	Band          bandReport          `json:"band"`
	Levels        []reachReport       `json:"levels"`
	StopRules     []stopReport        `json:"stop_rules"`
	BestReturn    float64             `json:"best_adaptive_return"`
	WorstReturn   float64             `json:"worst_adaptive_return"`
	BestStopLevel int                 `json:"best_stop_level"`
	Best          adaptiveReport      `json:"best_adaptive"`
	Worst         adaptiveReport      `json:"worst_adaptive"`
}

type bandReport struct {
	Min      float64  `json:"min"`
	Max      float64  `json:"max"`
	MinExact string   `json:"min_exact"`
	MaxExact string   `json:"max_exact"`
	Kept     bool     `json:"kept"`
	Faults   []string `json:"faults,omitempty"`
}

type reachReport struct {
	Level      int     `json:"level"`
	Items      int     `json:"items"` // on the pile
	Pass       float64 `json:"pass"`
	PassExact  string  `json:"pass_exact"`
	Reach      float64 `json:"reach"`
	ReachExact string  `json:"reach_exact"`
}

type stopReport struct {
	Level int `json:"level"`
	gainsReport
}

type adaptiveReport struct {
	gainsReport
	Decisions []decisionReport `json:"decisions,omitempty"`
}

// gainsReport is one rule of play.
type gainsReport struct {
	Return        float64            `json:"return"`
	ReturnExact   string             `json:"return_exact"`
	MeanCents     float64            `json:"mean_gain_cents"`
	MeanExact     string             `json:"mean_gain_cents_exact"`
	Variance      float64            `json:"variance_cents2"`
	VarianceExact string             `json:"variance_cents2_exact"`
	Deviation     float64            `json:"deviation_euros"`
	HitRate       float64            `json:"hit_rate"`
	HitRateExact  string             `json:"hit_rate_exact"`
	HighestCents  money.Cents        `json:"highest_gain_cents"`
	HighestOneIn  string             `json:"highest_gain_one_in"`
	HighestChance string             `json:"highest_gain_chance_exact"`
	Distribution  distributionReport `json:"distribution"`
}

// distributionReport lists every gain: of total equally likely outcomes, so many ways.
type distributionReport struct {
	Total string       `json:"total"`
	Gains []gainReport `json:"gains"` // ascending; 0 is no gain
}

type gainReport struct {
	Cents       money.Cents `json:"gain_cents"`
	Ways        string      `json:"ways"`
	Probability float64     `json:"probability"`
}

// decisionReport is what an adaptive rule does for a run of sums.
type decisionReport struct {
	Level int         `json:"level"`
	Stars int         `json:"stars"`
	From  money.Cents `json:"from_cents"` // sum of the values on the pile
	To    money.Cents `json:"to_cents"`
	Stop  bool        `json:"stop"`
}

func (s *ladderStudy) report() *ladderReport {
	band, a := s.book.Ladder.Band(), s.analysis
	r := &ladderReport{
		Version: s.book.Header.Version(), Title: s.book.Header.Title, PriceCents: s.book.Sale.Price,
		States: a.States, Seconds: s.took.Seconds(), Gains: s.gainsConfidence(),
		Band:          bandReport{Min: number(band.Min.Rat()), Max: number(band.Max.Rat()), MinExact: band.Min.String(), MaxExact: band.Max.String()},
		BestReturn:    number(a.Return(&a.Best.Gains)),
		WorstReturn:   number(a.Return(&a.Worst.Gains)),
		BestStopLevel: s.bestStop() + 1,
		Best:          s.adaptive(&a.Best),
		Worst:         s.adaptive(&a.Worst),
	}
	for _, f := range s.book.Ladder.CheckReturns(a) {
		r.Band.Faults = append(r.Band.Faults, f.Reason)
	}
	r.Band.Kept = len(r.Band.Faults) == 0
	for i, o := range s.book.Ladder.Odds() {
		r.Levels = append(r.Levels, reachReport{
			Level: o.Level, Items: o.Items, Pass: number(o.Pass), PassExact: o.Pass.RatString(), Reach: number(o.Reach), ReachExact: o.Reach.RatString(),
		})
		r.StopRules = append(r.StopRules, stopReport{Level: o.Level, gainsReport: s.gains(&a.Stop[i])})
	}
	return r
}

func (s *ladderStudy) adaptive(p *ladder.Policy) adaptiveReport {
	r := adaptiveReport{gainsReport: s.gains(&p.Gains)}
	for level := 1; level <= s.book.Ladder.Levels(); level++ {
		for _, d := range p.Decisions(level) {
			r.Decisions = append(r.Decisions, decisionReport{level, d.Stars, d.From, d.To, d.Stop})
		}
	}
	return r
}

func (s *ladderStudy) gains(g *ladder.Gains) gainsReport {
	mean, variance, hit, back := g.Mean(), g.Variance(), g.HitRate(), s.analysis.Return(g)
	top, chance := g.Highest()
	r := gainsReport{
		Return: number(back), ReturnExact: back.RatString(), MeanCents: number(mean), MeanExact: mean.RatString(),
		Variance: number(variance), VarianceExact: variance.RatString(), Deviation: deviation(g),
		HitRate: number(hit), HitRateExact: hit.RatString(),
		HighestCents: top, HighestOneIn: odds.Decimal(new(big.Rat).Inv(chance), 0), HighestChance: chance.RatString(),
		Distribution: distributionReport{Total: g.Total.String(), Gains: make([]gainReport, len(g.List))},
	}
	total := new(big.Float).SetInt(g.Total)
	for i, o := range g.List {
		r.Distribution.Gains[i] = gainReport{o.Gain, o.Ways.String(), quotient(o.Ways, total)}
	}
	return r
}

// number returns the nearest number that JSON and drawings hold.
func number(r *big.Rat) float64 {
	f, _ := r.Float64()
	return f
}

// quotient is number(a/b) without reducing the fraction, for thousands of large ones.
func quotient(a *big.Int, b *big.Float) float64 {
	f, _ := new(big.Float).Quo(new(big.Float).SetInt(a), b).Float64()
	return f
}

// deviation returns the standard deviation of the gain of a play in euros.
func deviation(g *ladder.Gains) float64 { return math.Sqrt(number(g.Variance())) / float64(money.Euro) }

// scientific writes a number of any size: "3.4207e-21".
func scientific(p *big.Rat) string { return new(big.Float).SetRat(p).Text('e', 4) }
