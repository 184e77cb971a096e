package main

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// Papers are signed notes in the form of Go's checksum database: the text, an empty line, then "— NAME BASE64", where the base64 holds four bytes that name
// the key and the Ed25519 signature of the text. The text of a paper is one line of JSON.

const algorithm = 1 // Ed25519

// signature opens a line with a signature.
const signature = "— "

// keyHash returns the four bytes that name a public key.
func keyHash(name string, public []byte) uint32 {
	h := sha256.New()
	h.Write([]byte(name + "\n"))
	h.Write(append([]byte{algorithm}, public...))
	return binary.BigEndian.Uint32(h.Sum(nil))
}

// parseKey reads "NAME+HASH+BASE64".
func parseKey(text string) (name string, hash uint32, key []byte, err error) {
	name, rest, ok1 := strings.Cut(strings.TrimSpace(text), "+")
	digits, encoded, ok2 := strings.Cut(rest, "+")
	sum, err1 := hex.DecodeString(digits)
	key, err2 := base64.StdEncoding.DecodeString(encoded)
	if !ok1 || !ok2 || err1 != nil || err2 != nil || len(sum) != 4 || len(key) != 33 || key[0] != algorithm {
		return "", 0, nil, errors.New("a key is needed in the form NAME+HASH+BASE64")
	}
	return name, binary.BigEndian.Uint32(sum), key[1:], nil
}

// readPaper decodes a paper; with a public key it must be signed with it.
func readPaper(signed []byte, public string, into any) error {
	text, signatures, ok := strings.Cut(string(signed), "\n\n")
	if !ok {
		return errors.New("a signed paper is needed: a line of JSON, an empty line, a signature")
	}
	if public != "" {
		if err := verify(text+"\n", signatures, public); err != nil {
			return err
		}
	}
	return json.Unmarshal([]byte(text), into)
}

func verify(text, signatures, public string) error {
	name, hash, key, err := parseKey(public)
	if err != nil {
		return err
	}
	if keyHash(name, key) != hash {
		return errors.New("the public key is damaged")
	}
	for line := range strings.Lines(signatures) {
		encoded, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), signature+name+" ")
		sig, err := base64.StdEncoding.DecodeString(encoded)
		if ok && err == nil && len(sig) == 4+ed25519.SignatureSize && binary.BigEndian.Uint32(sig) == hash && ed25519.Verify(key, []byte(text), sig[4:]) {
			return nil
		}
	}
	return fmt.Errorf("it is not signed by %s", name)
}

// signPaper writes a paper and signs it with the first line of a key file: "PRIVATE+KEY+NAME+HASH+BASE64".
func signPaper(v any, keyFile string) (string, error) {
	line, _, _ := strings.Cut(keyFile, "\n")
	private, ok := strings.CutPrefix(strings.TrimSpace(line), "PRIVATE+KEY+")
	name, hash, seed, err := parseKey(private)
	if !ok || err != nil {
		return "", errors.New("the control's key cannot be read")
	}
	key := ed25519.NewKeyFromSeed(seed)
	if keyHash(name, key.Public().(ed25519.PublicKey)) != hash {
		return "", errors.New("the control's key is damaged")
	}
	body, err := json.Marshal(v)
	if err != nil {
		return "", err
	}
	text := string(body) + "\n"
	sig := binary.BigEndian.AppendUint32(nil, hash)
	sig = append(sig, ed25519.Sign(key, []byte(text))...)
	return text + "\n" + signature + name + " " + base64.StdEncoding.EncodeToString(sig) + "\n", nil
}
