package api_test

import (
	"fmt"
	"net/http"
	"testing"

	"tirage/central"
	"tirage/verify"
)

// A player gets the receipt of the own play, which verifies as it is sent; nobody gets another's, but the auditor.
func TestReceipts(t *testing.T) {
	o := open(t)
	draw := o.sale()
	tokens := o.tokens()
	token := tokens[central.RolePlayer]
	play := must[central.Bought](o, http.MethodPost, "/plays", token, "buy", map[string]string{"quote": o.shares(token, draw, 1).Text}).Play
	keys, err := verify.Keys(o.Keys.Public(central.RoleLog))
	if err != nil {
		t.Fatal(err)
	}
	a := o.ask(http.MethodGet, "/plays/"+play+"/receipt", token, "", nil)
	if report := verify.Receipt(a.body, keys); a.status != http.StatusOK || !report.OK() || report.What != play {
		t.Errorf("the receipt: %d %s", a.status, a.body)
	}
	other := o.Registered("other", 10_000, 10_000)
	r := o.Do(central.SystemPrincipal, central.BuyShares{Player: other, Draw: draw, Type: "ten", Shares: 1, Channel: central.ChannelWeb})
	if a := o.ask(http.MethodGet, fmt.Sprintf("/plays/%d-%d/receipt", r.Node, r.Index), token, "", nil); a.status != http.StatusNotFound {
		t.Errorf("the play of another player: %d", a.status)
	}
	if a := o.ask(http.MethodGet, "/staff/plays/"+play+"/receipt", tokens[central.RoleAuditor], "", nil); a.status != http.StatusOK {
		t.Errorf("the auditor: %d %s", a.status, a.body)
	}
	if a := o.ask(http.MethodGet, "/staff/plays/"+play+"/receipt", tokens["care"], "", nil); a.status != http.StatusForbidden {
		t.Errorf("player care: %d", a.status)
	}
}
