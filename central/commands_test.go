package central_test

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"tirage/central"
	"tirage/internal/covers"
	"tirage/logbook"
	"tirage/rules/money"
	"tirage/store/storetest"
)

// kindsInCode reads the kinds of all commands from the source.
func kindsInCode(t *testing.T) (kinds []string) {
	t.Helper()
	names, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range names {
		if !strings.HasSuffix(n.Name(), ".go") || strings.HasSuffix(n.Name(), "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), n.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv == nil || fn.Name.Name != "Kind" || len(fn.Body.List) != 1 {
				continue
			}
			ret, ok := fn.Body.List[0].(*ast.ReturnStmt)
			if !ok || len(ret.Results) != 1 {
				continue
			}
			if lit, ok := ret.Results[0].(*ast.BasicLit); ok {
				kind, err := strconv.Unquote(lit.Value)
				if err != nil {
					t.Fatal(err)
				}
				kinds = append(kinds, kind)
			}
		}
	}
	slices.Sort(kinds)
	return kinds
}

// The list of commands is all of them, by kind.
func TestCommandsAreAllListed(t *testing.T) {
	var listed []string
	for _, c := range central.Commands() {
		listed = append(listed, c.Kind())
	}
	if code := kindsInCode(t); !slices.Equal(listed, code) {
		t.Errorf("commands.go lists %q, the code has %q", listed, code)
	}
}

// aimed fills the fields of a command so that it is about a play: its player, its draw, its pack type, its stake.
func aimed(c central.Command, play *central.Play) central.Command {
	v := reflect.ValueOf(c)
	pointer := v.Kind() == reflect.Pointer
	if pointer {
		v = v.Elem()
	}
	filled := reflect.New(v.Type())
	for i := range v.NumField() {
		f := filled.Elem().Field(i)
		if !f.CanSet() {
			continue
		}
		switch name := v.Type().Field(i).Name; f.Interface().(type) {
		case int64:
			f.SetInt(map[string]int64{"Player": play.Player, "Shares": 1, "Version": 1, "Hours": 24, "Months": 0, "Minutes": 30, "Credential": 1}[name])
		case int:
			f.SetInt(24)
		case money.Cents:
			f.SetInt(int64(play.Stake))
		case string:
			text, ok := map[string]string{
				"Draw": play.Draw, "Play": central.PlayID(play.ID), "Type": "ten", "Of": central.LimitStakes, "Game": "donuts", "Day": "2020-06-29",
			}[name]
			if !ok {
				text = "x"
			}
			f.SetString(text)
		case []string:
			f.Set(reflect.ValueOf([]string{"small", "ten"}))
		case []central.Line:
			f.Set(reflect.ValueOf([]central.Line{quick(5, 1)}))
		case bool:
			f.SetBool(true)
		case time.Time:
			f.Set(reflect.ValueOf(time.UnixMicro(play.At)))
		case central.Channel:
			f.SetString(string(central.ChannelWeb))
		}
	}
	for _, none := range []string{"Further", "AddOns", "Packs"} { // what a good sale has not
		if f := filled.Elem().FieldByName(none); f.IsValid() {
			f.SetZero()
		}
	}
	if pointer {
		return filled.Interface().(central.Command)
	}
	return filled.Elem().Interface().(central.Command)
}

// lines writes the rows of a table as the log does.
func lines(w *storetest.World, table central.TableID) (list []string) {
	for _, r := range rows(w, w.Store, table) {
		list = append(list, string(logbook.AppendRow(nil, logbook.Row{Table: central.Schema[table].Name, Fields: r.Fields()})))
	}
	return list
}

// No command takes a play back, whoever asks for it and whatever the state of the draw: after each one every play stands as it was sold, with what
// it plays, and no stake has gone back to a player. A sale is final.
func TestNoCommandCancelsAPlay(t *testing.T) {
	covers.Covers(t, "P39", "P40", "P73", "P74")
	accepted := map[string]bool{}
	for _, story := range []string{"open", "closed", "approved", "added"} {
		for _, c := range central.Commands() {
			w := newWorld(t)
			stories[story](w)
			play := rows(t, w.Store, central.Plays)[0].(*central.Play)
			cmd := aimed(c, play)
			tables := []central.TableID{central.Plays, central.AddOnRows, central.PackContents}
			var before [3][]string
			for i, table := range tables {
				before[i] = lines(w, table)
			}
			leaves := len(rows(t, w.Store, central.Leaves))
			for _, at := range []time.Time{w.Clock.Now(), instant(t, lotoDay+" 20:15:00")} {
				w.Clock.Set(at)
				for _, who := range []string{central.PlayerPrincipal(play.Player), central.SystemPrincipal, "staff/officer"} {
					if _, err := w.Try(who, cmd); err == nil {
						accepted[c.Kind()] = true
					}
				}
			}
			for i, table := range tables {
				now := lines(w, table)
				for _, row := range before[i] {
					if !slices.Contains(now, row) {
						t.Errorf("%s while the draw is %s: %s is gone or another", c.Kind(), story, row)
					}
				}
			}
			for _, r := range rows(t, w.Store, central.Leaves)[leaves:] {
				var leaf struct{ Postings []json.RawMessage }
				if err := json.Unmarshal(r.(*central.LeafRow).Body, &leaf); err != nil {
					t.Fatal(err)
				}
				for _, p := range leaf.Postings {
					if s := string(p); strings.Contains(s, `"stakes/`) && strings.Index(s, `"stakes/`) < strings.Index(s, `"player/`) {
						t.Errorf("%s while the draw is %s gives a stake back: %s", c.Kind(), story, s)
					}
				}
			}
			w.CheckBooks()
			w.Register.Close()
		}
	}
	t.Logf("%d of %d commands were accepted as they were aimed", len(accepted), len(central.Commands()))
	for _, kind := range []string{"buy_play", "buy_shares", "set_limit", "exclude_player", "close_draw"} {
		if !accepted[kind] {
			t.Errorf("%s was never accepted: it was not tried", kind)
		}
	}
	// A store is never told to delete a row, nor to replace one of a play: what a batch writes has no such thing.
	changes := reflect.TypeFor[central.Changes]()
	var fields []string
	for i := range changes.NumField() {
		fields = append(fields, changes.Field(i).Name)
	}
	if got := fmt.Sprint(fields); got != "[New Put Add]" || !central.Schema[central.Plays].Append || !central.Schema[central.AddOnRows].Append {
		t.Errorf("changes %s; plays are replaced: %v", got, !central.Schema[central.Plays].Append)
	}
}
