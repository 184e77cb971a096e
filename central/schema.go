package central

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"tirage/ledger"
	"tirage/rules/money"
)

// TableID numbers the tables in the order in which a transaction locks and writes them.
type TableID uint8

const (
	Writers TableID = iota // one row a writer: size and right edge of its log
	Players
	Profiles
	Guards
	Persons
	Logins
	Credentials
	Passkeys
	Sessions
	StaffRows
	Programs
	PaymentRows
	References
	Leases
	Draws
	Calendar
	PackTypes
	Packs
	PackContents
	CodePointers
	CodeBlocks
	Plays
	AddOnRows
	Groups
	Receipts
	Abos
	Attempts
	Docs
	Rooms
	Generators
	EntryRows
	Slices
	Credits
	Claims
	Deferrals
	Designs
	Games
	Seats
	Rounds
	RoundSeries
	Sweeps
	Quotes
	MessageReads
	Accounts
	Counters
	Transfers
	Keys
	Leaves
	Touches
	Movements
	ProgressRows
	Messages
	DeferredRows
	Tiles
	tableCount
)

// ColumnType is the type of a column; rows hold nothing else than int64, string and []byte.
type ColumnType uint8

const (
	Int ColumnType = iota
	Text
	Blob
)

// Column is one column of a table.
type Column struct {
	Name string
	Type ColumnType
}

// Table describes a table to the stores: they know rows by this description only.
type Table struct {
	ID      TableID
	Name    string
	Columns []Column
	PK      int        // the first PK columns are the primary key: text columns before integer ones
	Append  bool       // rows are only ever inserted
	Add     string     // column that writes add to instead of replacing; "" for none
	New     func() Row // an empty row
}

// Row is a row of a table.
type Row interface {
	Table() TableID
	// Fields returns pointers to the columns in the order of the table, each *int64, *string or *[]byte.
	Fields() []any
}

// Key is the primary key of a row: its text columns in S and U, its integer columns in N and M, in the order of the table.
type Key struct {
	Table TableID
	S, U  string
	N, M  int64
}

func (k Key) String() string {
	return fmt.Sprintf("%s(%s %s %d %d)", Schema[k.Table].Name, k.S, k.U, k.N, k.M)
}

// KeyOf returns the primary key of a row.
func KeyOf(r Row) Key {
	switch r := r.(type) { // the rows of every sale, without the slice of fields
	case *Play:
		return Key{Table: Plays, S: r.Draw, N: r.ID}
	case *Player:
		return Key{Table: Players, N: r.ID}
	case *KeyRow:
		return Key{Table: Keys, S: r.Key, U: r.Principal}
	case *LeafRow:
		return Key{Table: Leaves, N: r.Node, M: r.Index}
	case *Round:
		return Key{Table: Rounds, S: r.Game, N: int64(r.ID)}
	case *SeriesRow:
		return Key{Table: RoundSeries, S: r.Game, N: int64(r.Round), M: r.N}
	}
	k := Key{Table: r.Table()}
	texts, ints := 0, 0
	for _, f := range r.Fields()[:Schema[k.Table].PK] {
		switch f := f.(type) {
		case *string:
			if texts == 0 {
				k.S = *f
			} else {
				k.U = *f
			}
			texts++
		case *int64:
			if ints == 0 {
				k.N = *f
			} else {
				k.M = *f
			}
			ints++
		}
	}
	return k
}

// Values returns the columns of the key in the order of the table, each an int64 or a string.
func (k Key) Values() []any {
	t := &Schema[k.Table]
	vs := make([]any, 0, t.PK)
	texts, ints := [2]string{k.S, k.U}, [2]int64{k.N, k.M}
	nt, ni := 0, 0
	for _, c := range t.Columns[:t.PK] {
		if c.Type == Text {
			vs = append(vs, texts[nt])
			nt++
		} else {
			vs = append(vs, ints[ni])
			ni++
		}
	}
	return vs
}

// Writer is the state of one writer's log.
type Writer struct {
	Node, Size int64
	Edge       []byte // right edge of the hash tree
	At         int64  // time of the last leaf, microseconds: time never goes back
}

func (*Writer) Table() TableID  { return Writers }
func (r *Writer) Fields() []any { return []any{&r.Node, &r.Size, &r.Edge, &r.At} }

// Player is the money of a player.
type Player struct {
	ID      int64
	Balance money.Cents // disponibilités, never below zero
	Version int64       // number of movements so far
	// A stake is accepted if and only if PlayFrom ≤ now < PlayUntil: see [Guard].
	PlayFrom  int64  // microseconds; end of an exclusion, never before the identity is confirmed
	PlayUntil int64  // microseconds; when the reality check is due, 0 before the first login
	Stakes    []byte // allowance of stakes; empty: none is needed
}

func (*Player) Table() TableID { return Players }
func (r *Player) Fields() []any {
	return []any{&r.ID, (*int64)(&r.Balance), &r.Version, &r.PlayFrom, &r.PlayUntil, &r.Stakes}
}

// Profile is what is known of a player.
type Profile struct {
	ID      int64
	Name    string
	Created int64 // microseconds
}

func (*Profile) Table() TableID  { return Profiles }
func (r *Profile) Fields() []any { return []any{&r.ID, &r.Name, &r.Created} }

// Draw is one draw of one game. Its id is the game and the day: "loto-2020-06-22".
type Draw struct {
	ID, Game, Day       string
	State               string // drawing.State
	OpensAt, ClosesAt   int64  // microseconds; a sale is accepted if and only if OpensAt ≤ now < ClosesAt
	Exceptional         int64  // 1: codes Euro Millions are issued too
	Reconstructed       int64  // 1: contents, codes and outside winners may be given
	Secret              []byte // secret of the quick picks and codes, sealed with a key that is not in the database
	Commitment          []byte // commitment to the secret, public from the opening on
	SeqFloor, SeqFloor2 int64  // positions of the sequential pointers at the opening, by series
	Resume              string // Held: the state to go back to
	Version             int64  // version of the result, 0 before the first
	Slices, Paid        int64  // slices of the current version, and how many of them are credited
}

func (*Draw) Table() TableID { return Draws }
func (r *Draw) Fields() []any {
	return []any{&r.ID, &r.Game, &r.Day, &r.State, &r.OpensAt, &r.ClosesAt, &r.Exceptional, &r.Reconstructed, &r.Secret, &r.Commitment,
		&r.SeqFloor, &r.SeqFloor2, &r.Resume, &r.Version, &r.Slices, &r.Paid}
}

// PackType is a kind of pack on sale for one draw. Its row guards the packs of the type.
type PackType struct {
	Draw, Type  string
	Composition string      // pack.Composition as text: "6x10*10"
	Shares      int64       // equal shares of a pack
	SharePrice  money.Cents // of one share
	Combos      int64       // simple combinations, and codes, of a pack
	MaxPacks    int64
	Rules       string // rulebook version that it was opened under
	Opened      int64  // packs opened so far
	Sold        int64  // shares sold so far, over all packs
	Open        []byte // the packs that have shares left, see packLeft
	Given       []byte // Reconstructed: contents given for packs not yet opened
	Formulas    string // how many shares are sold at once: "1, 2, 5, 10"
}

func (*PackType) Table() TableID { return PackTypes }
func (r *PackType) Fields() []any {
	return []any{&r.Draw, &r.Type, &r.Composition, &r.Shares, (*int64)(&r.SharePrice), &r.Combos, &r.MaxPacks, &r.Rules, &r.Opened, &r.Sold, &r.Open, &r.Given, &r.Formulas}
}

// Pack is one pack: what is sold of it.
type Pack struct {
	Draw, Type string
	N          int64 // from 0
	Sold       int64 // shares
}

func (*Pack) Table() TableID  { return Packs }
func (r *Pack) Fields() []any { return []any{&r.Draw, &r.Type, &r.N, &r.Sold} }

// PackContent is what a pack plays, fixed when its first share is sold.
type PackContent struct {
	Draw, Type      string
	N               int64
	Lines           []byte // grids, 8 bytes each
	Combos          int64
	CodeAt, CodeAt2 int64 // position of the first code of each series (see Play)
}

func (*PackContent) Table() TableID { return PackContents }
func (r *PackContent) Fields() []any {
	return []any{&r.Draw, &r.Type, &r.N, &r.Lines, &r.Combos, &r.CodeAt, &r.CodeAt2}
}

// CodePointer is the next free position of a code scope: "seq/loto/loto" for the sequential zone of a game's series, which runs
// on from draw to draw, "rnd/loto-2020-06-22/loto" for the random counter of a draw.
type CodePointer struct {
	Scope string
	Next  int64
}

func (*CodePointer) Table() TableID  { return CodePointers }
func (r *CodePointer) Fields() []any { return []any{&r.Scope, &r.Next} }

// CodeBlock is what a node has reserved ahead of a scope: positions Next to End−1.
type CodeBlock struct {
	Scope           string
	Node, Next, End int64
}

func (*CodeBlock) Table() TableID  { return CodeBlocks }
func (r *CodeBlock) Fields() []any { return []any{&r.Scope, &r.Node, &r.Next, &r.End} }

// Kinds of a play.
const (
	KindSimple   = "simple"   // simple combinations only
	KindMultiple = "multiple" // at least one multiple combination
	KindPack     = "pack"     // shares of a pack
	KindGroup    = "group"    // of a group (jeu en groupe), simple or multiple: divided in receipts
)

// Play is a play (prise de jeu) for one draw. Its id is the leaf that holds its sale: node<<48 | index+1.
type Play struct {
	Draw            string
	ID              int64
	Player          int64
	Kind            string
	At              int64 // microseconds
	Stake           money.Cents
	SaleRules       string // rulebook version of the sale: price, formats, codes
	PrizeRules      string // rulebook version of the draw's day: ranks and gains
	Lines           []byte // grids, 8 bytes each, big-endian; empty for a pack
	Quick           int64  // bit i: line i was a quick pick
	Combos          int64  // simple combinations, and codes, of the play; of the whole pack for shares
	CodeAt, CodeAt2 int64  // position of the first code of each series in its scope
	PackType        string
	Pack, Shares    int64  // for KindPack; Shares of KindGroup: its receipts
	Channel         string // where it was sold, see [Channel]
}

func (*Play) Table() TableID { return Plays }
func (r *Play) Fields() []any {
	return []any{&r.Draw, &r.ID, &r.Player, &r.Kind, &r.At, (*int64)(&r.Stake), &r.SaleRules, &r.PrizeRules, &r.Lines, &r.Quick, &r.Combos,
		&r.CodeAt, &r.CodeAt2, &r.PackType, &r.Pack, &r.Shares, &r.Channel}
}

// Doc is a signed paper of a draw, see [DocManifest] and those that follow.
type Doc struct {
	Draw, Kind string
	Version    int64
	Body       string // a signed note (golang.org/x/mod/sumdb/note) whose text is JSON
}

func (*Doc) Table() TableID  { return Docs }
func (r *Doc) Fields() []any { return []any{&r.Draw, &r.Kind, &r.Version, &r.Body} }

// Slice is a run of winning plays credited by one command.
type Slice struct {
	Draw       string
	Version, N int64
	Credits    int64 // rows
	Cents      money.Cents
	Hash       []byte // SHA-256 of its credits in canonical form
	Paid       int64  // 0, SlicePaid or SlicePartly
}

func (*Slice) Table() TableID { return Slices }
func (r *Slice) Fields() []any {
	return []any{&r.Draw, &r.Version, &r.N, &r.Credits, (*int64)(&r.Cents), &r.Hash, &r.Paid}
}

// Credit is the gain of one play at one component of a draw's result, and the movement of its player's balance: it stands for its own
// transfer from prizes/<draw>, so that a winner has one row.
type Credit struct {
	Draw, Component string // component: "ranks", "code/loto", "code/mymillion", "code/euromillions"
	Play, Version   int64
	Player          int64 // while it is counted, 0 for a gain that waits for its winner: such a one is paid as a [Claim]
	Cents           money.Cents
	Movement        int64       // number of the player's movement
	After           money.Cents // balance that it left
}

func (*Credit) Table() TableID { return Credits }
func (r *Credit) Fields() []any {
	return []any{&r.Draw, &r.Component, &r.Play, &r.Version, &r.Player, (*int64)(&r.Cents), &r.Movement, (*int64)(&r.After)}
}

// Transfer returns the posting that the credit stands for. Its node and place are those of the leaf that holds it, which the credit does not repeat.
func (r *Credit) Transfer() *Transfer {
	return &Transfer{
		From: string(ledger.Prizes(r.Draw)), To: string(ledger.Player(r.Player)), Cents: r.Cents, Player: r.Player, Version: r.Movement, After: r.After,
	}
}

// AccountRow is what one node has added to an account; the balance is the sum over the nodes. Writes add.
type AccountRow struct {
	Name    string
	Node    int64
	Balance money.Cents
}

func (*AccountRow) Table() TableID  { return Accounts }
func (r *AccountRow) Fields() []any { return []any{&r.Name, &r.Node, (*int64)(&r.Balance)} }

// Counter is what one node has counted; writes add. "plays/loto-2020-06-22/simple", "cents/loto-2020-06-22/pack" …
type Counter struct {
	Name    string
	Node, N int64
}

func (*Counter) Table() TableID  { return Counters }
func (r *Counter) Fields() []any { return []any{&r.Name, &r.Node, &r.N} }

// Transfer is one posting. Pos is the index of its leaf << 16 | its place in the leaf.
type Transfer struct {
	Node, Pos int64
	From, To  string
	Cents     money.Cents
	Player    int64       // the player whose balance moved, 0 for none
	Version   int64       // number of that player's movement
	After     money.Cents // balance that it left
}

func (*Transfer) Table() TableID { return Transfers }
func (r *Transfer) Fields() []any {
	return []any{&r.Node, &r.Pos, &r.From, &r.To, (*int64)(&r.Cents), &r.Player, &r.Version, (*int64)(&r.After)}
}

// KeyRow is an idempotency record: the request's hash and the leaf that holds its result.
type KeyRow struct {
	Key, Principal string
	Hash           []byte // SHA-256 of the canonical request, first 16 bytes
	Node, Index    int64
}

func (*KeyRow) Table() TableID  { return Keys }
func (r *KeyRow) Fields() []any { return []any{&r.Key, &r.Principal, &r.Hash, &r.Node, &r.Index} }

// LeafRow is a leaf of the log as stored: salt and body stay here, the world sees hashes.
type LeafRow struct {
	Node, Index int64
	Salt, Body  []byte
}

func (*LeafRow) Table() TableID  { return Leaves }
func (r *LeafRow) Fields() []any { return []any{&r.Node, &r.Index, &r.Salt, &r.Body} }

// Schema describes every table, by TableID. In the column lists $ marks text and * bytes.
var Schema = [tableCount]Table{
	Writers:      {Name: "writers", PK: 1, New: func() Row { return new(Writer) }, Columns: columns("node", "size", "*edge", "at")},
	Players:      {Name: "players", PK: 1, New: func() Row { return new(Player) }, Columns: columns("id", "balance", "version", "play_from", "play_until", "*stakes")},
	Profiles:     {Name: "profiles", PK: 1, New: func() Row { return new(Profile) }, Columns: columns("id", "$name", "created")},
	Guards:       {Name: "guards", PK: 1, New: func() Row { return new(Guard) }, Columns: columns("player", "$state", "excluded_until", "banned", "cleared", "$list", "check_interval", "since", "*deposits")},
	Persons:      {Name: "persons", PK: 1, New: func() Row { return new(Person) }, Columns: columns("player", "$given", "$family", "$birth", "$email")},
	Logins:       {Name: "logins", PK: 1, New: func() Row { return new(Login) }, Columns: columns("$name", "player", "tries", "last", "until")},
	Credentials:  {Name: "credentials", PK: 1, New: func() Row { return new(Credential) }, Columns: columns("player", "version", "$password")},
	Passkeys:     {Name: "passkeys", PK: 2, New: func() Row { return new(Passkey) }, Columns: columns("player", "id", "$name", "*record", "added", "used", "removed")},
	Sessions:     {Name: "sessions", PK: 2, New: func() Row { return new(Session) }, Columns: columns("player", "id", "*hash", "version", "opened", "closed", "play")},
	StaffRows:    {Name: "staff", PK: 1, New: func() Row { return new(Staff) }, Columns: columns("$name", "id", "$role", "made", "ended")},
	Programs:     {Name: "programs", PK: 1, New: func() Row { return new(Program) }, Columns: columns("id", "$name", "$role", "*hash", "$by_whom", "made", "revoked")},
	PaymentRows:  {Name: "payments", PK: 2, New: func() Row { return new(Payment) }, Columns: columns("player", "id", "$kind", "$state", "cents", "$reference", "at", "done")},
	References:   {Name: "payment_references", PK: 1, New: func() Row { return new(Reference) }, Columns: columns("$name", "player", "payment")},
	Leases:       {Name: "leases", PK: 1, New: func() Row { return new(Lease) }, Columns: columns("$name", "node", "epoch")},
	Draws:        {Name: "draws", PK: 1, New: func() Row { return new(Draw) }, Columns: columns("$id", "$game", "$day", "$state", "opens_at", "closes_at", "exceptional", "reconstructed", "*secret", "*commitment", "seq_floor", "seq_floor2", "$resume", "version", "slices", "paid")},
	Calendar:     {Name: "calendar", PK: 2, New: func() Row { return new(DrawDate) }, Columns: columns("$game", "$day", "$state", "opens_at", "closes_at", "draws_at", "first_at", "exceptional", "jackpot", "super", "reported", "stakes", "fund", "$why", "$recorder", "lapsed")},
	PackTypes:    {Name: "pack_types", PK: 2, New: func() Row { return new(PackType) }, Columns: columns("$draw", "$type", "$composition", "shares", "share_price", "combos", "max_packs", "$rules", "opened", "sold", "*open", "*given", "$formulas")},
	Packs:        {Name: "packs", PK: 3, New: func() Row { return new(Pack) }, Columns: columns("$draw", "$type", "n", "sold")},
	PackContents: {Name: "pack_contents", PK: 3, Append: true, New: func() Row { return new(PackContent) }, Columns: columns("$draw", "$type", "n", "*lines", "combos", "code_at", "code_at2")},
	CodePointers: {Name: "code_pointers", PK: 1, New: func() Row { return new(CodePointer) }, Columns: columns("$scope", "next")},
	CodeBlocks:   {Name: "code_blocks", PK: 2, New: func() Row { return new(CodeBlock) }, Columns: columns("$scope", "node", "next", "last")},
	Plays:        {Name: "plays", PK: 2, Append: true, New: func() Row { return new(Play) }, Columns: columns("$draw", "id", "player", "$kind", "at", "stake", "$sale_rules", "$prize_rules", "*lines", "quick", "combos", "code_at", "code_at2", "$pack_type", "pack", "shares", "$channel")},
	AddOnRows:    {Name: "add_ons", PK: 3, Append: true, New: func() Row { return new(AddOnRow) }, Columns: columns("$draw", "$game", "play", "stake", "$number", "$sale_rules", "$prize_rules")},
	Groups:       {Name: "groups", PK: 2, New: func() Row { return new(Group) }, Columns: columns("$draw", "id", "player", "$lines", "receipts", "stake", "$channel", "at", "$invitation", "$members", "play")},
	Receipts:     {Name: "receipts", PK: 3, Append: true, New: func() Row { return new(GroupReceipt) }, Columns: columns("$draw", "play", "n", "player", "cents")},
	Abos:         {Name: "subscriptions", PK: 2, New: func() Row { return new(Subscription) }, Columns: columns("player", "slot", "id", "$game", "$lines", "$add_ons", "$days", "$channel", "cents", "$state", "since", "misses", "$draw", "play", "$why")},
	Attempts:     {Name: "pick_attempts", PK: 3, Append: true, New: func() Row { return new(PickAttempts) }, Columns: columns("$draw", "$type", "n", "$attempts")},
	Docs:         {Name: "docs", PK: 3, Append: true, New: func() Row { return new(Doc) }, Columns: columns("$draw", "$kind", "version", "$body")},
	Generators:   {Name: "generators", PK: 1, New: func() Row { return new(Generator) }, Columns: columns("$draw", "$chain", "$beacon_key", "genesis", "period", "round", "$chooser", "$why", "chosen_at", "$confirmer", "confirmed_at", "*signature", "$first_by", "$second_by", "*first_value", "*second_value", "$reason", "$drawer", "drawn_at", "$numbers")},
	Rooms:        {Name: "rooms", PK: 1, New: func() Row { return new(Room) }, Columns: columns("$draw", "version", "round", "entries", "$differs", "$kept", "$incident", "$program", "$rules", "$checker", "checked_at", "$officer", "came_at", "$hands", "$signer", "signed_at", "$late", "$claims")},
	EntryRows:    {Name: "entries", PK: 3, Append: true, New: func() Row { return new(RoomEntry) }, Columns: columns("$draw", "version", "n", "$enterer", "at", "$body")},
	Slices:       {Name: "slices", PK: 3, New: func() Row { return new(Slice) }, Columns: columns("$draw", "version", "n", "credits", "cents", "*hash", "paid")},
	Credits:      {Name: "credits", PK: 4, Append: true, New: func() Row { return new(Credit) }, Columns: columns("$draw", "$component", "play", "version", "player", "cents", "movement", "after")},
	Claims:       {Name: "claims", PK: 4, New: func() Row { return new(Claim) }, Columns: columns("$draw", "$component", "play", "version", "cents", "player", "at")},
	Deferrals:    {Name: "deferrals", PK: 1, New: func() Row { return new(Deferral) }, Columns: columns("$service", "$state", "$until", "$why", "$french", "$english", "$proposer", "$confirmer", "at")},
	Designs:      {Name: "pack_designs", PK: 1, New: func() Row { return new(PackDesign) }, Columns: columns("id", "$game", "$type", "$state", "$from_day", "$composition", "shares", "max_packs", "$formulas", "$rules", "$proposer", "$activator", "at", "$draws", "$why")},
	Games:        {Name: "games", PK: 1, New: func() Row { return new(Game) }, Columns: columns("$id", "withdrawn", "$why", "$french", "$english", "at", "put_off", "$until", "$late_french", "$late_english")},
	Seats:        {Name: "seats", PK: 2, New: func() Row { return new(Seat) }, Columns: columns("$game", "player", "open", "last", "started")},
	Rounds:       {Name: "rounds", PK: 2, New: func() Row { return new(Round) }, Columns: columns("$game", "id", "player", "previous", "$rules", "$state", "$ended_by", "stake", "gain", "started", "due", "ended", "step", "sum", "stars", "*secret", "*commitment")},
	RoundSeries:  {Name: "round_series", PK: 3, Append: true, New: func() Row { return new(SeriesRow) }, Columns: columns("$game", "round", "n", "at", "*commitment", "*contribution", "*secret", "*items")},
	Sweeps:       {Name: "sweeps", PK: 2, New: func() Row { return new(Sweep) }, Columns: columns("$game", "node", "through")},
	Quotes:       {Name: "quotes", PK: 2, Append: true, New: func() Row { return new(QuoteRow) }, Columns: columns("id", "player", "state", "leaf")},
	MessageReads: {Name: "message_reads", PK: 2, Append: true, New: func() Row { return new(MessageRead) }, Columns: columns("player", "id", "at")},
	Accounts:     {Name: "accounts", PK: 2, Add: "balance", New: func() Row { return new(AccountRow) }, Columns: columns("$name", "node", "balance")},
	Counters:     {Name: "counters", PK: 2, Add: "n", New: func() Row { return new(Counter) }, Columns: columns("$name", "node", "n")},
	Transfers:    {Name: "transfers", PK: 2, Append: true, New: func() Row { return new(Transfer) }, Columns: columns("node", "pos", "$source", "$target", "cents", "player", "version", "after")},
	Keys:         {Name: "keys", PK: 2, Append: true, New: func() Row { return new(KeyRow) }, Columns: columns("$key", "$principal", "*hash", "node", "idx")},
	Leaves:       {Name: "leaves", PK: 2, Append: true, New: func() Row { return new(LeafRow) }, Columns: columns("node", "idx", "*salt", "*body")},
	Touches:      {Name: "touches", PK: 2, New: func() Row { return new(Touch) }, Columns: columns("player", "session", "at")},
	Movements:    {Name: "movements", PK: 2, New: func() Row { return new(Movement) }, Columns: columns("player", "version", "at", "node", "leaf", "$account", "cents", "after")},
	ProgressRows: {Name: "progress", PK: 2, New: func() Row { return new(Progress) }, Columns: columns("$name", "node", "n")},
	Messages:     {Name: "messages", PK: 2, Append: true, New: func() Row { return new(Message) }, Columns: columns("player", "id", "at", "$kind", "cents", "$facts")},
	DeferredRows: {Name: "deferred", PK: 2, New: func() Row { return new(Deferred) }, Columns: columns("$name", "id", "player", "done")},
	Tiles:        {Name: "tiles", PK: 2, New: func() Row { return new(Tile) }, Columns: columns("node", "place", "*hashes")},
}

// storable reports whether every store can hold a text.
func storable(s string) bool { return utf8.ValidString(s) && !strings.Contains(s, "\x00") }
