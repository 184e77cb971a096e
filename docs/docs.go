// Package docs holds the pages that the program itself reads, so that what people read and what is counted are one file.
package docs

import _ "embed"

// Sentences is sentences.md: the two regulations sentence by sentence, with the versioned article and the kind of each.
//
//go:embed sentences.md
var Sentences string

// Permissions is permissions.md: which role may do what.
//
//go:embed permissions.md
var Permissions string
