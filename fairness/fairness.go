// Package fairness turns a secret into numbers that nobody can foresee and anybody can check afterwards: quick picks
// (Système Flash), the order of the random codes, winning codes.
//
// It is pure. A [Secret] is made once for each draw, from a source of true randomness that is not in this package. When sales
// open, its commitment is published ([Commit]); it fixes the secret and tells nothing of it. After the draw the secret itself
// is published: whoever has it checks the commitment ([CheckCommit]) and derives every number again. A number depends on the
// secret and on what it is for, and on nothing else: neither on the clock, nor on other players, nor on how often it is asked
// for.
//
//	commitment := fairness.Commit(secret, "loto-2020-06-22")                            // published when sales open
//	grid := fairness.QuickPick(secret, "loto-2020-06-22", play, line, 0, matrix, format) // at the sale
//	ok := fairness.CheckCommit(commitment, revealed, "loto-2020-06-22")                 // by anybody, after the draw
//
// # Specification
//
// A verifier in any language needs SHA-256, HMAC and whole numbers only (testdata/reference.py is one, in Python; it made
// testdata/vectors.json). ‖ joins bytes; numbers are in 8 bytes, big-endian; texts are UTF-8:
//
//	derive(secret, label, context) = HMAC-SHA-256(key: secret, message: label ‖ 0x00 ‖ context)
//
//	commitment to a secret     derive(secret, "tirage/1 commitment", context)
//	key of a series of codes   derive(secret, "tirage/1 code key", series)
//	key of a stream            derive(secret, "tirage/1 stream", context)
//	stream of bytes            SHA-256(key ‖ 0) ‖ SHA-256(key ‖ 1) ‖ SHA-256(key ‖ 2) ‖ …
//
// The label keeps the three apart: a commitment, which is public, is no part of any outcome. No label holds a zero byte, so
// the first one ends it.
//
// A stream gives numbers. Uniform(n), evenly among 0 … n−1, takes the next word of the stream: 4 bytes when n ≤ 2³², 8 bytes
// above. A word at or above the largest multiple of n that is at most 2³² (2⁶⁴) is dropped and the next one taken; the number
// is the word modulo n. Without the dropping, small numbers would come more often than large ones.
//
// Sample(n, k), evenly among the sets of k of the numbers 0 … n−1, is Floyd's method: for j = n−k, n−k+1, … n−1 let
// t = Uniform(j+1); add t to the set, or j when t is in it already.
//
// The number of n digits of a game that is added to a play (Joker+) is Uniform(10ⁿ) on the stream with the context
// "number/DRAW/PLAY/GAME", with leading zeros.
//
// A quick pick of format f is Sample(main numbers of the game, f.Main), then Sample(extra numbers, f.Extra), each number
// plus 1, on the stream with the context "quick pick/DRAW/PLAY/LINE/ATTEMPT", its three numbers in decimals. The order of the
// random codes is [codes.Permutation] under the key of their series.
//
// Where no balls are used ([Generator]), the drawn numbers are a pick of the simple format on the stream with the context "drawn/DRAW/numbers/PUBLIC"; the
// winning codes of a series Sample(codes issued, codes drawn) on "drawn/DRAW/codes/SERIES/PUBLIC", counted through the packs by type and number, then through
// the plays in the order of the logs; the number of Joker+ Uniform(10⁷) on "drawn/DRAW/number/jokerplus/PUBLIC". PUBLIC is "beacon/CHAIN/ROUND/VALUE", VALUE the
// SHA-256 of the signature of the round in hex (package beacon), or "hands/FIRST/SECOND", the 32 bytes that each of two people gave, in hex.
//
// Another version of this specification has other labels ("tirage/2 …").
//
// Where someone who knows the secret could profit from it, as in the draw of winning codes, the context of the stream also
// holds a public value that was not known when the commitment was published.
package fairness

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
)

// Labels of the uses of a secret.
const (
	labelCommitment = "tirage/1 commitment"
	labelCodeKey    = "tirage/1 code key"
	labelStream     = "tirage/1 stream"
)

// Secret is what every number of a draw is derived from: 32 bytes of true randomness. It is printed as "[secret]" and can't
// be marshalled, so that no log holds one by mistake; Reveal writes it out.
type Secret [32]byte

// Reveal returns the secret as 64 hexadecimal digits, to publish it after the draw.
func (s Secret) Reveal() string { return hex.EncodeToString(s[:]) }

// ParseSecret reads what Reveal writes. Its error does not repeat the input.
func ParseSecret(revealed string) (Secret, error) {
	var s Secret
	if len(revealed) != hex.EncodedLen(len(s)) {
		return Secret{}, fmt.Errorf("secret of %d characters: accepted %d hexadecimal digits", len(revealed), hex.EncodedLen(len(s)))
	}
	if _, err := hex.Decode(s[:], []byte(revealed)); err != nil {
		return Secret{}, fmt.Errorf("secret with a character that is no hexadecimal digit: accepted %d of 0–9 and a–f", hex.EncodedLen(len(s)))
	}
	return s, nil
}

// Format prints "[secret]" whatever the verb.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "[secret]") }

// MarshalText refuses: a secret in a document is a leak, unless it is written with Reveal.
func (s Secret) MarshalText() ([]byte, error) {
	return nil, errors.New("a secret is not marshalled: Reveal writes it out")
}

// Commit returns the commitment to a secret for a context, such as the name of the draw: it can be published, and no other
// secret opens it.
func Commit(s Secret, context string) [32]byte { return derive(s, labelCommitment, context) }

// CheckCommit says whether the secret is the one that was committed to.
func CheckCommit(commitment [32]byte, s Secret, context string) bool {
	return Commit(s, context) == commitment
}

// CodeKey returns the key under which the random codes of a series are ordered, see [tirage/rules/codes.NewSheet].
func CodeKey(s Secret, series string) [32]byte { return derive(s, labelCodeKey, series) }

// derive makes of a secret what one label and one context are for.
func derive[T string | []byte](s Secret, label string, context T) [sha256.Size]byte {
	var room [128]byte // contexts are short: the message stays on the stack
	m := append(room[:0], label...)
	m = append(m, 0)
	m = append(m, context...)
	return mac(s, m)
}

// mac is HMAC-SHA-256 (RFC 2104) for a key of 32 bytes. Package crypto/hmac gives the same bytes; it allocates its two hashes
// each time, which takes four times as long for messages as short as ours.
func mac(key Secret, message []byte) [sha256.Size]byte {
	var inner [sha256.BlockSize + 128]byte
	var outer [sha256.BlockSize + sha256.Size]byte
	for i := range sha256.BlockSize {
		inner[i], outer[i] = 0x36, 0x5c
	}
	for i, k := range key {
		inner[i] ^= k
		outer[i] ^= k
	}
	sum := sha256.Sum256(append(inner[:sha256.BlockSize], message...))
	copy(outer[sha256.BlockSize:], sum[:])
	return sha256.Sum256(outer[:])
}
