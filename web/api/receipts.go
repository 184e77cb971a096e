package api

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"tirage/verify"
)

// ReceiptPath names a play by its number alone: its leaf holds the whole order.
type ReceiptPath struct {
	Play string `path:"play" maxLength:"40" example:"0-12"`
}

// Receipt is the file that proves a play, to the letter as the verifier reads it.
type Receipt struct{ file *verify.ReceiptFile }

// MarshalJSON writes the file.
func (r *Receipt) MarshalJSON() ([]byte, error) { return json.Marshal(r.file) }

// Schema says where the file is described: it is the verifier's format, not one of this interface.
func (*Receipt) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true, Description: "A receipt (docs/log.md): play, leaf, inclusion proof, signed checkpoint"}
}

func (a *API) addReceipts() {
	add(a, Route{Method: http.MethodGet, Path: "/plays/{play}/receipt", ID: "receipt", Tag: "sales", Summary: "The receipt of a play, which the program « verify » and the page /verify/ check", Own: true}, a.receipt)
	add(a, Route{Method: http.MethodGet, Path: "/staff/plays/{play}/receipt", ID: "play-receipt", Tag: "staff", Summary: "The receipt of any play", View: "log"}, a.anyReceipt)
}

func (a *API) receipt(ctx context.Context, who *Caller, in *ReceiptPath) (*Receipt, error) {
	r, err := a.Logs.Receipt(ctx, who.Player, in.Play)
	return &Receipt{r}, err
}

func (a *API) anyReceipt(ctx context.Context, _ *Caller, in *ReceiptPath) (*Receipt, error) {
	r, err := a.Logs.Receipt(ctx, 0, in.Play)
	return &Receipt{r}, err
}
