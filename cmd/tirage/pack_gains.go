package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"tirage/archive"
	"tirage/games"
	"tirage/rules/money"
	"tirage/rules/prize"
	"tirage/rules/rulebook"
)

// archivedGains returns the unit gains of one draw of a published archive, rank 1 first, 0 at a rank without winner: what is printed there
// was paid to nobody.
func archivedGains(book *rulebook.Rulebook, path, day string) (unit []money.Cents, from string, err error) {
	held, err := games.InForce(book.Header.Game, day)
	if err != nil {
		return nil, "", fmt.Errorf("--draw: %w", err)
	}
	f, err := archive.Open(path)
	if err != nil {
		return nil, "", fmt.Errorf("--archive: %w", err)
	}
	if f.Game != book.Header.Game {
		return nil, "", fmt.Errorf("--archive %s holds draws of %s: accepted those of %s", path, f.Game, book.Header.Game)
	}
	draws := f.ByDate()
	for _, d := range draws {
		if d.Date != day {
			continue
		}
		if !d.Counted() {
			return nil, "", fmt.Errorf("%s:%d: the draw of %s has no winners: accepted a draw that was counted", path, d.Line, day)
		}
		for _, r := range d.Ranks {
			if r.Winners == 0 {
				r.Gain = 0
			}
			unit = append(unit, r.Gain)
		}
		return unit, fmt.Sprintf("the draw of %s, %s, in %s", day, held.Header.Version(), filepath.Base(path)), nil
	}
	return nil, "", fmt.Errorf("--draw %s: no draw on that day in %s; accepted: days of draws from %s to %s", day, path, draws[0].Date, draws[len(draws)-1].Date)
}

// fundFile is what --fund reads: the terms of one pooled draw and its winners.
type fundFile struct {
	Fund       amount  `toml:"fund" json:"fund"`       // common fund; pool of ranks 2 to 8 of Loto
	Winners    []int64 `toml:"winners" json:"winners"` // winning simple combinations in all, rank 1 first
	Jackpot    amount  `toml:"jackpot" json:"jackpot"` // announced for rank 1 (Loto, Grand Loto de Noël)
	Position   int     `toml:"position" json:"position"`
	Carry      amount  `toml:"carry" json:"carry"`
	Super      amount  `toml:"super" json:"super"`
	AfterSuper bool    `toml:"after_super" json:"after_super"`
}

// amount is an amount of euros, with or without quotes. It is read from the characters of the file: 2.20 never becomes a binary
// fraction. It is no integer type: the TOML reader would store a bare 15000000 as that many cents.
type amount struct{ cents money.Cents }

// UnmarshalText reads a value of a TOML file.
func (a *amount) UnmarshalText(text []byte) error {
	c, err := money.Parse(strings.ReplaceAll(string(text), "_", "")) // TOML groups digits: 31_237_440
	a.cents = c
	return err
}

// UnmarshalJSON reads a value of a JSON file.
func (a *amount) UnmarshalJSON(text []byte) error {
	return a.UnmarshalText(bytes.Trim(text, `"`))
}

// maxFundFile bounds the file, in bytes: the largest has thirteen counts and six amounts.
const maxFundFile = 64 << 10

// fundGains returns the unit gains that the rules make of the fund and the winners in the file, rank 1 first.
func fundGains(book *rulebook.Rulebook, path string) ([]money.Cents, error) {
	if book.Prizes.Model == prize.Fixed {
		return nil, fmt.Errorf("--fund: the gains of %s are fixed; accepted for a game whose gains depend on the winners", book.Header.Version())
	}
	data, err := readFund(path)
	if err != nil {
		return nil, fmt.Errorf("--fund: %w", err)
	}
	in, err := parseFund(path, data)
	if err != nil {
		return nil, fmt.Errorf("--fund: %w", err)
	}
	unit, err := in.gains(book)
	if err != nil {
		return nil, fmt.Errorf("--fund %s: %w", path, err)
	}
	return unit, nil
}

// gains returns the unit gains of the draw, rank 1 first, 0 at a rank without winner.
func (in fundFile) gains(book *rulebook.Rulebook) ([]money.Cents, error) {
	s, err := prize.Settle(*book.Prizes, prize.Terms{
		Cycle: prize.Cycle{
			Position: in.Position, Jackpot: in.Jackpot.cents, Carry: in.Carry.cents, AfterSuper: in.AfterSuper,
		},
		Super: in.Super.cents,
		Fund:  in.Fund.cents,
	}, in.Winners)
	return s.Unit, err
}

func readFund(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFundFile+1))
	if err == nil && len(data) > maxFundFile {
		err = fmt.Errorf("%s: more than %d bytes", path, maxFundFile)
	}
	return data, err
}

// parseFund reads JSON where the name of the file ends so, TOML otherwise.
func parseFund(path string, data []byte) (in fundFile, err error) {
	line := 0
	if filepath.Ext(path) == ".json" {
		line, err = parseFundJSON(data, &in)
	} else {
		line, err = parseFundTOML(data, &in)
	}
	if err == nil {
		return in, nil
	}
	where := path
	if line > 0 {
		where = fmt.Sprintf("%s:%d", path, line)
	}
	return fundFile{}, fmt.Errorf("%s: %w; accepted keys: fund, winners, jackpot, position, carry, super, after_super", where, err)
}

// parseFundJSON returns the line of the error.
func parseFundJSON(data []byte, in *fundFile) (line int, err error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err = dec.Decode(in); err == nil {
		if _, err = dec.Token(); errors.Is(err, io.EOF) {
			return 0, nil
		}
		err = errors.New("more than one value")
	}
	return 1 + bytes.Count(data[:min(dec.InputOffset(), int64(len(data)))], []byte("\n")), err
}

// parseFundTOML returns the line of the error.
func parseFundTOML(data []byte, in *fundFile) (line int, err error) {
	err = toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields().Decode(in)
	var wrong *toml.DecodeError
	var missing *toml.StrictMissingError
	switch {
	case errors.As(err, &missing):
		line, _ = missing.Errors[0].Position()
		err = fmt.Errorf("unknown key %.40q", missing.Errors[0].Key())
	case errors.As(err, &wrong):
		line, _ = wrong.Position()
	}
	return line, err
}
