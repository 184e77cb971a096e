package logbook_test

import (
	"encoding/json"
	"fmt"

	"tirage/logbook"
)

// A writer accepts two commands; whoever is shown a salt and a body can work out the hash that the tree holds.
func Example() {
	var tree logbook.Tree
	for i, kind := range []string{"create_player", "deposit"} {
		leaf := logbook.Leaf{Index: int64(i), Principal: "system", Key: "k" + kind, Kind: kind, Command: json.RawMessage("{}"), Result: json.RawMessage("{}")}
		body := leaf.Append(nil)
		salt := make([]byte, logbook.SaltSize) // random bytes
		tree.Add(logbook.Hash(salt, body))
		fmt.Println(string(body))
	}
	kept := tree.AppendEdge(nil)
	again, err := logbook.ParseTree(tree.Size, kept)
	fmt.Println(again.Size, again.Root(), err)
	// Output:
	// {"v":1,"node":0,"index":0,"at":0,"principal":"system","key":"kcreate_player","kind":"create_player","command":{},"result":{},"postings":[],"rows":[]}
	// {"v":1,"node":0,"index":1,"at":0,"principal":"system","key":"kdeposit","kind":"deposit","command":{},"result":{},"postings":[],"rows":[]}
	// 2 VbeoUbLUiiGPiyKHGpz9HUvewAWKHw/kKqxiyW5EEPY= <nil>
}
