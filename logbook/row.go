package logbook

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
)

// ParseRow reads what [AppendRow] wrote, and nothing else. The function columns returns, for the name of a table, the pointers into which the
// columns go, as AppendRow takes them.
func ParseRow(line []byte, columns func(table string) ([]any, error)) (Row, error) {
	p := rowParser{line}
	if !p.take('[') {
		return Row{}, errors.New("a row opens with [")
	}
	table, err := p.text()
	if err != nil {
		return Row{}, fmt.Errorf("name of the table: %w", err)
	}
	row := Row{Table: table}
	if row.Fields, err = columns(table); err != nil {
		return Row{}, err
	}
	for i, f := range row.Fields {
		if !p.take(',') {
			return Row{}, fmt.Errorf("table %s: %d columns found, %d are needed", table, i, len(row.Fields))
		}
		if err := p.column(f); err != nil {
			return Row{}, fmt.Errorf("table %s, column %d: %w", table, i+1, err)
		}
	}
	if string(p.rest) != "]" {
		return Row{}, fmt.Errorf("table %s: more than %d columns", table, len(row.Fields))
	}
	// One row has one form: what is not written the same way was not written by AppendRow.
	if again := AppendRow(make([]byte, 0, len(line)), row); !bytes.Equal(again, line) {
		return Row{}, fmt.Errorf("table %s: the row is not in the form of the log", table)
	}
	return row, nil
}

type rowParser struct{ rest []byte }

func (p *rowParser) take(c byte) bool {
	if len(p.rest) == 0 || p.rest[0] != c {
		return false
	}
	p.rest = p.rest[1:]
	return true
}

func (p *rowParser) column(into any) (err error) {
	switch v := into.(type) {
	case *int64:
		*v, err = p.integer()
	case *string:
		*v, err = p.text()
	case *[]byte:
		var s string
		if s, err = p.text(); err == nil {
			*v, err = base64.StdEncoding.DecodeString(s)
		}
	default:
		panic(fmt.Sprintf("logbook: column of type %T", v))
	}
	return err
}

func (p *rowParser) integer() (int64, error) {
	n := 0
	for n < len(p.rest) && (p.rest[n] == '-' || '0' <= p.rest[n] && p.rest[n] <= '9') {
		n++
	}
	if n == 0 {
		return 0, errors.New("a number is needed")
	}
	v, err := strconv.ParseInt(string(p.rest[:n]), 10, 64)
	p.rest = p.rest[n:]
	return v, err
}

// text reads a string of JSON. One without escapes, as nearly all are, is taken as it stands.
func (p *rowParser) text() (string, error) {
	if !p.take('"') {
		return "", errors.New("a text is needed")
	}
	for i, escaped := 0, false; i < len(p.rest); i++ {
		switch p.rest[i] {
		case '\\':
			escaped = true
			i++
		case '"':
			s := p.rest[:i]
			p.rest = p.rest[i+1:]
			if !escaped {
				return string(s), nil
			}
			var v string
			err := json.Unmarshal(append(append([]byte{'"'}, s...), '"'), &v)
			return v, err
		}
	}
	return "", errors.New("the text has no end")
}
