//go:build unix

package rounds

import (
	"syscall"
	"time"
)

// processorTime returns the processor time of this program so far: on a busy machine the clock would charge one program for the
// others.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
