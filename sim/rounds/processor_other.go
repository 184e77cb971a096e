//go:build !unix

package rounds

import "time"

// processorTime returns 0: there is no such measure here, the clock serves.
func processorTime() time.Duration { return 0 }
