package tower

import (
	"net/http"
	"strconv"

	"tirage/central"
	"tirage/web/kit"
)

// show answers with the state: to a script the parts that changed, to anybody else the whole page.
func (s *scene) show() error {
	if s.Fragment() {
		return s.Write(parts(s))
	}
	return s.Show(s.frame(s.headline(), "game.js"), gamePage(s))
}

// frame is a page of the game with a script.
func (s *scene) frame(title, script string) kit.Page {
	p := kit.Page{Title: title, Nav: kit.NavDonuts, Bare: true, Tint: "tint-donut", Styles: []string{assets.Path("game.css")}}
	if script != "" {
		p.Scripts = []string{assets.Path(script)}
	}
	return p
}

// headline is the title of the page.
func (s *scene) headline() string {
	name := "Pile Up Donuts\u202f!"
	if s.practice {
		name = s.T("Entraînement", "Practice") + ", " + name
	}
	if t := s.title(); s.id != "" {
		return t + " · " + name
	}
	return name
}

// base is the path below which the forms of the round go.
func (s *scene) base() string {
	if s.practice {
		return Path + "/practice"
	}
	return Path
}

// stepText is the step that the player sees, for a form.
func (s *scene) stepText() string { return strconv.FormatInt(s.step, 10) }

// promised names the commitment to the next series, for the device to remember: "ROUND/N HEX", "" when none is open.
func (s *scene) promised() string {
	if !s.open() {
		return ""
	}
	return s.id + "/" + strconv.FormatInt(s.step+1, 10) + " " + hexText(s.promise)
}

// still is what a script needs to draw the state without a movement.
func (s *scene) still() string {
	return asJSON(struct {
		Pile []donut `json:"pile"`
		Fell bool    `json:"fell"`
		Open bool    `json:"open"`
	}{s.pile(), s.phase == phaseLost, !s.over()})
}

// dropped is the series that comes down, "" for none.
func (s *scene) dropped() string {
	if s.drop == nil {
		return ""
	}
	return asJSON(s.drop)
}

// column is the heading of the amounts of the ladder.
func (s *scene) column() string {
	if s.phase == phaseLost {
		return s.T("Palier", "Level")
	}
	return s.T("Gain", "Gain")
}

// statusOf is the status of a page that tells a refusal.
func statusOf(code central.Code) int {
	switch code {
	case central.Invalid:
		return http.StatusUnprocessableEntity
	case central.NotFound:
		return http.StatusNotFound
	case central.Forbidden:
		return http.StatusForbidden
	case central.Unavailable:
		return http.StatusServiceUnavailable
	}
	return http.StatusConflict
}
