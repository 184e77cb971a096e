package central_test

import (
	"testing"

	"tirage/central"
	"tirage/internal/covers"
)

// A notice comes to the public through two people at least: nobody publishes what they drafted, or the result of which they recorded, and no program
// publishes.
func TestNoticeOfTwoPeople(t *testing.T) {
	covers.Covers(t, "P9")
	w := newWorld(t)
	countedLoto(w)
	must(w, w.Operator.Approve(t.Context(), planned, 1, officer))
	must(w, w.Operator.Pay(t.Context(), planned))
	if _, err := w.Operator.Publish(t.Context(), planned, officer); reason(err) != "notice.undrafted" {
		t.Errorf("published without a draft: %v", err)
	}
	const drafter = "staff/drafter"
	n, err := w.Operator.As(drafter).Draft(t.Context(), planned)
	must(w, err)
	if _, err := w.Operator.Draft(t.Context(), planned); reason(err) != "notice.drafted" {
		t.Errorf("drafted twice: %v", err)
	}
	for _, c := range []struct{ who, reason string }{
		{"system", "principal.person"}, {"program/1", "program.unknown"}, {"player/1", "principal.staff"}, {drafter, "notice.same"}, {operator, "notice.same"},
	} {
		if _, err := w.Operator.Publish(t.Context(), planned, c.who); central.CodeOf(err) != central.Forbidden || reason(err) != c.reason {
			t.Errorf("published by %s: %v, want %s", c.who, err, c.reason)
		}
		if d := drawRow(w, planned); d.State != "settled" {
			t.Fatalf("the draw is %s", d.State)
		}
	}
	w.CheckBooks()
	published, err := w.Operator.Publish(t.Context(), planned, officer)
	must(w, err)
	if again, err := w.Operator.Publish(t.Context(), planned, officer); central.CodeOf(err) != "" {
		t.Errorf("the same once more: %+v, %v", again, err)
	}
	if d := drawRow(w, planned); d.State != "published" || published.Claims != n.Claims || n.Claims != "2018-12-28" {
		t.Errorf("the draw is %s, payable through %s and %s", d.State, n.Claims, published.Claims)
	}
	if _, err := w.Operator.Draft(t.Context(), planned); reason(err) != "draw.state" {
		t.Errorf("drafted after the publication: %v", err)
	}
}
