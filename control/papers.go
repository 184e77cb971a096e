package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
)

// kindCount counts the plays of one kind or with one added game.
type kindCount struct {
	Kind  string `json:"kind"`
	Plays int64  `json:"plays"`
	Cents int64  `json:"cents"`
}

// rulesCount is what was sold under one version of the rules.
type rulesCount struct {
	Rules        string `json:"rules"`
	Combinations int64  `json:"combinations"`
	Cents        int64  `json:"cents"`
}

// sales is what the plays of a draw add up to: as the manifest says, and as the control counts it.
type sales struct {
	Draw         string       `json:"draw"`
	Digest       []byte       `json:"digest"` // of the operator's own rows, which the control does not see
	File         []byte       `json:"file,omitempty"`
	Kinds        []kindCount  `json:"kinds"`
	Rules        []rulesCount `json:"rules"`
	Packs        int64        `json:"packs"`
	UnsoldShares int64        `json:"unsold_shares"`
	UnsoldCents  int64        `json:"unsold_cents"`
	Stakes       int64        `json:"stakes"`
	Findings     []string     `json:"findings,omitempty"`
}

// manifest is the operator's word on a sealed draw.
type manifest struct {
	Sales sales `json:"sales"`
	Terms struct {
		Position, Jackpot, Carry, Cap, Capped int64
		AfterSuper                            bool
		Super, Fund, OutsideStakes            int64
		Official                              []int64
		AddOns                                map[string]struct {
			Fund, OutsideStakes int64
			Official            []int64
		}
	} `json:"terms"`
	File *struct {
		Format      string `json:"format"`
		Game        string `json:"game"`
		Day         string `json:"day"`
		Exceptional bool   `json:"exceptional"`
		Parts       []struct {
			Name   string `json:"name"`
			Rows   int64  `json:"rows"`
			Bytes  int64  `json:"bytes"`
			SHA256 []byte `json:"sha256"`
		} `json:"parts"`
		Slices []struct {
			Node   int64  `json:"node"`
			Hour   int64  `json:"hour"`
			Plays  int64  `json:"plays"`
			Cents  int64  `json:"cents"`
			Digest []byte `json:"digest"`
		} `json:"slices"`
	} `json:"file"`
}

// result is what was drawn.
type result struct {
	Draw    string              `json:"draw"`
	Version int64               `json:"version"`
	Main    []int64             `json:"main"`
	Extra   []int64             `json:"extra"`
	Codes   map[string][]string `json:"codes"`
	Joker   string              `json:"joker"`
}

// outside is what is reported from elsewhere.
type outside struct {
	Draw    string             `json:"draw"`
	Version int64              `json:"version"`
	Winners []int64            `json:"winners"`
	AddOns  map[string][]int64 `json:"add_ons"`
}

type codeCount struct {
	Series string `json:"series"`
	Drawn  int64  `json:"drawn"`
	Ours   int64  `json:"ours"`
	Unit   int64  `json:"unit"`
}

// addOnCount is what the result gives to a game added to plays.
type addOnCount struct {
	Game    string  `json:"game"`
	Winners []int64 `json:"winners"`
	Outside []int64 `json:"outside,omitempty"`
	Unit    []int64 `json:"unit"`
}

// unit returns unit gain i, nil where the count has none.
func (a *addOnCount) unit(i int) any {
	if i < len(a.Unit) {
		return a.Unit[i]
	}
	return nil
}

// groupTotals is the split of group plays between their receipts.
type groupTotals struct {
	Gains    int64 `json:"gains"`
	Holders  int64 `json:"holders"`
	Rounding int64 `json:"rounding"`
}

type packTotals struct {
	Gains    int64            `json:"gains"`
	Holders  int64            `json:"holders"`
	Reserve  map[string]int64 `json:"reserve,omitempty"`
	Rounding int64            `json:"rounding"`
}

// count is what a result gives: as the operator says, and as the control works it out.
type count struct {
	Draw     string       `json:"draw"`
	Version  int64        `json:"version"`
	Winners  []int64      `json:"winners"`
	Outside  []int64      `json:"outside"`
	Unit     []int64      `json:"unit"`
	Codes    []codeCount  `json:"codes,omitempty"`
	AddOns   []addOnCount `json:"add_ons,omitempty"`
	Packs    packTotals   `json:"packs"`
	Groups   groupTotals  `json:"groups,omitzero"`
	Gains    int64        `json:"gains"`
	Credits  int64        `json:"credits"`
	Due      int64        `json:"due"`
	Slices   []struct{}   `json:"slices"` // the operator's own, by player: the control sees none
	File     []byte       `json:"file,omitempty"`
	Findings []string     `json:"findings,omitempty"`
}

// said is the operator's count: its slices are not the control's business.
type said struct {
	count
	Slices any `json:"slices"`
}

// format is the version of the files that this program reads.
const format = "tirage/sealed/1"

// fileName takes apart the name of a file of a draw.
var fileName = regexp.MustCompile(`^([a-z]+-[0-9]{4}-[0-9]{2}-[0-9]{2})\.(manifest|plays\.parquet|packs\.parquet|(?:result|outside|count)-([0-9]+)|gains-([0-9]+)\.parquet)$`)

// stems returns the draws that files belong to, each as folder/draw. A folder stands for all its draws.
func stems(files []string) (list []string, err error) {
	for _, file := range files {
		names := []string{file}
		if info, err := os.Stat(file); err == nil && info.IsDir() {
			if names, err = filepath.Glob(filepath.Join(file, "*.manifest")); err != nil {
				return nil, err
			}
		}
		for _, name := range names {
			m := fileName.FindStringSubmatch(filepath.Base(name))
			if m == nil {
				return nil, fmt.Errorf("%.100s: accepted a file of a draw, such as loto-2018-11-03.manifest, or a folder of them", file)
			}
			list = append(list, filepath.Join(filepath.Dir(name), m[1]))
		}
	}
	slices.Sort(list)
	if list = slices.Compact(list); len(list) == 0 {
		return nil, errors.New("no draw: accepted a file of a draw, such as loto-2018-11-03.manifest, or a folder of them")
	}
	return list, nil
}

// papers are the files of one draw.
type papers struct {
	stem     string
	manifest manifest
	version  int64 // of the result, 0: none yet
	result   result
	outside  outside
	said     said
}

// paperMax bounds a paper, in bytes: a count of 100 million credits stays below it.
const paperMax = 64 << 20

// readPapers reads the papers of a draw, and its latest result where there is one and it is asked for.
func readPapers(o *options, stem string) (*papers, error) {
	p := &papers{stem: stem}
	read := func(name string, into any) error {
		f, err := os.Open(stem + "." + name)
		if err != nil {
			return err
		}
		defer f.Close()
		b, err := io.ReadAll(io.LimitReader(f, paperMax+1))
		if err == nil && len(b) > paperMax {
			err = fmt.Errorf("more than %d bytes", paperMax)
		}
		if err == nil {
			err = readPaper(b, o.operator, into)
		}
		if err != nil {
			err = fmt.Errorf("%s: %w", name, err)
		}
		return err
	}
	if err := read("manifest", &p.manifest); err != nil {
		return nil, err
	}
	if f := p.manifest.File; f == nil || f.Format != format || p.manifest.Sales.Draw != filepath.Base(stem) {
		return nil, fmt.Errorf("manifest: accepted one of draw %s with a file in format %s", filepath.Base(stem), format)
	}
	if o.of == "sales" {
		return p, nil
	}
	version, err := lastVersion(stem)
	if err != nil || version == 0 {
		if err == nil && o.of == "result" {
			err = fs.ErrNotExist
		}
		return p, err
	}
	p.version = version
	n := strconv.FormatInt(version, 10)
	if err := errors.Join(read("result-"+n, &p.result), read("outside-"+n, &p.outside), read("count-"+n, &p.said)); err != nil {
		return nil, err
	}
	draw := p.manifest.Sales.Draw
	if p.result.Draw != draw || p.outside.Draw != draw || p.said.Draw != draw || p.result.Version != version || p.outside.Version != version || p.said.Version != version {
		return nil, fmt.Errorf("result, outside and count are not all of version %d of draw %s", version, draw)
	}
	return p, nil
}

// lastVersion returns the latest version of a result that has been counted, 0 when there is none.
func lastVersion(stem string) (last int64, err error) {
	names, err := filepath.Glob(stem + ".count-*")
	for _, name := range names {
		if m := fileName.FindStringSubmatch(filepath.Base(name)); m != nil && m[3] != "" {
			n, err := strconv.ParseInt(m[3], 10, 64)
			if err != nil {
				return 0, err
			}
			last = max(last, n)
		}
	}
	return last, err
}

// digest returns the SHA-256 and the size of a file.
func digest(path string) ([]byte, int64, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	h := sha256.New()
	n, err := io.Copy(h, f)
	return h.Sum(nil), n, err
}
