//go:build unix

package bench

import (
	"os"
	"runtime"
	"syscall"
)

// peakOf returns the most memory that an ended process has held, in MiB.
func peakOf(s *os.ProcessState) float64 {
	usage, ok := s.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return float64(usage.Maxrss) / (1 << 20) // bytes there, KiB elsewhere
	}
	return float64(usage.Maxrss) / (1 << 10)
}
