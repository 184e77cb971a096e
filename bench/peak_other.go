//go:build !unix

package bench

import "os"

// peakOf returns 0: the system does not tell.
func peakOf(*os.ProcessState) float64 { return 0 }
