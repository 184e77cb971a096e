package server

import (
	"context"
	"os"

	"tirage/central"
	"tirage/central/recount"
	"tirage/sealed"
	"tirage/web"
)

// Control says where the independent control system is. Its program is looked for whenever it is needed: while it is not there every draw waits, and goes on when
// it was built.
type Control struct {
	Program string // built of the folder control, such as "bin/control"
	Sealed  string // folder of the sealed files, made where there is none
	Key     string // file of the control's key
	// State says how the control stands, for the pages; nil: whether its program is there.
	State func() ControlState
}

// ControlState says whether the independent control can count.
type ControlState = web.ControlState

const (
	ControlReady    = web.ControlReady
	ControlBuilding = web.ControlBuilding
	ControlMissing  = web.ControlMissing
)

// controlState says how the control stands; one inside the process is always ready.
func (s *Server) controlState() ControlState {
	switch c := s.cfg.Control; {
	case c == nil:
		return ControlReady
	case c.State != nil:
		return c.State()
	case c.there():
		return ControlReady
	}
	return ControlMissing
}

// there reports whether the program is.
func (c *Control) there() bool {
	info, err := os.Stat(c.Program)
	return err == nil && info.Mode().IsRegular()
}

// control gives the operator its control.
func (s *Server) control() {
	c := s.cfg.Control
	if c == nil {
		s.Operator.Control = &recount.Recounter{Store: s.cfg.Store, Signer: s.cfg.Keys.Control, Secret: s.Operator.OpenSecret}
		return
	}
	archive := &sealed.Archive{Dir: c.Sealed, Pseudonym: s.cfg.Keys.Pseudonym}
	s.Operator.Archive = archive
	s.Operator.Control = &installed{sealed.Control{Archive: archive, Program: c.Program, Key: c.Key, Operator: s.cfg.Keys.Public(central.RoleOperator)}, c}
}

// installed is the control where its program is there.
type installed struct {
	sealed.Control
	at *Control
}

// CountSales has the sealed plays counted.
func (c *installed) CountSales(ctx context.Context, draw string) (string, error) {
	return c.now().CountSales(ctx, draw)
}

// CountResult has the drawn result worked out.
func (c *installed) CountResult(ctx context.Context, draw string) (string, error) {
	return c.now().CountResult(ctx, draw)
}

func (c *installed) now() central.Control {
	if !c.at.there() {
		return central.NoControl{}
	}
	return &c.Control
}
