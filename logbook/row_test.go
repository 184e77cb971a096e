package logbook_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
	"tirage/logbook"
)

// columns describes a table "t" of a number, a text and bytes.
func columns(table string) ([]any, error) {
	if table != "t" {
		return nil, errors.New("no such table")
	}
	return []any{new(int64), new(string), new([]byte)}, nil
}

func TestRowsReadAsWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, s, b := rapid.Int64().Draw(t, "n"), rapid.String().Draw(t, "s"), rapid.SliceOf(rapid.Byte()).Draw(t, "b")
		row := logbook.Row{Table: "t", Fields: []any{&n, &s, &b}}
		got, err := logbook.ParseRow(logbook.AppendRow(nil, row), columns)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(row, got); diff != "" {
			t.Fatalf("row (-written +read):\n%s", diff)
		}
	})
}

func TestParseRowRefuses(t *testing.T) {
	for line, want := range map[string]string{
		``:                                     "opens with [",
		`["t",1,"a","YQ=="`:                    "more than 3 columns",
		`["t",1,"a"]`:                          "2 columns found, 3 are needed",
		`["t",1,"a","YQ==",2]`:                 "more than 3 columns",
		`["u",1,"a","YQ=="]`:                   "no such table",
		`["t","1","a","YQ=="]`:                 "column 1: a number is needed",
		`["t",1,2,"YQ=="]`:                     "column 2: a text is needed",
		`["t",1,"a","?"]`:                      "column 3: illegal base64",
		`["t",01,"a","YQ=="]`:                  "not in the form of the log",
		`["t",1,"\u0061","YQ=="]`:              "not in the form of the log",
		`["t",1,"a`:                            "the text has no end",
		`["t",9223372036854775808,"a","YQ=="]`: "out of range",
	} {
		if _, err := logbook.ParseRow([]byte(line), columns); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", line, err, want)
		}
	}
}

func FuzzParseRow(f *testing.F) {
	f.Add([]byte(`["t",-5,"é \"","YWI="]`))
	f.Add([]byte(`["t",0,"","`))
	f.Fuzz(func(t *testing.T, line []byte) {
		row, err := logbook.ParseRow(line, columns)
		if err == nil && !bytes.Equal(logbook.AppendRow(nil, row), line) {
			t.Errorf("%q reads as %v", line, row)
		}
	})
}

func ExampleParseRow() {
	var id, cents int64
	row, err := logbook.ParseRow([]byte(`["players",7,250]`), func(string) ([]any, error) { return []any{&id, &cents}, nil })
	fmt.Println(row.Table, id, cents, err)
	// Output: players 7 250 <nil>
}
