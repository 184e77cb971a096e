// Package mail takes letters to players: [Folder] writes them as files for a mail system to fetch.
//
// A letter is one file, ID.eml, in the form of RFC 5322: ASCII lines that end with CR LF, the text in quoted-printable (RFC 2045), what is not ASCII in a
// header as an encoded word (RFC 2047); an address with other letters than ASCII stands as it is (RFC 6532). What a letter says depends on the letter
// alone, the Message-ID and the date included, so a file that is written again has the same bytes.
//
//	From: Tirage <no-reply@tirage.example>
//	To: "Anne Martin" <anne@example.org>
//	Subject: =?utf-8?q?Gain_cr=C3=A9dit=C3=A9=C2=A0:_2,20=C2=A0=E2=82=AC?= …
//	Date: Sat, 03 Nov 2018 19:15:00 +0000
//	Message-ID: <42-0-12-3@tirage.example>
//
// A file is written under another name, forced to the disk, then renamed: whoever reads *.eml never sees half a letter. Who has sent one leaves it
// where it is or moves it to the folder sent beside it; a letter found in either place is not written again.
package mail

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"mime"
	"mime/quotedprintable"
	"net/mail"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"

	"tirage/central"
)

// Folder is a folder of letters.
type Folder struct {
	dir, sent string
	from      mail.Address
	domain    string
	mu        sync.Mutex // one delivery at a time: two of the same letter would write one file twice
}

// NewFolder makes the folder, and the folder sent within it, if they are not there. From is the address of the operator.
func NewFolder(dir string, from mail.Address) (*Folder, error) {
	at := strings.LastIndexByte(from.Address, '@')
	if at < 1 || !isASCII(from.Address) {
		return nil, fmt.Errorf("sender %q: accepted an address such as no-reply@operator.example", from.Address)
	}
	f := &Folder{dir: dir, sent: filepath.Join(dir, "sent"), from: from, domain: from.Address[at+1:]}
	if err := os.MkdirAll(f.sent, 0o700); err != nil {
		return nil, fmt.Errorf("folder of letters: %w", err)
	}
	return f, nil
}

// Deliver writes the letters that are not there, as central.Mail asks.
func (f *Folder) Deliver(ctx context.Context, letters []central.Letter) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := range letters {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := f.write(&letters[i]); err != nil {
			return fmt.Errorf("letter %.80q: %w", letters[i].ID, err)
		}
	}
	return syncFolder(f.dir) // the names, of letters that were there already too: a crash may have come before this line
}

var idForm = regexp.MustCompile(`^[0-9A-Za-z-]{1,100}$`)

func (f *Folder) write(l *central.Letter) error {
	if !idForm.MatchString(l.ID) {
		return errors.New("accepted an id of letters, digits and hyphens")
	}
	name := l.ID + ".eml"
	for _, dir := range []string{f.dir, f.sent} {
		_, err := os.Lstat(filepath.Join(dir, name))
		if err == nil {
			return nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	body, err := f.format(l)
	if err != nil {
		return err
	}
	// A crash leaves this file behind; the next attempt writes over it.
	part := filepath.Join(f.dir, l.ID+".part")
	if err := writeFile(part, body); err != nil {
		return err
	}
	return os.Rename(part, filepath.Join(f.dir, name))
}

// format writes a letter as RFC 5322 has it.
func (f *Folder) format(l *central.Letter) ([]byte, error) {
	// Neither an address nor a name may bring a line of its own into the header.
	if strings.ContainsAny(l.To+l.Name+l.Subject, "\r\n\x00") || l.To == "" {
		return nil, errors.New("an address, a name and a subject of one line each are needed")
	}
	to := mail.Address{Name: l.Name, Address: l.To}
	var b bytes.Buffer
	for _, h := range [][2]string{
		{"From", f.from.String()},
		{"To", to.String()},
		{"Subject", mime.QEncoding.Encode("utf-8", l.Subject)},
		{"Date", l.At.UTC().Format(time.RFC1123Z)},
		{"Message-ID", "<" + l.ID + "@" + f.domain + ">"},
		{"Auto-Submitted", "auto-generated"}, // RFC 3834: no vacation notice comes back
		{"MIME-Version", "1.0"},
		{"Content-Type", "text/plain; charset=utf-8"},
		{"Content-Transfer-Encoding", "quoted-printable"},
	} {
		b.WriteString(header(h[0], h[1]))
	}
	b.WriteString("\r\n")
	w := quotedprintable.NewWriter(&b)
	if _, err := w.Write([]byte(strings.ReplaceAll(l.Text, "\n", "\r\n"))); err != nil {
		return nil, err
	}
	return b.Bytes(), w.Close()
}

// lineMax bounds a line of a header with encoded words (RFC 2047, 2).
const lineMax = 76

// header writes a field, in as many lines as its words take (RFC 5322, 2.2.3).
func header(name, value string) string {
	var b strings.Builder
	line := name + ":"
	for word := range strings.SplitSeq(value, " ") {
		if len(line)+1+len(word) > lineMax {
			b.WriteString(line + "\r\n")
			line = ""
		}
		line += " " + word
	}
	b.WriteString(line + "\r\n")
	return b.String()
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r <= ' ' || r > '~' })
}

// writeFile writes a file and forces it to the disk.
func writeFile(name string, body []byte) error {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(body)
	if err == nil {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}

// syncFolder forces the names in a folder to the disk.
func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
