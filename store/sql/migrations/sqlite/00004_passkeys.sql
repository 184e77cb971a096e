-- +goose Up
CREATE TABLE passkeys (
    player INTEGER NOT NULL,
    id INTEGER NOT NULL,
    name TEXT NOT NULL,
    record BLOB NOT NULL,
    added INTEGER NOT NULL,
    used INTEGER NOT NULL,
    removed INTEGER NOT NULL,
    PRIMARY KEY (player, id)
) STRICT, WITHOUT ROWID;
