package combin

import "slices"

// The match kernel. A draw splits millions of simple combinations, one word each, by their pair of hits. Instead of two
// population counts a word, it multiplies what the word shares with the draw by a constant found for this draw, so that
// the top bits of the product tell the pair of hits (see [fold]). Measured, this counts about twice as fast.

// CountHits adds to t the simple combinations by their hits on the drawn numbers. It reads each word once and keeps
// nothing, so that a draw can be counted piece by piece and the pieces by several cores.
// It panics when drawn holds more than 5 main or 2 extra numbers.
func CountHits(drawn Combination, simple []Combination, t *Tally) {
	mustTally(drawn)
	if len(simple) >= foldFrom {
		if f, ok := newFold(drawn, foldTries); ok {
			whole := len(simple) &^ (countWidth - 1)
			f.count(simple[:whole], t)
			simple = simple[whole:]
		}
	}
	for _, c := range simple {
		k, h := c.Hits(drawn)
		t[k][h]++
	}
}

// RankTable gives the rank that a pair of hits wins: ranks[k][h] for k main and h extra numbers; 0: no gain.
type RankTable [MainHits + 1][ExtraHits + 1]uint8

// Winner is one winning simple combination: its index in the list that was searched, and its rank.
type Winner uint64

func winner(index int, rank uint8) Winner { return Winner(index)<<8 | Winner(rank) }

// Index returns the index of the simple combination in the list.
func (w Winner) Index() int { return int(w >> 8) }

// Rank returns the rank that it wins, 1 or more.
func (w Winner) Rank() int { return int(w & 0xff) }

// ListWinners appends to dst the simple combinations that win a rank, by ascending index, and returns it. What lies
// beyond the length of dst in its array is scratch. To list some ranks only, leave the others 0 in the table.
// It panics when drawn holds more than 5 main or 2 extra numbers.
func ListWinners(drawn Combination, simple []Combination, ranks RankTable, dst []Winner) []Winner {
	mustTally(drawn)
	done := 0
	if len(simple) >= foldFrom {
		if f, ok := newFold(drawn, foldTries); ok {
			done = len(simple) &^ (listBlock - 1)
			dst = f.list(simple[:done], ranks, dst)
		}
	}
	for i, c := range simple[done:] {
		k, h := c.Hits(drawn)
		if r := ranks[k][h]; r != 0 {
			dst = append(dst, winner(done+i, r))
		}
	}
	return dst
}

// countWidth is the number of tables among which [fold.count] deals the words. Most words of a draw fall in the same few
// bins, and to add to a bin that was just written waits for the write.
const countWidth = 8

// count adds the words of simple to t. Their number is a multiple of countWidth.
func (f *fold) count(simple []Combination, t *Tally) {
	var n [countWidth][foldBins]int64
	drawn, mul := f.drawn, f.mul
	for s := simple; len(s) >= countWidth; s = s[countWidth:] {
		n[0][bin(s[0]&drawn, mul)]++
		n[1][bin(s[1]&drawn, mul)]++
		n[2][bin(s[2]&drawn, mul)]++
		n[3][bin(s[3]&drawn, mul)]++
		n[4][bin(s[4]&drawn, mul)]++
		n[5][bin(s[5]&drawn, mul)]++
		n[6][bin(s[6]&drawn, mul)]++
		n[7][bin(s[7]&drawn, mul)]++
	}
	for i, p := range f.pairs {
		if k, h, ok := p.hits(); ok {
			for w := range n {
				t[k][h] += n[w][i]
			}
		}
	}
}

// listBlock is the number of words between two looks at the room left in the list.
const listBlock = 512

// list appends the winners among the words of simple to dst. Their number is a multiple of listBlock. Each word is written
// as if it won and only a winner moves the end of the list: a branch would be guessed wrong too often.
func (f *fold) list(simple []Combination, ranks RankTable, dst []Winner) []Winner {
	var rankOf [foldBins]uint8
	for i, p := range f.pairs {
		if k, h, ok := p.hits(); ok {
			rankOf[i] = ranks[k][h]
		}
	}
	drawn, mul := f.drawn, f.mul
	for at := 0; at < len(simple); at += listBlock {
		dst = slices.Grow(dst, listBlock)
		room := (*[listBlock]Winner)(dst[len(dst) : len(dst)+listBlock])
		block := (*[listBlock]Combination)(simple[at:])
		n := uint(0) // at most as many winners as words, so n%listBlock = n where it is used
		for i := 0; i < listBlock; i += 4 {
			r0 := rankOf[bin(block[i]&drawn, mul)]
			r1 := rankOf[bin(block[i+1]&drawn, mul)]
			r2 := rankOf[bin(block[i+2]&drawn, mul)]
			r3 := rankOf[bin(block[i+3]&drawn, mul)]
			room[n%listBlock] = winner(at+i, r0)
			n += oneIf(r0)
			room[n%listBlock] = winner(at+i+1, r1)
			n += oneIf(r1)
			room[n%listBlock] = winner(at+i+2, r2)
			n += oneIf(r2)
			room[n%listBlock] = winner(at+i+3, r3)
			n += oneIf(r3)
		}
		dst = dst[:len(dst)+int(n)]
	}
	return dst
}

// oneIf returns 1 if r is not 0, without a branch.
func oneIf(r uint8) uint { return (uint(r) + 0xff) >> 8 }
