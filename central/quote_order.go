package central

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// Sale is a command by which a player buys. A player's own sale is quoted first ([Register.Quote]), shown, and confirmed ([Confirm]).
type Sale interface {
	Command
	// Buyer is the player whose available balance pays.
	Buyer() int64
	// terms says what is sold, item by item, once Plan has accepted the sale on p with this result.
	terms(p *Plan, result any) (*Terms, error)
}

// Order is a sale as a quote carries it. As JSON it is an object of one field, the kind of the command:
//
//	{"buy_shares": {"player": "42", "draw": "loto-2018-10-29", "type": "600", "shares": 5}}
type Order struct{ Sale }

// saleKinds reads the kinds of sales that a quote may carry.
var saleKinds = map[string]func([]byte) (Sale, error){
	BuyPlay{}.Kind():   readSale[BuyPlay],
	BuyShares{}.Kind(): readSale[BuyShares],
	PlayGroup{}.Kind(): readSale[PlayGroup],
	Replay{}.Kind():    readSale[Replay],
	Subscribe{}.Kind(): readSale[Subscribe],
}

func readSale[T Sale](b []byte) (Sale, error) {
	var s T
	err := unmarshalStrict(b, &s)
	return s, err
}

// MarshalJSON writes the order.
func (o Order) MarshalJSON() ([]byte, error) {
	if o.Sale == nil {
		return nil, fmt.Errorf("no order")
	}
	return json.Marshal(map[string]Sale{o.Kind(): o.Sale})
}

// UnmarshalJSON reads an order; unknown kinds and fields are refused.
func (o *Order) UnmarshalJSON(b []byte) error {
	var kinds map[string]json.RawMessage
	if err := json.Unmarshal(b, &kinds); err != nil {
		return err
	}
	if len(kinds) != 1 {
		return fmt.Errorf("an order of %d kinds: accepted 1", len(kinds))
	}
	for kind, body := range kinds {
		read, ok := saleKinds[kind]
		if !ok {
			return fmt.Errorf("an order of kind %.40q", kind)
		}
		sale, err := read(body)
		if err != nil {
			return fmt.Errorf("order %s: %w", kind, err)
		}
		o.Sale = sale
	}
	return nil
}

// unmarshalStrict reads one JSON value into v; unknown fields and anything behind the value are refused.
func unmarshalStrict(b []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return fmt.Errorf("something follows the JSON value")
	}
	return nil
}
