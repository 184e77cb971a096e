// Package banlist answers from a file whether a person is banned from play: the port [central.BanList] for an operator who is sent the
// national list as a file.
//
// # File
//
// UTF-8, one person a line, between a first line that names the format and a last one that counts the persons, so that a file that is empty,
// cut short or still being copied is none:
//
//	tirage-banlist 1
//	DUPONT;JEAN;1980-02-29
//	D'ÉTÉ-NOËL;Zoé Marie;1975-12-01
//	end 2
//
// Capitals, accents, hyphens and spaces make no difference.
//
// # It fails closed
//
// The file is read again when it has changed. Where it is missing, unreadable or damaged, or older than it may be, there is no answer, not even from what
// was read before; the domain then refuses what needs one. Answers are signed and dated, so that no channel can make one up.
//
//	list := banlist.New("/etc/tirage/banlist.txt", keys.BanList, vault.SystemClock{})
//	clearance, err := list.Ask(ctx, person)
package banlist

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/mod/sumdb/note"
	"tirage/central"
)

const (
	header = "tirage-banlist 1"
	// MaxSize bounds the file, in bytes: some two million persons.
	MaxSize = 64 << 20
)

// File is a ban list in a file. Several goroutines may ask it.
type File struct {
	path   string
	signer note.Signer
	clock  central.Clock
	MaxAge time.Duration // of the file's last change; 0: any

	mu   sync.Mutex
	read stamp
	list *List // as read at that stamp
}

// stamp tells one content of the file from another without reading it.
type stamp struct {
	at   time.Time
	size int64
}

// New returns the list in a file, which is read when it is first asked.
func New(path string, signer note.Signer, clock central.Clock) *File {
	return &File{path: path, signer: signer, clock: clock}
}

// Ask returns a signed answer about a person.
func (f *File) Ask(_ context.Context, person *central.Person) (string, error) {
	l, err := f.current()
	if err != nil {
		return "", fmt.Errorf("ban list: %w", err)
	}
	digest := person.Digest()
	c := central.Clearance{Person: digest, Banned: l.Names(digest), List: l.Digest, At: f.clock.Now().UnixMicro()}
	return central.SignPaper(c, f.signer)
}

// current returns the list as it stands in the file now.
func (f *File) current() (*List, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	info, err := os.Stat(f.path)
	if err != nil {
		f.list = nil
		return nil, err
	}
	if age := f.clock.Now().Sub(info.ModTime()); f.MaxAge > 0 && age > f.MaxAge {
		return nil, fmt.Errorf("%s was last changed %v ago, accepted at most %v", f.path, age.Round(time.Second), f.MaxAge)
	}
	now := stamp{info.ModTime(), info.Size()}
	if f.list != nil && now == f.read {
		return f.list, nil
	}
	f.list = nil
	l, err := f.load()
	if err != nil {
		return nil, err
	}
	f.read, f.list = now, l
	return l, nil
}

func (f *File) load() (*List, error) {
	file, err := os.Open(f.path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	b, err := io.ReadAll(io.LimitReader(file, MaxSize+1))
	if err != nil {
		return nil, err
	}
	if len(b) > MaxSize {
		return nil, fmt.Errorf("%s holds more than %d bytes", f.path, MaxSize)
	}
	l, err := Parse(b)
	if err != nil {
		return nil, fmt.Errorf("%s:%w", f.path, err)
	}
	return l, nil
}

// List is a list that was read whole.
type List struct {
	Digest  string // SHA-256 of the file
	persons map[string]bool
}

// Names reports whether the list names a person, by [central.Person.Digest].
func (l *List) Names(digest string) bool { return l.persons[digest] }

// Len returns the number of persons.
func (l *List) Len() int { return len(l.persons) }

// Parse reads a list. Errors begin with the number of the line and do not repeat what stands there: it names people.
func Parse(b []byte) (*List, error) {
	sum := sha256.Sum256(b)
	l := &List{Digest: hex.EncodeToString(sum[:]), persons: map[string]bool{}}
	lines := bufio.NewScanner(bytes.NewReader(b))
	n, persons, ended := 0, 0, false
	for lines.Scan() {
		n++
		line := strings.TrimSuffix(lines.Text(), "\r")
		switch {
		case n == 1 && line == header:
		case n == 1:
			return nil, fmt.Errorf("1: accepted %q", header)
		case ended:
			return nil, fmt.Errorf("%d: a line after the last one", n)
		case strings.HasPrefix(line, "end "):
			count, err := strconv.Atoi(line[len("end "):])
			if err != nil || count != persons {
				return nil, fmt.Errorf("%d: the last line counts other than the %d persons before it", n, persons)
			}
			ended = true
		default:
			person, err := parsePerson(line)
			if err != nil {
				return nil, fmt.Errorf("%d: %w", n, err)
			}
			l.persons[person.Digest()] = true
			persons++
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%d: %w", n+1, err)
	}
	if !ended {
		return nil, fmt.Errorf("%d: the last line, %q and the number of persons, is missing", n+1, "end")
	}
	return l, nil
}

func parsePerson(line string) (*central.Person, error) {
	fields := strings.Split(line, ";")
	if len(fields) != 3 {
		return nil, fmt.Errorf("%d fields, accepted FAMILY;GIVEN;YYYY-MM-DD", len(fields))
	}
	if _, err := time.Parse(time.DateOnly, fields[2]); err != nil || fields[0] == "" || fields[1] == "" {
		return nil, fmt.Errorf("accepted FAMILY;GIVEN;YYYY-MM-DD")
	}
	return &central.Person{Family: fields[0], Given: fields[1], Birth: fields[2]}, nil
}
