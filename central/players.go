package central

import (
	"strconv"

	"tirage/ledger"
	"tirage/rules/money"
)

// Principals that are no person's.
const SystemPrincipal = "system" // the operator's own programs: scheduler, settlement, the login desk

// playerPrefix begins the principals of players.
const playerPrefix = "player/"

// PlayerPrincipal is the principal of a player.
func PlayerPrincipal(id int64) string { return playerPrefix + strconv.FormatInt(id, 10) }

// bare refuses accounts without identity and limits where the register does not say that it takes them.
func (p *Plan) bare() error {
	if !p.reg.cfg.AllowBare && !p.reg.cfg.AllowReconstructed {
		return refuse(Forbidden, "player.bare", "", "accounts without identity and limits are for reconstructed evenings and tests")
	}
	return nil
}

// CreatePlayer opens a bare account: confirmed, without a person, a login or limits, for reconstructed evenings and tests; players register
// with [RegisterPlayer]. The result is a [PlayerCreated].
type CreatePlayer struct {
	Name string `json:"name"`
}

// PlayerCreated is the result of [CreatePlayer].
type PlayerCreated struct {
	Player int64 `json:"player,string"`
}

// nameMax bounds a name, in bytes.
const nameMax = 200

func (CreatePlayer) Kind() string { return "create_player" }
func (CreatePlayer) Keys() []Key  { return nil }

func (c CreatePlayer) Plan(p *Plan) (any, error) {
	if err := p.bare(); err != nil {
		return nil, err
	}
	if c.Name == "" || len(c.Name) > nameMax || !storable(c.Name) {
		return nil, refuse(Invalid, "player.name", "name", "a name of 1 to %d bytes of UTF-8 is needed, %d found", nameMax, len(c.Name))
	}
	id := p.ID()
	p.insert(&Player{ID: id, PlayUntil: never})
	p.insert(&Profile{ID: id, Name: c.Name, Created: p.Now.UnixMicro()})
	p.insert(&Guard{Player: id, State: StateConfirmed, Interval: CheckMax})
	return PlayerCreated{id}, nil
}

// Deposit credits a player with money from the bank without a provider, where [CreatePlayer] is accepted. Players deposit with
// [RequestDeposit]. The result is a [Balance].
type Deposit struct {
	Player int64       `json:"player,string"`
	Cents  money.Cents `json:"cents"`
}

// Balance is what a player has after a movement.
type Balance struct {
	Balance money.Cents `json:"balance"`
}

func (Deposit) Kind() string  { return "deposit" }
func (c Deposit) Keys() []Key { return []Key{playerKey(c.Player)} }

func (c Deposit) Plan(p *Plan) (any, error) {
	if err := p.bare(); err != nil {
		return nil, err
	}
	if c.Cents <= 0 || c.Cents > money.Limit {
		return nil, refuse(Invalid, "amount", "cents", "%v found, accepted 0.01 to %v", c.Cents, money.Limit)
	}
	if err := p.post(ledger.Bank, ledger.Player(c.Player), c.Cents); err != nil {
		return nil, err
	}
	return Balance{get[Player](p, playerKey(c.Player)).Balance}, nil
}

func playerKey(id int64) Key           { return Key{Table: Players, N: id} }
func drawKey(id string) Key            { return Key{Table: Draws, S: id} }
func typeKey(d, t string) Key          { return Key{Table: PackTypes, S: d, U: t} }
func packKey(t *PackType, n int64) Key { return Key{Table: Packs, S: t.Draw, U: t.Type, N: n} }
func docKey(d, kind string, version int64) Key {
	return Key{Table: Docs, S: d, U: kind, N: version}
}
