package main

import (
	"context"
	"fmt"

	"tirage/central"
)

// noticeCmd is `tirage notice`: the notices (avis) of settled draws.
type noticeCmd struct {
	List    noticeListCmd    `cmd:"" help:"Published notices, the newest first."`
	Show    noticeShowCmd    `cmd:"" help:"Write a notice as a page, a document, JSON, or rows of the operator's archive."`
	Draft   noticeDraftCmd   `cmd:"" help:"Draft the notice of a settled draw, unless the schedule has."`
	Publish noticePublishCmd `cmd:"" help:"Publish a drafted notice, as another person than who drafted it or recorded the result."`
}

// noticeOf names the draw of a notice.
type noticeOf struct {
	drawsActor
	Draw string `arg:"" help:"Draw: loto-2018-10-29."`
}

type noticeDraftCmd struct{ noticeOf }

// Run drafts, in the name of who acts, else of the system.
func (c *noticeDraftCmd) Run(p *program) error {
	return c.act(p, func(ctx context.Context, d *desk) error {
		o := d.Operator
		if c.As != "" {
			o = o.As("staff/" + c.As)
		}
		n, err := o.Draft(ctx, c.Draw)
		if err != nil {
			return err
		}
		return c.print(p, n, func() string { return fmt.Sprintf("the notice of %s is drafted: another person publishes it", c.Draw) })
	})
}

type noticePublishCmd struct{ noticeOf }

// Run publishes.
func (c *noticePublishCmd) Run(p *program) error {
	who, err := c.staff()
	if err != nil {
		return err
	}
	return c.act(p, func(ctx context.Context, d *desk) error {
		var n *central.Notice
		if n, err = d.Publish(ctx, c.Draw, who); err != nil {
			return err
		}
		return c.print(p, n, func() string { return fmt.Sprintf("the notice of %s is published", c.Draw) })
	})
}
