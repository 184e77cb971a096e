package exports

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/xuri/excelize/v2"
	"pgregory.net/rapid"
	"tirage/central"
	"tirage/rules/money"
)

var some = time.Date(2020, 6, 22, 18, 15, 30, 0, time.UTC)

// failing is a test, of package testing or rapid.
type failing interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

func tableOf(rows ...Row) *Table {
	return &Table{Name: "some", Title: Words{"Quelque chose", "Something"}, Read: some, About: []Pair{{Words{"Période", "Period"}, Words{"tout", "all"}}}, Rows: listed(rows), Columns: []Column{
		{Name: "what", Title: Words{"Quoi", "What"}}, {Name: "count", Title: Words{"Nombre", "Count"}, Kind: Count, Sum: true},
		{Name: "amount", Title: Words{"Montant", "Amount"}, Kind: Money, Sum: true}, {Name: "at", Title: Words{"Quand", "When"}, Kind: Instant},
	}}
}

func written(t failing, f Format, lang string, table *Table) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Write(context.Background(), &b, f, lang, table, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestCSV(t *testing.T) {
	got := string(written(t, CSV, "fr", tableOf(Row{"a,\"b\"", int64(-3), money.Cents(-5), some}, Row{"=1+1", int64(0), money.Cents(123456), time.Time{}})))
	want := "what,count,amount_eur,at\n\"a,\"\"b\"\"\",-3,-0.05,2020-06-22T20:15:30+02:00\n'=1+1,0,1234.56,\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestJSON(t *testing.T) {
	var got struct {
		Name   string           `json:"name"`
		Rows   []map[string]any `json:"rows"`
		Count  int              `json:"count"`
		Totals map[string]int64 `json:"totals"`
	}
	d := json.NewDecoder(bytes.NewReader(written(t, JSON, "fr", tableOf(Row{"=x", int64(2), money.Cents(math.MaxInt64), some}, Row{"", int64(1), money.Cents(-1), time.Time{}}))))
	d.UseNumber()
	if err := d.Decode(&got); err != nil {
		t.Fatal(err)
	}
	if s := fmt.Sprint(got.Rows); s != "[map[amount_cents:9223372036854775807 at:2020-06-22T20:15:30+02:00 count:2 what:=x] map[amount_cents:-1 count:1]]" {
		t.Error(s)
	}
	if got.Name != "some" || got.Count != 2 || got.Totals["count"] != 3 || got.Totals["amount_cents"] != math.MaxInt64-1 {
		t.Errorf("%+v", got)
	}
	if empty := written(t, JSON, "en", tableOf()); !json.Valid(empty) || !bytes.Contains(empty, []byte(`"count":0`)) {
		t.Errorf("%s", empty)
	}
}

// What is written in XLSX is read again the same: texts as texts, amounts to the cent, with the totals and the sheet that says what they are.
func TestXLSX(t *testing.T) {
	raw := written(t, XLSX, "fr", tableOf(Row{"=cmd|' /C calc'!A0", int64(7), money.Cents(1_999_999_999_999_99), some}, Row{"é\x00\t", int64(1), money.Cents(-1), time.Time{}}))
	f, err := excelize.OpenReader(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if s := f.GetSheetList(); fmt.Sprint(s) != "[Quelque chose À propos]" {
		t.Error(s)
	}
	rows, err := f.GetRows("Quelque chose", excelize.Options{RawCellValue: true})
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprintf("%q", rows); !strings.HasPrefix(got, `[["Quoi" "Nombre" "Montant" "Quand"] ["=cmd|' /C calc'!A0" "7" "1999999999999.99" "44004.84409722`) ||
		!strings.HasSuffix(got, `["é�\t" "1" "-0.01"] ["Total" "8" "1999999999999.98"]]`) {
		t.Error(got)
	}
	for _, cell := range []string{"A2", "A3"} {
		if formula, err := f.GetCellFormula("Quelque chose", cell); err != nil || formula != "" {
			t.Errorf("%s: formula %q, %v", cell, formula, err)
		}
	}
	about, err := f.GetRows("À propos")
	if err != nil || fmt.Sprint(about) != "[[Contenu Quelque chose] [Période tout] [Lu le 2020-06-22 20:15:30, heure de Paris]]" {
		t.Error(about, err)
	}
}

func TestPDF(t *testing.T) {
	rows := make([]Row, MaxPDF)
	for i := range rows {
		rows[i] = Row{fmt.Sprint("ligne ", i, strings.Repeat(" très longue", i%30)), int64(i), money.Cents(i), some}
	}
	for _, n := range []int{0, 1, 200, MaxPDF} {
		if b := written(t, PDF, "fr", tableOf(rows[:n]...)); !bytes.HasPrefix(b, []byte("%PDF-1.")) {
			t.Errorf("%d rows: %.20q", n, b)
		}
	}
	err := Write(t.Context(), io.Discard, PDF, "fr", tableOf(append(rows, rows[0])...), nil)
	if r := new(central.Refusal); !errors.As(err, &r) || r.Reason != "export.too_long" {
		t.Error(err)
	}
}

// Whatever a text is, no cell of a CSV begins as a formula does, and a text that begins as none stays as it is.
func TestNoTextIsAFormula(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		defused(t, rapid.SampledFrom([]string{"", " ", "\u00a0", "\t", "\r", "\ufeff", "\u200b"}).Draw(t, "before")+rapid.SampledFrom([]string{"", "=", "+", "-", "@", "＝", "a"}).Draw(t, "first")+rapid.String().Draw(t, "rest"))
	})
}

func FuzzDefused(f *testing.F) {
	for _, s := range []string{"=1+1", "@SUM(A1)", " =x", "\t=x", "-2", "plain", "\ufeff=x", "\u200b+1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) { defused(t, s) })
}

func defused(t failing, s string) {
	raw := written(t, CSV, "en", tableOf(Row{s, int64(1), money.Cents(1), some}))
	r := csv.NewReader(bytes.NewReader(raw))
	lines, err := r.ReadAll()
	if err != nil || len(lines) != 2 {
		t.Fatalf("%q: %v, %d lines", s, err, len(lines))
	}
	cell := lines[1][0]
	bare := strings.TrimLeft(cell, " \u00a0\ufeff\u200b\t\r\n")
	if strings.IndexAny(bare, "=+-@＝＋－＠") == 0 || strings.IndexAny(cell, "\t\r\n") == 0 {
		t.Fatalf("%q is written as %q", s, cell)
	}
	// A reader of CSV turns CR LF into LF.
	if !strings.HasPrefix(cell, "'") && cell != strings.ReplaceAll(s, "\r\n", "\n") {
		t.Fatalf("%q is changed to %q", s, cell)
	}
}

func TestDecimal(t *testing.T) {
	for c, want := range map[money.Cents]string{0: "0.00", 5: "0.05", -5: "-0.05", 123456: "1234.56", math.MaxInt64: "92233720368547758.07", math.MinInt64: "-92233720368547758.08"} {
		if got := decimal(c); got != want {
			t.Errorf("%d: %s, want %s", c, got, want)
		}
	}
	if got := spaced("-1234567.89"); got != "-1 234 567.89" {
		t.Error(got)
	}
}

// Every amount of at most 15 digits is read from XLSX to the cent.
func TestXLSXAmountsAreExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := rapid.SliceOfN(rapid.Int64Range(-maxExact+1, maxExact-1), 1, 50).Draw(t, "cents")
		rows := make([]Row, len(list))
		for i, c := range list {
			rows[i] = Row{"", int64(0), money.Cents(c), some}
		}
		var b bytes.Buffer
		if err := Write(context.Background(), &b, XLSX, "en", tableOf(rows...), nil); err != nil {
			t.Fatal(err)
		}
		f, err := excelize.OpenReader(&b)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for i, c := range list {
			got, err := f.GetCellValue("Something", fmt.Sprintf("C%d", i+2), excelize.Options{RawCellValue: true})
			var x float64
			if _, e := fmt.Sscan(got, &x); err != nil || e != nil || int64(math.Round(x*100)) != c && math.Abs(x*100-float64(c)) > 0.5 {
				t.Fatalf("%d cents are read as %q, %v %v", c, got, err, e)
			}
		}
	})
}

func TestClipped(t *testing.T) {
	if got := clipped(strings.Repeat("é", maxCell+5)); utf8.RuneCountInString(got) != maxCell {
		t.Error(utf8.RuneCountInString(got))
	}
	if got := sheetName("a/b:c*[x]'?" + strings.Repeat("z", 40)); utf8.RuneCountInString(got) > 31 || strings.ContainsAny(got, `/:*[]'?`) {
		t.Error(got)
	}
}
