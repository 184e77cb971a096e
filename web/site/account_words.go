package site

import (
	"net/url"
	"slices"
	"time"

	"github.com/a-h/templ"
	"tirage/central"
	"tirage/web/kit"
)

func at(micro int64) time.Time { return time.UnixMicro(micro).UTC() }

// latest returns the last movements, the latest first.
func latest(list []*central.Movement, n int) []*central.Movement {
	out := slices.Clone(list[max(0, len(list)-n):])
	slices.Reverse(out)
	return out
}

// either is what is wrong with a field that goes by two names: that of the form, that of the command.
func (f form) either(a, b string) string {
	if text := f.error(a); text != "" {
		return text
	}
	return f.error(b)
}

// depositHint says how much may still be deposited.
func depositHint(v *kit.Visit, h *holder) string {
	for _, l := range h.Limits {
		if l.Of == central.LimitDeposits && l.Cents != nil {
			return v.F("Il vous reste %s sur votre limite de dépôts.", "%s are left of your deposit limit.", v.Money(l.Left))
		}
	}
	return v.T("Choisissez d'abord votre limite de dépôts.", "Choose your deposit limit first.")
}

func limitLabel(v *kit.Visit, of string) string {
	if of == central.LimitDeposits {
		return v.T("Nouvelle limite de dépôts sur 7 jours", "New deposit limit over 7 days")
	}
	return v.T("Nouvelle limite de mises sur 7 jours", "New stake limit over 7 days")
}

// chosen reports whether all limits were chosen.
func chosen(limits []central.Limit) bool {
	return !slices.ContainsFunc(limits, func(l central.Limit) bool { return l.Cents == nil })
}

func olderMessages(next string) templ.SafeURL {
	return templ.SafeURL("/account/inbox?after=" + url.QueryEscape(next))
}

// letter is a message in words.
type letter struct {
	central.InboxMessage
	Subject, Text string
}

// letters puts messages in the words of the page.
func letters(v *kit.Visit, box *central.InboxPage) (list []letter, unread []central.MessageID, err error) {
	for _, m := range box.Messages {
		l := letter{InboxMessage: m}
		if l.Subject, l.Text, err = m.In(string(v.Lang)); err != nil {
			return nil, nil, err
		}
		if m.Read.IsZero() {
			unread = append(unread, m.ID)
		}
		list = append(list, l)
	}
	return list, unread, nil
}
