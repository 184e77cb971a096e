// Package evenings holds the scenarios of tirage as files, so that the program carries those that it shows. docs/scenarios.md has
// their grammar.
package evenings

import _ "embed"

// Loto20200622 is the real evening of 22 June 2020.
//
//go:embed loto-2020-06-22.txt
var Loto20200622 []byte

// Loto20200622File is the file that [Loto20200622] is.
const Loto20200622File = "loto-2020-06-22.txt"
