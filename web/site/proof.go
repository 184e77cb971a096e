package site

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"tirage/central"
	"tirage/receipts"
	"tirage/verify"
	"tirage/web/kit"
)

// proof is the receipt of a play as its page shows it.
type proof struct {
	Hash string // of the leaf, in hex
	Code *receipts.Code
}

// quiet is the margin that readers of QR codes need, in fields.
const quiet = 4

func (p *proof) side() string { return strconv.Itoa(p.Code.Size + 2*quiet) }

func (p *proof) viewBox() string {
	return fmt.Sprintf("-%d -%d %s %s", quiet, quiet, p.side(), p.side())
}

// proof proves the play of a page, nil where its leaf goes to the auditor alone.
func (s *site) proof(v *kit.Visit) (*proof, error) {
	r, err := s.receiptOf(v)
	if refused := new(central.Refusal); errors.As(err, &refused) && refused.Code == central.Forbidden {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	code, err := receipts.QR(receipts.Link(r, s.host.Public.String()))
	if err != nil {
		return nil, err
	}
	return &proof{receipts.Hash(r), code}, nil
}

// receiptOf returns the receipt of the play of a path, of the player who asks.
func (s *site) receiptOf(v *kit.Visit) (*verify.ReceiptFile, error) {
	play := v.R.PathValue("play")
	if _, err := s.host.Register.ReadPlay(v.Context(), v.Caller.Player, v.R.PathValue("draw"), play); err != nil {
		return nil, err
	}
	return s.host.Logs.Receipt(v.Context(), v.Caller.Player, play)
}

// receiptFile sends the receipt that the verification page and the program « verify » check.
func (s *site) receiptFile(v *kit.Visit) error {
	r, err := s.receiptOf(v)
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return v.File("application/json", "tirage-"+r.Play.ID+".json", append(text, '\n'))
}

// receiptPDF sends the receipt as a document.
func (s *site) receiptPDF(v *kit.Visit) error {
	r, err := s.receiptOf(v)
	if err != nil {
		return err
	}
	text, err := receipts.PDF(r, s.host.Public.String(), receipts.Lang(v.Lang))
	if err != nil {
		return err
	}
	return v.File("application/pdf", "tirage-"+r.Play.ID+".pdf", text)
}
