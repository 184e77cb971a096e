-- +goose Up
CREATE TABLE message_reads (
    player INTEGER NOT NULL,
    id INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (player, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE messages (
    player INTEGER NOT NULL,
    id INTEGER NOT NULL,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    cents INTEGER NOT NULL,
    facts TEXT NOT NULL,
    PRIMARY KEY (player, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE deferred (
    name TEXT NOT NULL,
    id INTEGER NOT NULL,
    player INTEGER NOT NULL,
    done INTEGER NOT NULL,
    PRIMARY KEY (name, id)
) STRICT, WITHOUT ROWID;
