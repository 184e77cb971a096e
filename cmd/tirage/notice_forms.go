package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"

	"tirage/central"
	"tirage/notices"
)

// noticeListCmd is `tirage notice list`.
type noticeListCmd struct {
	drawsDB
	Game string `placeholder:"GAME" help:"Of one game alone."`
}

// Run lists the published notices, the newest first.
func (c *noticeListCmd) Run(p *program) error {
	return c.look(func(ctx context.Context, snap central.Snapshot) error {
		list, err := notices.Published(ctx, snap)
		if err != nil {
			return err
		}
		list = slices.DeleteFunc(list, func(n *central.Notice) bool { return c.Game != "" && n.Game != c.Game })
		if c.JSON {
			return p.printJSON(list)
		}
		t := table{align: "llll"}
		for _, n := range list {
			t.add(n.Draw, fmt.Sprint(n.Main, " + ", n.Extra), "payable through "+n.Claims, fmt.Sprint("version ", n.Version))
		}
		t.print(p.out, "")
		return nil
	})
}

// noticeShowCmd is `tirage notice show`.
type noticeShowCmd struct {
	DB   string `name:"db" required:"" placeholder:"DB" help:"The path of an SQLite file, or the URL (postgres://…) or settings (host=… dbname=…) of PostgreSQL."`
	Draw string `arg:"" help:"Draw: loto-2018-10-29; with --form csv also a game, for its whole archive."`
	Form string `enum:"html,pdf,json,csv" default:"json" help:"html (a fragment of a page), pdf, json, or csv (the row of the operator's archive)."`
	Lang string `enum:"fr,en" default:"fr" help:"Language of html and pdf."`
	Out  string `short:"o" placeholder:"FILE" help:"Write there instead."`
}

// Run writes one form of a notice: of the published one, else of the draft that waits for its publication.
func (c *noticeShowCmd) Run(p *program) error {
	db := drawsDB{DB: c.DB}
	return db.look(func(ctx context.Context, snap central.Snapshot) error {
		published, err := notices.Published(ctx, snap)
		if err != nil {
			return err
		}
		text, err := c.form(ctx, snap, published)
		if err != nil {
			return err
		}
		if c.Out != "" {
			return os.WriteFile(c.Out, text, 0o644)
		}
		_, err = p.out.Write(text)
		return err
	})
}

func (c *noticeShowCmd) form(ctx context.Context, snap central.Snapshot, published []*central.Notice) ([]byte, error) {
	if c.Form == "csv" && slices.ContainsFunc(published, func(n *central.Notice) bool { return n.Game == c.Draw }) {
		return notices.CSV(c.Draw, published)
	}
	i := slices.IndexFunc(published, func(n *central.Notice) bool { return n.Draw == c.Draw })
	var n *central.Notice
	if i >= 0 {
		n = published[i]
	} else {
		draft, err := central.ReadDraft(ctx, snap, c.Draw)
		if err != nil {
			return nil, err
		}
		n = &draft.Notice
	}
	switch lang := notices.Lang(c.Lang); c.Form {
	case "html":
		page, err := notices.HTML(n, lang)
		return []byte(page), err
	case "pdf":
		return notices.PDF(n, lang)
	case "csv":
		return notices.Row(n, published)
	case "json":
		return notices.JSON(n)
	}
	return nil, errors.New("accepted forms: html, pdf, json, csv")
}
