//go:build !linux

package pgserver

import (
	"errors"
	"os"
	"syscall"
)

type owner struct{}

func unprivileged() (*owner, error) {
	if os.Geteuid() == 0 {
		return nil, errors.New("PostgreSQL does not run as root: start this program as another user")
	}
	return nil, nil
}

func (*owner) own(string) error                 { return nil }
func (*owner) attributes() *syscall.SysProcAttr { return nil }
