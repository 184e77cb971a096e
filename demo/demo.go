// Package demo makes an operator to look at: members of the staff, players with balances, days of past draws that were sold, drawn, counted and paid, and
// draws on sale with packs. All of it goes through the register, as it would for real; only the time in which it happens is made up, and so are the
// persons, the numbers drawn and what other points of sale report.
//
//	err := demo.Seed(ctx, demo.Config{Store: store, Keys: keys, BanList: path, Now: time.Now()})
//
// The accounts have one password that everybody knows, at a cost that is no obstacle to anybody ([Passwords]): a demo is for one machine.
package demo

import (
	"fmt"
	"time"

	"tirage/central"
	"tirage/identity"
	"tirage/vault"
)

// Config is what an operator is made on.
type Config struct {
	Store   central.Store // empty
	Keys    *vault.Keys
	BanList string    // path of the ban list, which names nobody
	Program string    // SHA-256 of the program, which the draw room compares
	Now     time.Time // where the past ends
	Crowd   int       // further players, with money and without a past: for measurements
}

// CrowdName is the address of a player of the crowd, from 0.
func CrowdName(i int) string { return fmt.Sprintf("crowd%d@demo.example", i) }

// Password is that of every account.
const Password = "pile of donuts"

// Passwords are the costs of hashes in a demo: next to nothing.
var Passwords = identity.Params{Time: 1, Memory: 64, Threads: 1}

// Account is one that somebody can log in with.
type Account struct {
	Name string // of a member of the staff, or the address of a player
	Role central.Role
	What string // there is to it
}

// Staff lists one account for each role, and a second one for what takes two.
func Staff() (list []Account) {
	for _, role := range central.Permitted.StaffRoles() {
		list = append(list, Account{Name: string(role), Role: role, What: duties[role]})
	}
	return append(list, Account{"operator2", roleOperator, "a second operator, for what takes two people"},
		Account{enterer + "2", enterer, "the second of two who copy what is drawn"})
}

const roleOperator central.Role = "operator"

// Names of roles, and of the accounts that have them.
const (
	officer = "officer"
	enterer = "enterer"
)

var duties = map[central.Role]string{
	roleOperator:        "plans and opens draws, prepares the draw room, confirms identities",
	central.RoleEnterer: "copies what is drawn, without seeing what another copies",
	officer:             "controls the draw, signs its result, approves what two counts agree on",
	central.RoleAuditor: "sees everything, changes nothing",
	"finance":           "looks at money, pays claims, releases what was blocked",
	"care":              "verifies identities, helps players",
	central.RoleAdmin:   "gives and takes accounts and roles",
}

// Players lists the accounts of players.
func Players() (list []Account) {
	for _, p := range people {
		list = append(list, Account{Name: p.email, Role: central.RolePlayer, What: p.what})
	}
	return list
}

// Packs is what is sold with a draw.
func Packs(d *central.DrawDate) []central.PackOffer {
	switch d.Game {
	case "loto":
		return []central.PackOffer{
			{Type: "100", Multiples: []string{"5x10*10"}, Shares: 100, MaxPacks: 20},
			{Type: "600", Multiples: []string{"6x10*10"}, Shares: 200, MaxPacks: 50},
		}
	case "superloto":
		return []central.PackOffer{{Type: "600", Multiples: []string{"6x10*10"}, Shares: 200, MaxPacks: 50}}
	case "euromillions":
		return []central.PackOffer{{Type: "660", Multiples: []string{"5x12*10"}, Shares: 330, MaxPacks: 50}}
	}
	return nil
}
