package combin

// fold sends the sets of hits of one draw to bins, no bin holding two pairs of hits: a perfect hash made by one
// multiplication, as chess programs look up the moves of a rook.
//
// A word c of a simple combination keeps of the draw the bits c&drawn, at most seven of them, spread over the word. Times
// mul, each bit adds a copy of mul shifted to its place; the top foldBits bits of the sum are the bin. For a mul taken at
// random, the chance that no two pairs of hits meet in one bin is about 1 in 3 for six drawn numbers and 1 in 24 for seven.
type fold struct {
	drawn Combination
	mul   uint64
	pairs [foldBins]pair // what the words of each bin hit
}

const (
	// foldBits was measured: one bit less takes some thirty times the tries for seven numbers; one more, and the tables of
	// [fold.count] outgrow a first-level cache of 48 KB.
	foldBits = 9
	foldBins = 1 << foldBits
	// foldTries bounds the search. Over all 19 068 840 draws of Loto it takes at most 38 tries, over all 139 838 160 of
	// Euro Millions 671. A draw of another matrix that finds none is counted word by word, to the same result.
	foldTries = 1 << 12
	// foldFrom is the number of words from which a search, some microseconds, pays.
	foldFrom = 1 << 12
)

// bin returns the bin of what a word shares with the draw.
func bin(hit Combination, mul uint64) uint64 { return uint64(hit) * mul >> (64 - foldBits) }

// newFold searches a multiplier for the draw. The search is a fixed sequence: the same draw has the same fold.
func newFold(drawn Combination, tries int) (*fold, bool) {
	f := &fold{drawn: drawn}
	for i := range tries {
		f.mul = scramble(uint64(i) + 1)
		if f.fill() {
			return f, true
		}
	}
	return nil, false
}

// fill records the pair of hits of every subset of the draw in its bin, and reports whether no two pairs met in one.
func (f *fold) fill() bool {
	clear(f.pairs[:])
	for hit := Combination(0); ; {
		p, at := pairOf(hit), &f.pairs[bin(hit, f.mul)]
		if *at != 0 && *at != p {
			return false
		}
		*at = p
		// Counting up in the bits of the draw alone: the bits between them carry over.
		if hit = (hit - f.drawn) & f.drawn; hit == 0 {
			return true
		}
	}
}

// pair is a pair of hits packed in a byte, 1 + 3·main + extra; 0 is none.
type pair uint8

func pairOf(hit Combination) pair {
	k, h := hit.Hits(hit)
	return pair(1 + k*(ExtraHits+1) + h)
}

func (p pair) hits() (main, extra int, ok bool) {
	if p == 0 {
		return 0, 0, false
	}
	return int(p-1) / (ExtraHits + 1), int(p-1) % (ExtraHits + 1), true
}

// scramble is the output function of the SplitMix64 generator (Steele, Lea, Flood 2014): it spreads 1, 2, 3 … over all words.
func scramble(x uint64) uint64 {
	x *= 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
