package central

import "strings"

const (
	// recordMax bounds what is kept of a passkey, in bytes.
	recordMax = 16 << 10
	// passkeysMax bounds the passkeys of a player, removed ones included.
	passkeysMax = 50
)

// AddPasskey adds a passkey whose proof of possession the desk has checked. The result is a [PasskeyAdded].
type AddPasskey struct {
	Player int64  `json:"player,string"`
	Name   string `json:"name"`
	Record []byte `json:"record"`
	Had    int64  `json:"had"` // passkeys that the player had, removed ones included
}

// PasskeyAdded is the result of [AddPasskey].
type PasskeyAdded struct {
	Passkey int64 `json:"passkey,string"`
}

func (AddPasskey) Kind() string  { return "add_passkey" }
func (c AddPasskey) Keys() []Key { return []Key{credentialKey(c.Player)} }

func (c AddPasskey) Plan(p *Plan) (any, error) {
	if get[Credential](p, credentialKey(c.Player)) == nil {
		return nil, refuse(NotFound, "player.unknown", "player", "there is no player %d", c.Player)
	}
	name := strings.TrimSpace(c.Name)
	if name == "" || len(name) > partMax || !storable(name) {
		return nil, refuse(Invalid, "passkey.name", "name", "a name of 1 to %d bytes is needed", partMax)
	}
	if len(c.Record) == 0 || len(c.Record) > recordMax {
		return nil, refuse(Invalid, "passkey.record", "record", "%d bytes, accepted 1 to %d", len(c.Record), recordMax)
	}
	if c.Had >= passkeysMax {
		return nil, refuse(Conflict, "passkey.many", "", "an account has at most %d passkeys", passkeysMax)
	}
	k := &Passkey{Player: c.Player, ID: p.ID(), Name: name, Record: c.Record, Added: p.Now.UnixMicro()}
	p.insert(k)
	return PasskeyAdded{k.ID}, nil
}

// WrongPasskey is the one answer to a passkey that is not recognised, whatever is wrong with it.
func WrongPasskey() *Refusal {
	return refuse(Forbidden, "passkey.failed", "", "the passkey was not recognised")
}

// RemovePasskey removes a passkey. Sessions that were opened with it go on; [RevokeSessions] ends them.
type RemovePasskey struct {
	Player  int64 `json:"player,string"`
	Passkey int64 `json:"passkey,string"`
}

func (RemovePasskey) Kind() string  { return "remove_passkey" }
func (c RemovePasskey) Keys() []Key { return []Key{passkeyKey(c.Player, c.Passkey)} }

func (c RemovePasskey) Plan(p *Plan) (any, error) {
	if err := p.own(c.Player); err != nil {
		return nil, err
	}
	k := edit[Passkey](p, passkeyKey(c.Player, c.Passkey))
	if k == nil || k.Removed != 0 {
		return nil, refuse(NotFound, "passkey.unknown", "passkey", "there is no such passkey")
	}
	k.Removed = p.Now.UnixMicro()
	return Ended{p.Now.UTC()}, nil
}
