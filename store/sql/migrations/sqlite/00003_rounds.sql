-- +goose Up
CREATE TABLE games (
    id TEXT NOT NULL,
    withdrawn INTEGER NOT NULL,
    why TEXT NOT NULL,
    french TEXT NOT NULL,
    english TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (id)
) STRICT, WITHOUT ROWID;

CREATE TABLE seats (
    game TEXT NOT NULL,
    player INTEGER NOT NULL,
    open INTEGER NOT NULL,
    last INTEGER NOT NULL,
    started INTEGER NOT NULL,
    PRIMARY KEY (game, player)
) STRICT, WITHOUT ROWID;

CREATE TABLE rounds (
    game TEXT NOT NULL,
    id INTEGER NOT NULL,
    player INTEGER NOT NULL,
    previous INTEGER NOT NULL,
    rules TEXT NOT NULL,
    state TEXT NOT NULL,
    ended_by TEXT NOT NULL,
    stake INTEGER NOT NULL,
    gain INTEGER NOT NULL,
    started INTEGER NOT NULL,
    due INTEGER NOT NULL,
    ended INTEGER NOT NULL,
    step INTEGER NOT NULL,
    sum INTEGER NOT NULL,
    stars INTEGER NOT NULL,
    secret BLOB NOT NULL,
    commitment BLOB NOT NULL,
    PRIMARY KEY (game, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE round_series (
    game TEXT NOT NULL,
    round INTEGER NOT NULL,
    n INTEGER NOT NULL,
    at INTEGER NOT NULL,
    commitment BLOB NOT NULL,
    contribution BLOB NOT NULL,
    secret BLOB NOT NULL,
    items BLOB NOT NULL,
    PRIMARY KEY (game, round, n)
) STRICT, WITHOUT ROWID;

CREATE TABLE sweeps (
    game TEXT NOT NULL,
    node INTEGER NOT NULL,
    through INTEGER NOT NULL,
    PRIMARY KEY (game, node)
) STRICT, WITHOUT ROWID;
