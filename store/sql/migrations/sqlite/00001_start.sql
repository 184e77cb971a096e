-- +goose Up
CREATE TABLE writers (
    node INTEGER PRIMARY KEY,
    size INTEGER NOT NULL,
    edge BLOB NOT NULL,
    at INTEGER NOT NULL
) STRICT;

CREATE TABLE players (
    id INTEGER PRIMARY KEY,
    balance INTEGER NOT NULL CHECK (balance >= 0),
    version INTEGER NOT NULL
) STRICT;

CREATE TABLE profiles (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    created INTEGER NOT NULL
) STRICT;

CREATE TABLE draws (
    id TEXT NOT NULL,
    game TEXT NOT NULL,
    day TEXT NOT NULL,
    state TEXT NOT NULL,
    opens_at INTEGER NOT NULL,
    closes_at INTEGER NOT NULL,
    exceptional INTEGER NOT NULL,
    reconstructed INTEGER NOT NULL,
    secret BLOB NOT NULL,
    commitment BLOB NOT NULL,
    seq_floor INTEGER NOT NULL,
    seq_floor2 INTEGER NOT NULL,
    resume TEXT NOT NULL,
    version INTEGER NOT NULL,
    slices INTEGER NOT NULL,
    paid INTEGER NOT NULL,
    PRIMARY KEY (id)
) STRICT, WITHOUT ROWID;

CREATE TABLE pack_types (
    draw TEXT NOT NULL,
    type TEXT NOT NULL,
    composition TEXT NOT NULL,
    shares INTEGER NOT NULL,
    share_price INTEGER NOT NULL,
    combos INTEGER NOT NULL,
    max_packs INTEGER NOT NULL,
    rules TEXT NOT NULL,
    opened INTEGER NOT NULL,
    sold INTEGER NOT NULL,
    open BLOB NOT NULL,
    given BLOB NOT NULL,
    PRIMARY KEY (draw, type)
) STRICT, WITHOUT ROWID;

CREATE TABLE packs (
    draw TEXT NOT NULL,
    type TEXT NOT NULL,
    n INTEGER NOT NULL,
    sold INTEGER NOT NULL CHECK (sold >= 0),
    PRIMARY KEY (draw, type, n)
) STRICT, WITHOUT ROWID;

CREATE TABLE pack_contents (
    draw TEXT NOT NULL,
    type TEXT NOT NULL,
    n INTEGER NOT NULL,
    lines BLOB NOT NULL,
    combos INTEGER NOT NULL,
    code_at INTEGER NOT NULL,
    code_at2 INTEGER NOT NULL,
    PRIMARY KEY (draw, type, n)
) STRICT, WITHOUT ROWID;

CREATE TABLE code_pointers (
    scope TEXT NOT NULL,
    next INTEGER NOT NULL,
    PRIMARY KEY (scope)
) STRICT, WITHOUT ROWID;

CREATE TABLE code_blocks (
    scope TEXT NOT NULL,
    node INTEGER NOT NULL,
    next INTEGER NOT NULL,
    last INTEGER NOT NULL,
    PRIMARY KEY (scope, node)
) STRICT, WITHOUT ROWID;

CREATE TABLE plays (
    draw TEXT NOT NULL,
    id INTEGER NOT NULL,
    player INTEGER NOT NULL,
    kind TEXT NOT NULL,
    at INTEGER NOT NULL,
    stake INTEGER NOT NULL,
    sale_rules TEXT NOT NULL,
    prize_rules TEXT NOT NULL,
    lines BLOB NOT NULL,
    quick INTEGER NOT NULL,
    combos INTEGER NOT NULL,
    code_at INTEGER NOT NULL,
    code_at2 INTEGER NOT NULL,
    pack_type TEXT NOT NULL,
    pack INTEGER NOT NULL,
    shares INTEGER NOT NULL,
    PRIMARY KEY (draw, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE docs (
    draw TEXT NOT NULL,
    kind TEXT NOT NULL,
    version INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (draw, kind, version)
) STRICT, WITHOUT ROWID;

CREATE TABLE slices (
    draw TEXT NOT NULL,
    version INTEGER NOT NULL,
    n INTEGER NOT NULL,
    credits INTEGER NOT NULL,
    cents INTEGER NOT NULL,
    hash BLOB NOT NULL,
    paid INTEGER NOT NULL,
    PRIMARY KEY (draw, version, n)
) STRICT, WITHOUT ROWID;

CREATE TABLE credits (
    draw TEXT NOT NULL,
    component TEXT NOT NULL,
    play INTEGER NOT NULL,
    version INTEGER NOT NULL,
    player INTEGER NOT NULL,
    cents INTEGER NOT NULL,
    movement INTEGER NOT NULL,
    after INTEGER NOT NULL,
    PRIMARY KEY (draw, component, play, version)
) STRICT, WITHOUT ROWID;

CREATE TABLE accounts (
    name TEXT NOT NULL,
    node INTEGER NOT NULL,
    balance INTEGER NOT NULL,
    PRIMARY KEY (name, node)
) STRICT, WITHOUT ROWID;

CREATE TABLE counters (
    name TEXT NOT NULL,
    node INTEGER NOT NULL,
    n INTEGER NOT NULL,
    PRIMARY KEY (name, node)
) STRICT, WITHOUT ROWID;

CREATE TABLE transfers (
    node INTEGER NOT NULL,
    pos INTEGER NOT NULL,
    source TEXT NOT NULL,
    target TEXT NOT NULL,
    cents INTEGER NOT NULL,
    player INTEGER NOT NULL,
    version INTEGER NOT NULL,
    after INTEGER NOT NULL,
    PRIMARY KEY (node, pos)
) STRICT, WITHOUT ROWID;

CREATE TABLE keys (
    key TEXT NOT NULL,
    principal TEXT NOT NULL,
    hash BLOB NOT NULL,
    node INTEGER NOT NULL,
    idx INTEGER NOT NULL,
    PRIMARY KEY (key, principal)
) STRICT, WITHOUT ROWID;

CREATE TABLE leaves (
    node INTEGER NOT NULL,
    idx INTEGER NOT NULL,
    salt BLOB NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (node, idx)
) STRICT, WITHOUT ROWID;
