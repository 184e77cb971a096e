package central

import (
	"bytes"
	"fmt"

	"tirage/logbook"
)

var quotePrefix = []byte(`["` + Schema[Quotes].Name + `",`)

// checkQuote makes sure that a leaf which confirms a quote says so in one row, one that drops a quote in one at most, and any other leaf in none.
func checkQuote(l *logbook.Leaf, rows [][]byte) error {
	least, most, state := 0, 0, int64(0)
	switch l.Kind {
	case Confirm{}.Kind():
		least, most, state = 1, 1, quoteConfirmed
	case DropQuote{}.Kind():
		most, state = 1, quoteDropped
	}
	n := 0
	for _, line := range rows {
		if !bytes.HasPrefix(line, quotePrefix) {
			continue
		}
		n++
		var q QuoteRow
		if _, err := logbook.ParseRow(line, func(string) ([]any, error) { return q.Fields(), nil }); err != nil {
			return err
		}
		if q.State != state || q.Leaf != l.Node<<48|(l.Index+1) || l.Principal != PlayerPrincipal(q.Player) {
			return fmt.Errorf("quote %d of player %d is not this leaf's", q.ID, q.Player)
		}
	}
	if n < least || n > most {
		return fmt.Errorf("%d rows of quotes in a leaf of kind %s", n, l.Kind)
	}
	return nil
}
