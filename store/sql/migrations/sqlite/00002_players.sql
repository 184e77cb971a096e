-- +goose Up
-- Accounts that were opened before this version play on without limits.
ALTER TABLE players ADD COLUMN play_from INTEGER NOT NULL DEFAULT 0;
ALTER TABLE players ADD COLUMN play_until INTEGER NOT NULL DEFAULT 9223372036854775807;
ALTER TABLE players ADD COLUMN stakes BLOB NOT NULL DEFAULT x'';

CREATE TABLE guards (
    player INTEGER PRIMARY KEY,
    state TEXT NOT NULL,
    excluded_until INTEGER NOT NULL,
    banned INTEGER NOT NULL,
    cleared INTEGER NOT NULL,
    list TEXT NOT NULL,
    check_interval INTEGER NOT NULL,
    since INTEGER NOT NULL,
    deposits BLOB NOT NULL
) STRICT;

CREATE TABLE persons (
    player INTEGER PRIMARY KEY,
    given TEXT NOT NULL,
    family TEXT NOT NULL,
    birth TEXT NOT NULL,
    email TEXT NOT NULL
) STRICT;

CREATE TABLE logins (
    name TEXT NOT NULL,
    player INTEGER NOT NULL,
    tries INTEGER NOT NULL,
    last INTEGER NOT NULL,
    until INTEGER NOT NULL,
    PRIMARY KEY (name)
) STRICT, WITHOUT ROWID;

CREATE TABLE credentials (
    player INTEGER PRIMARY KEY,
    version INTEGER NOT NULL,
    password TEXT NOT NULL
) STRICT;

CREATE TABLE sessions (
    player INTEGER NOT NULL,
    id INTEGER NOT NULL,
    hash BLOB NOT NULL,
    version INTEGER NOT NULL,
    opened INTEGER NOT NULL,
    closed INTEGER NOT NULL,
    play INTEGER NOT NULL,
    PRIMARY KEY (player, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE payments (
    player INTEGER NOT NULL,
    id INTEGER NOT NULL,
    kind TEXT NOT NULL,
    state TEXT NOT NULL,
    cents INTEGER NOT NULL CHECK (cents > 0),
    reference TEXT NOT NULL,
    at INTEGER NOT NULL,
    done INTEGER NOT NULL,
    PRIMARY KEY (player, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE payment_references (
    name TEXT NOT NULL,
    player INTEGER NOT NULL,
    payment INTEGER NOT NULL,
    PRIMARY KEY (name)
) STRICT, WITHOUT ROWID;

CREATE TABLE touches (
    player INTEGER NOT NULL,
    session INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (player, session)
) STRICT, WITHOUT ROWID;

CREATE TABLE movements (
    player INTEGER NOT NULL,
    version INTEGER NOT NULL,
    at INTEGER NOT NULL,
    node INTEGER NOT NULL,
    leaf INTEGER NOT NULL,
    account TEXT NOT NULL,
    cents INTEGER NOT NULL,
    after INTEGER NOT NULL,
    PRIMARY KEY (player, version)
) STRICT, WITHOUT ROWID;

CREATE TABLE progress (
    name TEXT NOT NULL,
    node INTEGER NOT NULL,
    n INTEGER NOT NULL,
    PRIMARY KEY (name, node)
) STRICT, WITHOUT ROWID;
