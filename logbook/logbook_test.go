package logbook_test

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/mod/sumdb/tlog"
	"pgregory.net/rapid"
	"tirage/logbook"
	"tirage/rules/money"
)

// worked reads the worked example of the specification.
func worked(t *testing.T) (salt []byte, hash, body string) {
	t.Helper()
	file, err := os.ReadFile("testdata/leaf-1.txt")
	if err != nil {
		t.Fatal(err)
	}
	fields := map[string]string{}
	for line := range strings.Lines(string(file)) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		fields[name] = value
	}
	if salt, err = hex.DecodeString(fields["salt"]); err != nil {
		t.Fatal(err)
	}
	return salt, fields["hash"], fields["body"]
}

// purchase is the leaf of the worked example.
func purchase() *logbook.Leaf {
	id, balance, movements, at, stake := int64(1), int64(9780), int64(2), int64(1592820000000000), int64(220)
	play, combos, zero := int64(3), int64(1), int64(0)
	draw, kind, rules, empty := "loto-2020-06-22", "simple", "loto@2019-11-04", ""
	lines := []byte{0, 0, 4, 0, 0x20, 1, 0, 0x20}
	return &logbook.Leaf{
		Node: 0, Index: 2, At: at, Principal: "player/1", Key: `018f-é <&> "k"`, Kind: "buy_play",
		Command:  json.RawMessage(`{"player":"1","draw":"loto-2020-06-22","lines":["5-9-21-36-39+5"]}`),
		Result:   json.RawMessage(`{"play":"0-2","cents":220}`),
		Postings: []logbook.Posting{{From: "player/1", To: "stakes/loto-2020-06-22", Cents: 220, Version: 2, After: 9780}},
		Rows: []logbook.Row{
			{Table: "players", Fields: []any{&id, &balance, &movements}},
			{Table: "plays", Fields: []any{&draw, &play, &id, &kind, &at, &stake, &rules, &rules, &lines, &zero, &combos, &zero, &zero, &empty, &zero, &zero}},
		},
	}
}

// The bytes of version 1 never change: receipts of any age must verify.
func TestWorkedExample(t *testing.T) {
	salt, hash, body := worked(t)
	leaf := purchase()
	if diff := cmp.Diff(body, string(leaf.Append(nil))); diff != "" {
		t.Errorf("body (-specification +written):\n%s", diff)
	}
	h := logbook.Hash(salt, []byte(body))
	if got := hex.EncodeToString(h[:]); got != hash {
		t.Errorf("hash %s, the specification says %s", got, hash)
	}
	if h != tlog.RecordHash([]byte(string(salt)+body)) {
		t.Error("the hash is not the record hash of tlog")
	}
	if logbook.SaltSize != len(salt) {
		t.Errorf("salts of %d bytes, the specification says %d", logbook.SaltSize, len(salt))
	}
}

func TestParseLeafReadsWorkedExample(t *testing.T) {
	_, _, body := worked(t)
	want := purchase()
	got, rows, err := logbook.ParseLeaf([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range want.Rows {
		if line := string(logbook.AppendRow(nil, r)); i >= len(rows) || line != string(rows[i]) {
			t.Errorf("row %d: %q, want %q", i, rows, line)
		}
	}
	want.Rows = nil
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("leaf (-written +read):\n%s", diff)
	}
}

// leaves draws leaves with any texts and numbers.
func leaves(t *rapid.T) *logbook.Leaf {
	value := rapid.Custom(func(t *rapid.T) json.RawMessage {
		b, err := json.Marshal(rapid.SliceOfN(rapid.MapOfN(rapid.String(), rapid.String(), 0, 2), 0, 3).Draw(t, "value"))
		if err != nil {
			t.Fatal(err)
		}
		return b
	})
	n := rapid.Int64()
	l := &logbook.Leaf{
		Node: n.Draw(t, "node"), Index: n.Draw(t, "index"), At: n.Draw(t, "at"),
		Principal: rapid.String().Draw(t, "principal"), Key: rapid.String().Draw(t, "key"), Kind: rapid.String().Draw(t, "kind"),
		Command: value.Draw(t, "command"), Result: value.Draw(t, "result"),
	}
	for range rapid.IntRange(0, 3).Draw(t, "postings") {
		l.Postings = append(l.Postings, logbook.Posting{
			From: rapid.String().Draw(t, "from"), To: rapid.String().Draw(t, "to"),
			Cents: money.Cents(n.Draw(t, "cents")), Version: n.Draw(t, "version"), After: money.Cents(n.Draw(t, "after")),
		})
	}
	for range rapid.IntRange(0, 3).Draw(t, "rows") {
		num, text, bin := n.Draw(t, "number"), rapid.String().Draw(t, "text"), rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")
		l.Rows = append(l.Rows, logbook.Row{Table: rapid.String().Draw(t, "table"), Fields: []any{&num, &text, &bin}})
	}
	return l
}

func TestLeavesReadAsWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := leaves(t)
		body := want.Append(nil)
		if !json.Valid(body) || strings.ContainsAny(string(body), "\n\r\t") {
			t.Fatalf("no single line of JSON: %q", body)
		}
		got, rows, err := logbook.ParseLeaf(body)
		if err != nil {
			t.Fatal(err)
		}
		if len(rows) != len(want.Rows) {
			t.Fatalf("%d rows read, %d written", len(rows), len(want.Rows))
		}
		want.Rows = nil
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("leaf (-written +read):\n%s", diff)
		}
	})
}

func TestParseLeafRefuses(t *testing.T) {
	_, _, body := worked(t)
	for name, c := range map[string]struct{ old, new, want string }{
		"another version":  {`{"v":1,`, `{"v":2,`, "leaf: version 2 found, this program reads version 1"},
		"no version":       {`{"v":1,`, `{`, `found where "{\"v\":" is needed`},
		"order of fields":  {`"node":0,"index":2`, `"index":2,"node":0`, `found where ",\"node\":" is needed`},
		"space":            {`"index":2`, `"index": 2`, "a number is needed"},
		"space inside":     {`"play":"0-2",`, `"play": "0-2",`, "a value of JSON is needed"},
		"leading zero":     {`"index":2`, `"index":02`, "not in the form of the log"},
		"other escape":     {`\u003c`, `<`, "not in the form of the log"},
		"fraction":         {`220,2,9780]]`, `220.5,2,9780]]`, `found where "," is needed`},
		"number too large": {`"index":2`, `"index":9223372036854775808`, "out of range"},
		"text too much":    {`"rows":`, `"rows":[]}`, "stand behind the leaf"},
		"broken command":   {`"command":{`, `"command":{{`, "a value of JSON is needed"},
		"no command":       {`"command":{"player":"1","draw":"loto-2020-06-22","lines":["5-9-21-36-39+5"]}`, `"command":`, "a value of JSON is needed"},
		"postings no list": {`"postings":[`, `"postings":{`, `found where ",\"postings\":[" is needed`},
		"posting of four":  {`,220,2,9780]]`, `,220,2]]`, `found where "," is needed`},
		"comma missing":    {`],["plays"`, `]["plays"`, "a value of JSON is needed"},
		"end missing":      {`"",0,0]]}`, `"",0,0]]`, `found where "}" is needed`},
	} {
		t.Run(name, func(t *testing.T) {
			bad := strings.Replace(body, c.old, c.new, 1)
			if bad == body {
				t.Fatal("nothing was changed")
			}
			if _, _, err := logbook.ParseLeaf([]byte(bad)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q", err, c.want)
			}
		})
	}
}

func FuzzParseLeaf(f *testing.F) {
	f.Add(purchase().Append(nil))
	f.Add((&logbook.Leaf{Command: json.RawMessage("null"), Result: json.RawMessage(`"\""`)}).Append(nil))
	f.Fuzz(func(t *testing.T, body []byte) {
		l, rows, err := logbook.ParseLeaf(body)
		head, headErr := logbook.ParseHead(body)
		if err != nil {
			return
		}
		if headErr != nil || head.Index != l.Index || head.At != l.At || head.Kind != l.Kind || head.Key != l.Key {
			t.Errorf("%q opens with %+v, %v", body, head, headErr)
		}
		again := string(l.Append(nil))
		lines := make([]string, len(rows))
		for i, r := range rows {
			lines[i] = string(r)
		}
		again = strings.TrimSuffix(again, "]}") + strings.Join(lines, ",") + "]}"
		if again != string(body) {
			t.Errorf("%q reads as %q", body, again)
		}
	})
}

// The texts of leaves are those of encoding/json, whichever path writes them.
func FuzzText(f *testing.F) {
	for _, s := range []string{"", "player/42", `"\`, "<&>", "é", "\u2028\x00\x7f", "\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		want, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		got := logbook.AppendRow(nil, logbook.Row{Table: s})
		if string(got) != "["+string(want)+"]" {
			t.Errorf("%q is written %s, encoding/json writes %s", s, got, want)
		}
	})
}

func TestRowOfAnotherTypeIsBrokenCode(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a column of type int was written")
		}
	}()
	logbook.AppendRow(nil, logbook.Row{Table: "t", Fields: []any{1}})
}
