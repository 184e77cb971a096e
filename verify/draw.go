package verify

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"
	"tirage/fairness"
	"tirage/fairness/beacon"
	"tirage/fairness/replay"
	"tirage/games"
	"tirage/logbook"
	"tirage/rules/codes"
	"tirage/rules/combin"
	"tirage/rules/rulebook"
)

// DrawFormat names the version of the file.
const DrawFormat = "tirage/draw/1"

// MaxDrawLine bounds a line of a published draw, in bytes: a pack of several thousand grids stays below.
const MaxDrawLine = 8 << 20

// DrawFile is the first line of a published draw. Behind it every pack stands in a line of its own, then every play, as a [DrawEntry]; nothing tells whose they are.
type DrawFile struct {
	Format      string     `json:"format"`
	Draw        string     `json:"draw"`
	Game        string     `json:"game"`
	Exceptional bool       `json:"exceptional,omitempty"` // codes Euro Millions are issued too
	Commitment  replay.Hex `json:"commitment"`            // published when the sales opened
	Secret      replay.Hex `json:"secret"`                // published after the draw
	Packs       int64      `json:"packs"`
	Plays       int64      `json:"plays"`
	Opening     *Leaf      `json:"opening"`             // the leaf by which the draw was opened, which holds the commitment
	Generator   *Generated `json:"generator,omitempty"` // where no balls were drawn
}

// DrawEntry is a pack or a play of a published draw. Shares of a pack have no line: what they play stands with the pack.
type DrawEntry struct {
	Pack         string    `json:"pack,omitempty"`  // "TYPE/N"
	Play         string    `json:"play,omitempty"`  // node-leaf
	At           time.Time `json:"at,omitzero"`     // of a play: when it was sold
	Rules        string    `json:"rules"`           // of the sale
	Given        bool      `json:"given,omitempty"` // contents of a pack that were given, of a reconstructed draw
	Combinations int64     `json:"combinations"`
	Grids        []Grid    `json:"grids"`
	Attempts     string    `json:"attempts,omitempty"` // LINE:ATTEMPT of the quick picks that were not drawn first, because a combination was sold out
	CodeAt       []int64   `json:"code_at"`            // place of the first code, by series
	Codes        []CodeRun `json:"codes"`
}

// openingRow is a row of the table draws.
type openingRow struct {
	ID, Game, Day, State                     string
	OpensAt, ClosesAt, Exceptional, Reopened int64
	Secret, Commitment                       []byte
	SeqFloor, SeqFloor2                      int64
	Resume                                   string
	Version, Slices, Paid                    int64
}

func (r *openingRow) fields() []any {
	return []any{&r.ID, &r.Game, &r.Day, &r.State, &r.OpensAt, &r.ClosesAt, &r.Exceptional, &r.Reopened, &r.Secret, &r.Commitment,
		&r.SeqFloor, &r.SeqFloor2, &r.Resume, &r.Version, &r.Slices, &r.Paid}
}

// Draw derives a published draw again: the secret opens the commitment that stood in the log when the sales opened, every quick pick and every code follows from
// the secret, the packs of each type are numbered without a hole, no place of a code is given twice. Where no balls were drawn the numbers follow from the secret and a beacon:
// quicknet of drand, or one of those named, for an operator who signs rounds alone could choose among them.
func Draw(r io.Reader, keys note.Verifiers, beacons ...*beacon.Chain) *Report {
	report := &Report{Kind: KindDraw}
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 1<<16), MaxDrawLine)
	d := &drawCheck{beacons: beacons, issued: map[string][]codes.Run{}, packs: map[string]int64{}, sheets: map[string]*codes.Sheet{}}
	if !report.add(CheckFile, d.begin(lines)) {
		return report
	}
	report.What = d.head.Draw
	c, err := d.head.Opening.checkpoint(keys)
	if !report.add(CheckCheckpoint, err) {
		return report
	}
	report.Log, report.Size = c.Origin, c.Size
	if !report.add(CheckOpening, d.checkOpening(c)) {
		return report
	}
	secret := fairness.Secret(d.head.Secret)
	if !fairness.CheckCommit([32]byte(d.head.Commitment), secret, d.head.Draw) {
		err = errors.New("another secret would open it")
	}
	if !report.add(CheckSecret, err) {
		return report
	}
	d.secret = secret
	if d.head.Generator != nil {
		err := d.checkGenerated(keys)
		if err == nil {
			d.drawn, err = d.seriesDrawn()
		}
		if !report.add(CheckNumbers, err) {
			return report
		}
	}
	if err := d.entries(lines); err != nil {
		report.add(CheckFile, err)
		return report
	}
	report.add(CheckPicks, d.picksErr)
	report.note("%d", d.picks)
	report.add(CheckCodes, errors.Join(d.codesErr, d.overlap()))
	report.note("%d", d.codes)
	if d.head.Generator != nil {
		report.add(CheckDrawnCodes, d.checkDrawnCodes())
	}
	return report
}

// drawCheck is what one check has read so far. Of the errors of each kind the first is kept.
type drawCheck struct {
	head     DrawFile
	beacons  []*beacon.Chain // accepted beside quicknet
	closes   int64           // announced at the opening, microseconds
	secret   fairness.Secret
	picks    int64
	codes    int64
	picksErr error
	codesErr error
	packs    map[string]int64 // by type: how many so far
	typ      string           // of the last pack
	plays    int64
	last     int64 // id of the last play
	issued   map[string][]codes.Run
	sheets   map[string]*codes.Sheet

	generator *fairness.Generator // nil: balls were drawn
	drawn     []*drawnSeries
}

// begin reads the first line.
func (d *drawCheck) begin(lines *bufio.Scanner) error {
	if !lines.Scan() {
		return errors.Join(fmt.Errorf("no draw of format %s", DrawFormat), lines.Err())
	}
	h := &d.head
	if err := unmarshal(lines.Bytes(), h); err != nil {
		return fmt.Errorf("no draw of format %s: %w", DrawFormat, err)
	}
	switch {
	case h.Format != DrawFormat:
		return fmt.Errorf("format %.40q: accepted %q", h.Format, DrawFormat)
	case len(h.Commitment) != 32 || len(h.Secret) != 32:
		return fmt.Errorf("commitment and secret of %d and %d bytes: accepted 32 and 32", len(h.Commitment), len(h.Secret))
	case h.Opening == nil || h.Packs < 0 || h.Plays < 0:
		return errors.New("no opening, or no number of packs and plays")
	}
	return nil
}

// checkOpening checks that the draw was opened with this commitment.
func (d *drawCheck) checkOpening(c logbook.Checkpoint) error {
	if err := d.head.Opening.prove(c); err != nil {
		return err
	}
	_, lines, err := logbook.ParseLeaf([]byte(d.head.Opening.Body))
	if err != nil {
		return err
	}
	for _, line := range lines {
		if !bytes.HasPrefix(line, []byte(`["draws",`)) {
			continue
		}
		var r openingRow
		if err := readRow(line, r.fields()); err != nil {
			return err
		}
		if r.ID == d.head.Draw && r.Game == d.head.Game && (r.Exceptional == 1) == d.head.Exceptional && bytes.Equal(r.Commitment, d.head.Commitment) && r.State == "open" {
			d.closes = r.ClosesAt
			return nil
		}
	}
	return fmt.Errorf("the leaf does not open draw %.40s with the commitment %x", d.head.Draw, []byte(d.head.Commitment))
}

// entries reads the packs and the plays.
func (d *drawCheck) entries(lines *bufio.Scanner) error {
	var packs int64
	for n := 2; lines.Scan(); n++ {
		var e DrawEntry
		if err := unmarshal(lines.Bytes(), &e); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		id, name, err := d.place(&e)
		if err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		if e.Pack != "" {
			packs++
		}
		book, err := games.Version(e.Rules)
		if err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		if err := d.checkPicks(&e, book, id, name); err != nil && d.picksErr == nil {
			d.picksErr = fmt.Errorf("%s: %w", e.name(), err)
		}
		d.note(&e)
		if err := d.checkCodes(&e, book); err != nil && d.codesErr == nil {
			d.codesErr = fmt.Errorf("%s: %w", e.name(), err)
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	if packs != d.head.Packs || d.plays != d.head.Plays {
		return fmt.Errorf("%d packs and %d plays stand here, %d and %d are announced", packs, d.plays, d.head.Packs, d.head.Plays)
	}
	return nil
}

func (e *DrawEntry) name() string {
	if e.Pack != "" {
		return "pack " + e.Pack
	}
	return "play " + e.Play
}

// place returns by what number and name the quick picks of an entry are drawn. Packs come without a hole, so that none can have been thrown away because of what
// it held; plays come in the order of the log.
func (d *drawCheck) place(e *DrawEntry) (id int64, name string, err error) {
	if e.Pack == "" {
		id, err = idOfPlay(e.Play)
		if err == nil && id <= d.last {
			err = fmt.Errorf("play %s stands behind play %s", e.Play, playID(d.last))
		}
		d.last = id
		d.plays++
		return id, d.head.Draw, err
	}
	i := strings.LastIndexByte(e.Pack, '/')
	if i < 0 || d.plays > 0 || e.Play != "" {
		return 0, "", fmt.Errorf("pack %.40q: accepted TYPE/NUMBER, before the plays", e.Pack)
	}
	typ := e.Pack[:i]
	if typ < d.typ {
		return 0, "", fmt.Errorf("pack %.40q stands behind those of type %.40q", e.Pack, d.typ)
	}
	d.typ = typ
	if n := d.packs[typ]; e.Pack[i+1:] != strconv.FormatInt(n, 10) {
		return 0, "", fmt.Errorf("pack %.40q stands where %s/%d should", e.Pack, typ, n)
	}
	d.packs[typ]++
	return d.packs[typ] - 1, d.head.Draw + "/" + typ, nil
}

// checkPicks draws the quick picks of an entry again.
func (d *drawCheck) checkPicks(e *DrawEntry, book *rulebook.Rulebook, id int64, name string) error {
	attempts, err := attemptsOf(e.Attempts)
	if err != nil {
		return err
	}
	if len(attempts) > 0 && book.Sale.MaxIdentical == 0 {
		return fmt.Errorf("attempts %.40q: no combination of %s is ever sold out", e.Attempts, book.Header.Title)
	}
	combos := int64(0)
	for i, g := range e.Grids {
		c, err := combin.Parse(g.Grid)
		if err == nil {
			err = book.Matrix.Check(c)
		}
		if err != nil {
			return err
		}
		combos += c.Count(book.Matrix)
		if !g.Quick {
			continue
		}
		d.picks++
		if again := fairness.QuickPick(d.secret, name, id, i, attempts[i], book.Matrix, c.Format()); again != c {
			return fmt.Errorf("grid %d is %v, the secret gives %v", i+1, c, again)
		}
	}
	switch {
	case combos != e.Combinations:
		return fmt.Errorf("the grids decompose into %d simple combinations, %d are written", combos, e.Combinations)
	case e.Pack != "" && !e.Given && slices.ContainsFunc(e.Grids, func(g Grid) bool { return !g.Quick }):
		return errors.New("a pack is drawn by the system, every grid of it")
	}
	return nil
}

// attemptsOf reads LINE:ATTEMPT pairs.
func attemptsOf(text string) (map[int]int, error) {
	if text == "" {
		return nil, nil
	}
	list := map[int]int{}
	for piece := range strings.SplitSeq(text, " ") {
		line, attempt, _ := strings.Cut(piece, ":")
		l, err := strconv.Atoi(line)
		a, err2 := strconv.Atoi(attempt)
		if err != nil || err2 != nil || l < 0 || a < 1 {
			return nil, fmt.Errorf("attempts %.40q: accepted LINE:ATTEMPT", text)
		}
		list[l] = a
	}
	return list, nil
}

// checkCodes derives the codes of an entry again, series by series.
func (d *drawCheck) checkCodes(e *DrawEntry, book *rulebook.Rulebook) error {
	at := e.At
	if e.Pack != "" {
		var err error
		if at, err = PackSoldAt(e.Rules); err != nil {
			return err
		}
	}
	series, err := seriesAt(book, at)
	if err != nil {
		return err
	}
	series = slices.DeleteFunc(series, func(s codes.Series) bool { return s.Exceptional && !d.head.Exceptional })
	if len(e.Codes) != len(series) || len(e.CodeAt) != len(series) {
		return fmt.Errorf("codes of %d series at %d places, the rules issue %d", len(e.Codes), len(e.CodeAt), len(series))
	}
	for i := range series {
		s, run := &series[i], &e.Codes[i]
		if run.Series != s.ID {
			return fmt.Errorf("codes of series %.20q, the rules issue %s", run.Series, s.ID)
		}
		if err := checkRun(s, run, e.Combinations, e.CodeAt[i]); err != nil {
			return err
		}
		place := codes.Run{Zone: s.ZoneFor(e.Combinations), Start: e.CodeAt[i], Count: e.Combinations}
		scope := fmt.Sprintf("%s/%v", s.ID, place.Zone)
		d.issued[scope] = append(d.issued[scope], place)
		d.codes += e.Combinations
		if place.Zone == codes.SequentialZone {
			continue
		}
		sheet, err := d.sheet(s)
		if err != nil {
			return err
		}
		again, err := sheet.Printed(place)
		if err != nil {
			return err
		}
		if !slices.Equal(again, run.All) {
			return fmt.Errorf("codes %.60s, the secret gives %.60s", strings.Join(run.All, ", "), strings.Join(again, ", "))
		}
	}
	return nil
}

// PackSoldAt is the instant by which the games that are sold with a pack are looked up: the first day of effect of the rules under which its type was opened. A
// pack is sold to many, under rules that all make the same pack.
func PackSoldAt(rules string) (time.Time, error) {
	book, err := games.Version(rules)
	if err != nil {
		return time.Time{}, err
	}
	day, err := time.Parse(time.DateOnly, book.Header.Effective)
	return day.Add(12 * time.Hour), err // it is that day in Paris
}

func (d *drawCheck) sheet(s *codes.Series) (*codes.Sheet, error) {
	if sheet := d.sheets[s.ID]; sheet != nil {
		return sheet, nil
	}
	sheet, err := codes.NewSheet(*s, fairness.CodeKey(d.secret, s.ID))
	if err != nil {
		return nil, err
	}
	d.sheets[s.ID] = &sheet
	return &sheet, nil
}

// overlap finds a place of a code that was given twice.
func (d *drawCheck) overlap() error {
	for scope, runs := range d.issued {
		slices.SortFunc(runs, func(a, b codes.Run) int { return int(min(max(a.Start-b.Start, -1), 1)) })
		for i := 1; i < len(runs); i++ {
			if runs[i].Start < runs[i-1].Start+runs[i-1].Count {
				return fmt.Errorf("place %d of %s is given twice", runs[i].Start, scope)
			}
		}
	}
	return nil
}

// WriteDrawLine writes a line of a published draw.
func WriteDrawLine(w io.Writer, v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = w.Write(append(line, '\n'))
	return err
}
