// Package beacon checks the rounds of a public randomness beacon, drand: a network of operators who cannot foresee, only together, what they will publish
// every few seconds. A round is chosen before anybody knows it; once it is published, anybody checks it with the public key of the network, offline.
//
//	round := beacon.Quicknet.RoundAfter(draw)          // fixed when the sales open
//	err := beacon.Quicknet.Check(round, signature)     // by anybody, when it is published
//	value := beacon.Randomness(signature)              // 32 bytes that nobody chose
//
// A chain has the scheme bls-unchained-g1-rfc9380: the signature of round r, 48 bytes, is the BLS signature on G1 (RFC 9380, BLS12-381) of
// SHA-256(r in 8 bytes, big-endian) under a key on G2. There is exactly one: whoever holds parts of the key can withhold a round, and cannot choose among values.
// The package is pure: it asks no network and reads no clock.
package beacon

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/cloudflare/circl/sign/bls"
)

// Scheme is the scheme of the chains that are accepted, as drand names it.
const Scheme = "bls-unchained-g1-rfc9380"

// SignatureSize is the length of the signature of a round, in bytes.
const SignatureSize = 48

// Chain is one beacon: who signs, since when, how often.
type Chain struct {
	Hash      string // its name, 64 hexadecimal digits
	PublicKey string // 96 bytes in hex
	Genesis   int64  // Unix seconds of round 1
	Period    int64  // seconds between two rounds
}

// Quicknet is the chain of the League of Entropy that publishes a round every three seconds since 23 August 2023.
var Quicknet = &Chain{
	Hash:      "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
	PublicKey: "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
	Genesis:   1692803367,
	Period:    3,
}

// Info is what drand publishes of a chain (GET /HASH/info), as far as it is needed.
type Info struct {
	PublicKey string `json:"public_key"`
	Period    int64  `json:"period"`
	Genesis   int64  `json:"genesis_time"`
	Hash      string `json:"hash"`
	GroupHash string `json:"groupHash"`
	SchemeID  string `json:"schemeID"`
	Metadata  struct {
		BeaconID string `json:"beaconID"`
	} `json:"metadata"`
}

// infoMax bounds a description of a chain, in bytes: drand's has some 600.
const infoMax = 1 << 14

// ParseChain reads what drand publishes of a chain, and refuses one whose hash is not that of its own fields: the hash names the key.
func ParseChain(info []byte) (*Chain, error) {
	if len(info) > infoMax {
		return nil, fmt.Errorf("chain of %d bytes: accepted at most %d", len(info), infoMax)
	}
	var i Info
	if err := json.Unmarshal(info, &i); err != nil {
		return nil, fmt.Errorf("chain: %w", err)
	}
	c := &Chain{Hash: strings.ToLower(i.Hash), PublicKey: strings.ToLower(i.PublicKey), Genesis: i.Genesis, Period: i.Period}
	switch hash, err := i.hash(); {
	case i.SchemeID != Scheme:
		return nil, fmt.Errorf("chain of scheme %.40q: accepted %s", i.SchemeID, Scheme)
	case err != nil:
		return nil, err
	case hash != c.Hash:
		return nil, fmt.Errorf("chain %.64q: its fields have the hash %s", i.Hash, hash)
	}
	return c, c.check()
}

// hash works out the name of a chain as drand does: SHA-256 of period, genesis, public key, group hash and, unless it is the default, name of the beacon.
func (i *Info) hash() (string, error) {
	key, err1 := hex.DecodeString(i.PublicKey)
	group, err2 := hex.DecodeString(i.GroupHash)
	if err := errors.Join(err1, err2); err != nil {
		return "", fmt.Errorf("chain: %w", err)
	}
	b := binary.BigEndian.AppendUint32(nil, uint32(i.Period))
	b = binary.BigEndian.AppendUint64(b, uint64(i.Genesis))
	b = append(append(b, key...), group...)
	if id := i.Metadata.BeaconID; id != "" && id != "default" {
		b = append(b, id...)
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:]), nil
}

func (c *Chain) check() error {
	if c.Period < 1 || c.Period > 86400 || c.Genesis < 1 || c.Genesis > 1<<40 {
		return fmt.Errorf("chain: a round every %d seconds since %d, accepted 1 to 86400 since 1970", c.Period, c.Genesis)
	}
	_, err := c.key()
	return err
}

func (c *Chain) key() (*bls.PublicKey[bls.KeyG2SigG1], error) {
	b, err := hex.DecodeString(c.PublicKey)
	if err != nil {
		return nil, fmt.Errorf("public key of the chain: %w", err)
	}
	key := new(bls.PublicKey[bls.KeyG2SigG1])
	if err := key.UnmarshalBinary(b); err != nil || !key.Validate() {
		return nil, errors.New("public key of the chain: accepted a point of G2, 96 bytes")
	}
	return key, nil
}

// Time returns when a round is published.
func (c *Chain) Time(round int64) time.Time {
	return time.Unix(c.Genesis+(round-1)*c.Period, 0).UTC()
}

// RoundAfter returns the first round that is published later than an instant: at that instant nobody knows it. It is 0 before the chain begins.
func (c *Chain) RoundAfter(t time.Time) int64 {
	if t.Unix() < c.Genesis {
		return 0
	}
	return (t.Unix()-c.Genesis)/c.Period + 2
}

// Message returns what is signed of a round.
func Message(round int64) []byte {
	sum := sha256.Sum256(binary.BigEndian.AppendUint64(nil, uint64(round)))
	return sum[:]
}

// Check refuses what is not the signature of that round.
func (c *Chain) Check(round int64, signature []byte) error {
	key, err := c.key()
	if err != nil {
		return err
	}
	if round < 1 || len(signature) != SignatureSize {
		return fmt.Errorf("round %d with a signature of %d bytes: accepted a round from 1 on and %d bytes", round, len(signature), SignatureSize)
	}
	if !bls.Verify(key, Message(round), signature) {
		return fmt.Errorf("it is not the signature of round %d by the beacon %.8s…", round, c.Hash)
	}
	return nil
}

// Randomness returns the value of a round: SHA-256 of its signature.
func Randomness(signature []byte) [sha256.Size]byte { return sha256.Sum256(signature) }
