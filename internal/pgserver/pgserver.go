// Package pgserver runs a PostgreSQL server of its own: in a folder of its own, as a user who is not root, reachable through a socket in that
// folder and nowhere else. Tests and the bench use it, so that they need no server to be set up and touch none that is.
//
//	s, err := pgserver.Start(ctx, pgserver.Options{})
//	defer s.Stop()
//	dsn, err := s.Create(ctx, "bench")
//
// The server is a child of this process. It is stopped by its process id, and where the kernel can do that it ends when this process dies.
package pgserver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// ErrNotInstalled says that no server program was found on this machine.
var ErrNotInstalled = errors.New("PostgreSQL is not installed (on Debian: apt-get install postgresql)")

const (
	// User is the superuser of the server. It needs no password: only the owner of the folder reaches the socket.
	User = "tirage"
	// startLimit bounds the wait for the server to answer; a recovery after a crash is part of it.
	startLimit = 60 * time.Second
	// stopLimit bounds the wait for a clean end.
	stopLimit = 20 * time.Second
	port      = "5432" // names the socket; nothing listens on the network
)

// Options says how a server runs.
type Options struct {
	// Dir holds the data. An empty one is filled, one that a server left is used again and kept by Stop; "" makes a temporary folder.
	Dir string
	// Volatile gives up durability for speed: a crash of the machine may lose what was committed. For tests that measure nothing.
	Volatile bool
	// Settings of postgresql.conf beside those of this package.
	Settings map[string]string
}

// Server is a running server.
type Server struct {
	opts  Options
	bin   string // folder of the programs
	dir   string // holds data/, log and the socket
	owner *owner // nil: this user
	temp  bool   // dir is removed by Stop
	cmd   *exec.Cmd
	ended chan struct{} // closed when the process has ended
}

// Start starts a server and returns when it answers.
func Start(ctx context.Context, opts Options) (*Server, error) {
	bin, err := programs()
	if err != nil {
		return nil, err
	}
	s := &Server{opts: opts, bin: bin, dir: opts.Dir}
	if s.owner, err = unprivileged(); err != nil {
		return nil, err
	}
	if err := s.folder(); err != nil {
		return nil, err
	}
	if err := s.initialize(ctx); err != nil {
		return nil, errors.Join(err, s.remove())
	}
	if err := s.launch(ctx); err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	return s, nil
}

// programs finds the folder of initdb and postgres: in the path, as pg_config says, or where Debian keeps the newest.
func programs() (string, error) {
	if path, err := exec.LookPath("postgres"); err == nil {
		return filepath.Dir(path), nil
	}
	var dirs []string
	if out, err := exec.Command("pg_config", "--bindir").Output(); err == nil {
		dirs = append(dirs, strings.TrimSpace(string(out)))
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin") // the pattern is well formed
	slices.SortFunc(found, func(a, b string) int { return debianVersion(b) - debianVersion(a) })
	for _, dir := range append(dirs, found...) {
		if _, err := os.Stat(filepath.Join(dir, "postgres")); err == nil {
			return dir, nil
		}
	}
	return "", ErrNotInstalled
}

func debianVersion(bin string) int {
	n, _ := strconv.Atoi(filepath.Base(filepath.Dir(bin))) // no number: the oldest
	return n
}

// folder makes the folder and gives it to the user who runs the server.
func (s *Server) folder() (err error) {
	if s.dir == "" {
		s.temp = true
		s.dir, err = os.MkdirTemp("", "tirage-pg-")
	} else if s.dir, err = filepath.Abs(s.dir); err == nil {
		err = os.MkdirAll(s.dir, 0o700)
	}
	if err == nil {
		err = s.owner.own(s.dir)
	}
	return err
}

func (s *Server) data() string { return filepath.Join(s.dir, "data") }

// initialize fills an empty folder.
func (s *Server) initialize(ctx context.Context) error {
	if _, err := os.Stat(filepath.Join(s.data(), "PG_VERSION")); err == nil {
		return nil
	}
	// The locale is C: text is ordered by its bytes, as on every other engine.
	args := []string{"-D", s.data(), "-U", User, "-A", "trust", "-E", "UTF8", "--locale=C"}
	if s.opts.Volatile {
		args = append(args, "--no-sync")
	}
	cmd := exec.CommandContext(ctx, filepath.Join(s.bin, "initdb"), args...)
	cmd.Dir = s.dir
	cmd.SysProcAttr = s.owner.attributes()
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("couldn't make a database cluster in %s: %w\n%s", s.data(), err, bytes.TrimSpace(out))
	}
	return nil
}

// launch starts the process and waits until it answers.
func (s *Server) launch(ctx context.Context) error {
	logfile, err := os.OpenFile(filepath.Join(s.dir, "log"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer logfile.Close()
	args := []string{"-D", s.data(), "-c", "listen_addresses=", "-c", "unix_socket_directories=" + s.dir, "-c", "port=" + port}
	if s.opts.Volatile {
		args = append(args, "-c", "fsync=off", "-c", "synchronous_commit=on", "-c", "full_page_writes=off")
	}
	for name, value := range s.opts.Settings {
		args = append(args, "-c", name+"="+value)
	}
	cmd := exec.Command(filepath.Join(s.bin, "postgres"), args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = s.dir, logfile, logfile
	cmd.SysProcAttr = s.owner.attributes()
	ended := make(chan struct{})
	if err := cmd.Start(); err != nil {
		return err
	}
	s.cmd, s.ended = cmd, ended
	go func() {
		_ = cmd.Wait() // how it ended stands in its log
		close(ended)
	}()
	return s.answers(ctx)
}

// answers waits until a connection succeeds.
func (s *Server) answers(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	for {
		conn, err := pgx.Connect(ctx, s.DSN("postgres"))
		if err == nil {
			return conn.Close(ctx)
		}
		select {
		case <-s.ended:
			return fmt.Errorf("PostgreSQL ended at its start:\n%s", s.logTail())
		case <-ctx.Done():
			return fmt.Errorf("PostgreSQL does not answer: %w\n%s", err, s.logTail())
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// logTail returns the end of the server's log.
func (s *Server) logTail() []byte {
	const most = 2000
	f, err := os.Open(filepath.Join(s.dir, "log"))
	if err != nil {
		return nil
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Size() > most {
		_, _ = f.Seek(-most, io.SeekEnd) // a longer text otherwise
	}
	b, _ := io.ReadAll(f) // what can be read
	return bytes.TrimSpace(b)
}

// DSN returns how to reach a database of the server.
func (s *Server) DSN(database string) string {
	return fmt.Sprintf("host=%s port=%s user=%s dbname=%s", s.dir, port, User, database)
}

// Create makes an empty database and returns how to reach it.
func (s *Server) Create(ctx context.Context, database string) (dsn string, err error) {
	return s.Copy(ctx, database, "template0")
}

// Copy makes a database with what another one holds, to which nobody may be connected, and returns how to reach it.
func (s *Server) Copy(ctx context.Context, database, from string) (dsn string, err error) {
	return s.DSN(database), s.Exec(ctx, "CREATE DATABASE "+pgx.Identifier{database}.Sanitize()+" TEMPLATE "+pgx.Identifier{from}.Sanitize())
}

// Exec runs one statement as the superuser.
func (s *Server) Exec(ctx context.Context, statement string) error {
	conn, err := pgx.Connect(ctx, s.DSN("postgres"))
	if err != nil {
		return err
	}
	_, err = conn.Exec(ctx, statement)
	return errors.Join(err, conn.Close(ctx))
}

// Dir is the folder of the server: its data, its log, its socket.
func (s *Server) Dir() string { return s.dir }

// PID is the process id of the server.
func (s *Server) PID() int { return s.cmd.Process.Pid }

// Kill ends the server as a crash does, without a word. Start again with [Server.Restart].
func (s *Server) Kill() error {
	err := s.cmd.Process.Kill()
	<-s.ended
	return err
}

// Restart starts a server that was killed; it recovers what was committed.
func (s *Server) Restart(ctx context.Context) error {
	// What the dead server's children still hold is let go of when they notice, within moments: until then a start is refused.
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	for {
		err := s.launch(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// Stop ends the server and removes its temporary folder. Connections are cut.
func (s *Server) Stop() error {
	if s.cmd != nil {
		select {
		case <-s.ended:
		default:
			_ = s.cmd.Process.Signal(syscall.SIGINT) // fast shutdown; it may have ended meanwhile
		}
		select {
		case <-s.ended:
		case <-time.After(stopLimit):
			_ = s.Kill()
		}
	}
	return s.remove()
}

func (s *Server) remove() error {
	if !s.temp {
		return nil
	}
	return os.RemoveAll(s.dir)
}
