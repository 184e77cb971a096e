// The same checks for a browser: see web/verify, which loads them.
package main

import (
	"bytes"
	"encoding/json"
	"syscall/js"

	"tirage/verify"
)

// main gives the page one function, tirageVerify(kind, text, keys, language) → JSON {ok, verdict, lines, report} or {error}, and waits for calls.
func main() {
	js.Global().Set("tirageVerify", js.FuncOf(func(_ js.Value, args []js.Value) any {
		var texts [4]string
		for i := range texts {
			if i < len(args) && args[i].Type() == js.TypeString {
				texts[i] = args[i].String()
			}
		}
		answer, err := json.Marshal(check(texts[0], texts[1], texts[2], texts[3]))
		if err != nil {
			return `{"error":"internal"}`
		}
		return string(answer)
	}))
	select {}
}

// answered is what the page shows.
type answered struct {
	OK      bool           `json:"ok"`
	Verdict string         `json:"verdict,omitempty"`
	Lines   []line         `json:"lines,omitempty"`
	Report  *verify.Report `json:"report,omitempty"`
	Error   string         `json:"error,omitempty"`
}

type line struct {
	OK   bool   `json:"ok"`
	Text string `json:"text"`
}

func check(kind, text, key, lang string) answered {
	var report *verify.Report
	if kind == string(verify.KindRound) {
		report = verify.Round([]byte(text))
	} else {
		keys, err := verify.Keys(key)
		if err != nil {
			return answered{Error: err.Error()}
		}
		switch verify.Kind(kind) {
		case verify.KindReceipt:
			report = verify.Receipt([]byte(text), keys)
		case verify.KindDraw:
			report = verify.Draw(bytes.NewReader([]byte(text)), keys)
		case verify.KindCheckpoint:
			report = verify.Checkpoints([][]byte{[]byte(text)}, keys, nil)
		default:
			return answered{Error: "kind: accepted receipt, checkpoint, draw, round"}
		}
	}
	a := answered{OK: report.OK(), Verdict: report.Verdict(lang), Report: report}
	for i := range report.Findings {
		f := &report.Findings[i]
		a.Lines = append(a.Lines, line{f.OK, f.Words(lang)})
	}
	return a
}
