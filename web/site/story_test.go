package site_test

import (
	"encoding/json"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
	"tirage/central"
	"tirage/demo"
	"tirage/logbook"
)

// The page of a result says where every cent went and how the draw lived; every paper is signed by whom it must be, every leaf is in the signed log.
func TestStoryOfAResult(t *testing.T) {
	h := open(t)
	v := h.visitor()
	var draw *central.Draw
	h.view(func(snap central.Snapshot) error {
		return snap.Scan(t.Context(), central.Range{From: central.Key{Table: central.Draws}}, func(r central.Row) error {
			if d := r.(*central.Draw); d.State == "published" && d.Game == "loto" {
				draw = d
			}
			return nil
		})
	})
	at := "/results/" + draw.ID
	p := v.get(at)
	v.says(p, "Où est allé chaque centime", "Mises des joueurs", "Autres points de vente et pays", "La vie de ce tirage", "Ouvert", "Clos", "Scellé", "Contrôle d’accord",
		"Saisi une seconde fois", "Signé", "Compté deux fois", "Approuvé", "Payé", "Publié")
	for _, role := range []struct{ kind, role string }{
		{central.DocManifest, central.RoleOperator}, {central.DocSales, central.RoleControl}, {central.DocResult, central.RoleOperator}, {central.DocOutside, central.RoleOperator},
		{central.DocCount, central.RoleOperator}, {central.DocControl, central.RoleControl}, {central.DocNotice, central.RoleOperator},
	} {
		v.says(p, at+"/papers/"+role.kind)
		key, err := note.NewVerifier(h.keys.Public(role.role))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := note.Open([]byte(v.get(at+"/papers/"+role.kind).body), note.VerifierList(key)); err != nil {
			t.Errorf("%s: %v", role.kind, err)
		}
	}
	key, err := note.NewVerifier(h.keys.Public(central.RoleLog))
	if err != nil {
		t.Fatal(err)
	}
	proofs := strings.Split(p.body, `href="`+at+"/proof/")[1:]
	if len(proofs) < 9 {
		t.Errorf("%d proofs", len(proofs))
	}
	for _, rest := range proofs {
		leaf, _, _ := strings.Cut(rest, `"`)
		var place struct {
			Index      int64
			Hash       tlog.Hash
			Proof      tlog.RecordProof
			Checkpoint string
		}
		if err := json.Unmarshal([]byte(v.get(at+"/proof/"+leaf).body), &place); err != nil {
			t.Fatal(err)
		}
		c, err := logbook.OpenCheckpoint(place.Checkpoint, note.VerifierList(key))
		if err != nil {
			t.Fatal(err)
		}
		if err := tlog.CheckRecord(place.Proof, c.Size, c.Root, place.Index, place.Hash); err != nil {
			t.Errorf("leaf %s: %v", leaf, err)
		}
	}
	for _, path := range []string{at + "/papers/draft", at + "/papers/none", at + "/proof/0-0", at + "/proof/none", "/results/none/papers/notice", "/results/none/proof/0-1"} {
		if p := v.get(path); p.status != 404 {
			t.Errorf("%s: %d", path, p.status)
		}
	}
	next, _ := h.pack(1)
	for _, path := range []string{"/papers/manifest", "/proof/0-1"} {
		if p := h.player(demo.Players()[0].Name).get("/results/" + next + path); p.status != 404 {
			t.Errorf("of a draw that is not published: %s: %d", path, p.status)
		}
	}
}
