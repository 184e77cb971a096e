package central

import (
	"context"
	"fmt"
	"time"
)

// Mail takes letters to players.
type Mail interface {
	// Deliver returns nil once all letters are on their way for good: no crash loses them. A letter whose ID it had already is the same letter,
	// and does not go twice. After an error the same letters come again, some of them perhaps delivered.
	Deliver(ctx context.Context, letters []Letter) error
}

// Letter is a message on paper, in French and English: which of the two a player reads is not known to it.
type Letter struct {
	ID      string // of the player and the message, made of letters, digits and hyphens: "42-0-12-3"
	At      time.Time
	To      string // address
	Name    string // of the player
	Subject string
	Text    string // lines end with "\n"
}

// MailAge is how old a message may be to be mailed: assumed. Who turns mail on for a system that has been running does not send its past; what
// an outage held back for longer stands in the inbox.
const MailAge = 30 * 24 * time.Hour

// MailJob names the follower that mails the messages in the leaves of a node.
const MailJob = "mail"

// NewMail returns the follower that mails the messages in the leaves of a node: those that the inbox holds, in the same words. A player who is
// excluded or banned gets no mail, whenever the message was written (R2; for bans assumed); an account without an address cannot get any.
func NewMail(s Store, mail Mail, clock Clock, node int64) *Follower {
	p := postman{mail, clock}
	return &Follower{Name: MailJob, Store: s, Kinds: tellingKinds(), Own: true, Node: node, Take: p.take}
}

type postman struct {
	mail  Mail
	clock Clock
}

func (p *postman) take(ctx context.Context, snap Snapshot, entries []Entry) ([]Row, error) {
	now := p.clock.Now()
	var letters []Letter
	for _, e := range entries {
		if now.Sub(time.UnixMicro(e.At)) > MailAge {
			continue
		}
		list, err := MessagesOf(e)
		if err != nil {
			return nil, err
		}
		for _, m := range list {
			to, err := addressee(ctx, snap, m.Player, now)
			if err != nil {
				return nil, err
			}
			if to == nil {
				continue
			}
			l, err := m.letter(to)
			if err != nil {
				return nil, err
			}
			letters = append(letters, l)
		}
	}
	if len(letters) == 0 {
		return nil, nil
	}
	return nil, p.mail.Deliver(ctx, letters)
}

// addressee returns the person to whom mail for a player goes now, nil for nobody.
func addressee(ctx context.Context, snap Snapshot, player int64, now time.Time) (*Person, error) {
	guard, err := snap.Get(ctx, guardKey(player))
	if err != nil || guard == nil {
		return nil, err
	}
	if g := guard.(*Guard); g.Banned == 1 || now.UnixMicro() < g.ExcludedUntil {
		return nil, nil
	}
	person, err := snap.Get(ctx, personKey(player))
	if err != nil || person == nil {
		return nil, err
	}
	return person.(*Person), nil
}

// LetterID names the letter that a message becomes.
func (r *Message) LetterID() string { return fmt.Sprintf("%d-%v", r.Player, r.ID) }

// letter writes a message in both languages.
func (r *Message) letter(to *Person) (Letter, error) {
	subjectFrench, french, err := r.In(French)
	if err != nil {
		return Letter{}, err
	}
	subjectEnglish, english, err := r.In(English)
	return Letter{
		ID: r.LetterID(), At: time.UnixMicro(r.At).UTC(), To: to.Email, Name: to.Given + " " + to.Family,
		Subject: subjectFrench + " / " + subjectEnglish, Text: french + "\n\n" + english + "\n",
	}, err
}
