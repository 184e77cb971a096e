package api

import (
	"context"
	"net/http"
	"time"

	"tirage/central"
	"tirage/central/events"
)

// MessageView is a message of the player's inbox.
type MessageView struct {
	events.Message
	Read *time.Time `json:"read,omitempty" doc:"When the player said so; none: not yet"`
}

// InboxPage is a page of the player's inbox, the latest first.
type InboxPage struct {
	Messages []MessageView `json:"messages"`
	Unread   int64         `json:"unread" doc:"Of the whole inbox"`
	Next     string        `json:"next,omitempty"`
}

// InboxQuery asks for a page of the inbox.
type InboxQuery struct {
	After string `query:"after" maxLength:"1000" doc:"What the page before said is next"`
	Limit int    `query:"limit" minimum:"1" maximum:"100" default:"50"`
}

// ReadBody names the messages that the player has read.
type ReadBody struct {
	Messages []string `json:"messages" minItems:"1" maxItems:"100"`
}

func (a *API) addInbox() {
	add(a, Route{Method: http.MethodGet, Path: "/messages", ID: "messages", Tag: "inbox", Summary: "The player's messages, the latest first", Own: true}, a.messages)
	add(a, Route{Method: http.MethodPost, Path: "/messages/read", ID: "read-messages", Tag: "inbox", Summary: "Note that messages were read", Command: "read_messages", Own: true}, a.readMessages)
}

func (a *API) messages(ctx context.Context, who *Caller, in *InboxQuery) (*InboxPage, error) {
	out := &InboxPage{Messages: []MessageView{}}
	err := a.view(ctx, func(snap central.Snapshot) error {
		page, err := central.ReadInbox(ctx, snap, central.InboxQuery{Player: who.Player, After: in.After, Limit: in.Limit})
		if err != nil {
			return err
		}
		out.Next = page.Next
		for _, m := range page.Messages {
			told, err := events.NewMessage(m.Message)
			if err != nil {
				return err
			}
			v := MessageView{Message: *told}
			if !m.Read.IsZero() {
				v.Read = &m.Read
			}
			out.Messages = append(out.Messages, v)
		}
		out.Unread, err = central.Unread(ctx, snap, who.Player)
		return err
	})
	return out, err
}

func (a *API) readMessages(ctx context.Context, who *Caller, in *sized[ReadBody]) (*central.MessagesRead, error) {
	c := central.ReadMessages{Player: who.Player}
	for i, text := range in.Body.Messages {
		var id central.MessageID
		if id.UnmarshalText([]byte(text)) != nil {
			return nil, central.NoMessage(i)
		}
		c.Messages = append(c.Messages, id)
	}
	return do[central.MessagesRead](ctx, a, who, c)
}
