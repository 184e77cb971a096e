package storetest

import (
	"fmt"
	"time"

	"tirage/central"
	"tirage/rules/money"
)

// steer picks an act of the staff around the calendar: most are accepted now and then, all are refused when they come at the wrong time.
func (s *story) steer() {
	who := []string{"staff/one", "staff/two"}[s.rand.IntN(2)]
	amount := []money.Cents{0, 200_000_000, 1_300_000_000, -1}[s.rand.IntN(4)]
	service := []string{central.ServicePacks, "donuts", "loto"}[s.rand.IntN(3)]
	day := fmt.Sprintf("2020-07-%02d", 1+s.rand.IntN(4))
	draw := central.DrawID([]string{"loto", "superloto"}[s.rand.IntN(2)], day)
	if s.rand.IntN(2) == 0 {
		draw = s.draw()
	}
	until := []string{"2019-06-25", "2020-06-19"}[s.rand.IntN(2)] // past: what the story sells stays on sale
	var c central.Command
	switch s.rand.IntN(18) {
	case 0:
		c = central.CloseDraw{Draw: s.draw(), Types: []string{"small"}} // too early
	case 1, 2:
		c = central.PlanDraw{Game: "loto", Day: day, Jackpot: amount}
	case 3:
		c = central.PlanDraw{Game: "superloto", Day: day}
	case 4:
		c = central.SkipDraw{Draw: draw, Why: "no studio"}
	case 5:
		c = central.AnnounceDraw{Draw: s.unsealed(draw), Jackpot: amount, Why: "anniversary"}
	case 6:
		c = central.ReportOutside{Draw: s.unsealed(draw), Stakes: amount}
	case 7, 8:
		c = central.PutOff{Service: service, Until: until, Why: "not ready"}
	case 9:
		c = central.ConfirmPutOff{Service: service, Until: until, Proposer: "staff/one"}
	case 10:
		c = central.HoldDraw{Draw: draw, Why: "to be looked at"}
	case 11:
		c = central.UseGenerator{Draw: draw, Why: "the machine is being repaired"}
	case 12:
		c = central.ConfirmGenerator{Draw: draw}
	case 13:
		c = central.DrawNumbers{Draw: draw, Signature: "00"}
	case 14:
		c = central.ContributeDraw{Draw: draw, Value: fmt.Sprintf("%064x", s.rand.Uint64()), Why: "no beacon"}
	case 15:
		c = central.ProposePack{Game: "loto", Type: fmt.Sprintf("design%d", s.rand.IntN(3)), From: day, Multiples: []string{"6x1*1"}, Shares: 6, MaxPacks: 2}
	case 16:
		c = central.ActivatePack{Design: s.design}
	default:
		c = central.PostponeDraw{Draw: draw, Until: time.Date(2020, 7, 10, 0, 0, 0, 0, time.UTC), Why: "no electricity"}
	}
	req := central.Request{Principal: who, Key: fmt.Sprintf("story-%d", len(s.past)), Command: c}
	s.past = append(s.past, req)
	answer := s.request(req)
	var node, index int64
	if _, err := fmt.Sscanf(answer, "%d/%d", &node, &index); err == nil && c.Kind() == (central.ProposePack{}).Kind() {
		s.design = fmt.Sprintf("%d-%d", node, index)
	}
}

// unsealed is a draw other than those two that are sealed at the end of the story, with terms of their own.
func (s *story) unsealed(draw string) string {
	if draw == s.draws[0] || draw == s.draws[1] {
		return s.draws[2]
	}
	return draw
}
