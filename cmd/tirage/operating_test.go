package main

import (
	"os"
	"reflect"
	"strings"
	"testing"
)

// The page about running the server has a row for each flag of it, with its environment and default.
func TestOperatingPage(t *testing.T) {
	page, err := os.ReadFile("../../docs/operating.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]string{}
	for line := range strings.Lines(string(page)) {
		if cells := strings.Split(line, "|"); len(cells) == 6 && strings.HasPrefix(cells[1], " `--") {
			rows[strings.Trim(cells[1], " `")] = line
		}
	}
	cmd := reflect.TypeFor[serveCmd]()
	for i := range cmd.NumField() {
		f := cmd.Field(i)
		flag := "--" + f.Tag.Get("name")
		if flag == "--" {
			flag += kebab(f.Name)
		}
		row := rows[flag]
		for _, want := range []string{"`" + f.Tag.Get("env") + "`", f.Tag.Get("default")} {
			if row == "" || !strings.Contains(row, want) {
				t.Errorf("%s: the page says %q, without %s", flag, row, want)
			}
		}
		if f.Tag.Get("help") == "" || f.Tag.Get("env") == "" {
			t.Errorf("%s is not explained by --help, or has no name in the environment", flag)
		}
		delete(rows, flag)
	}
	if len(rows) > 0 {
		t.Errorf("the page explains what there is not: %v", rows)
	}
}

// kebab writes a name of Go as kong writes its flag.
func kebab(name string) string {
	var b strings.Builder
	for i, r := range name {
		if r >= 'A' && r <= 'Z' && i > 0 {
			b.WriteByte('-')
		}
		b.WriteRune(r)
	}
	return strings.ToLower(b.String())
}
