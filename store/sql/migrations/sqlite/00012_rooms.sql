-- +goose Up
CREATE TABLE rooms (
    draw TEXT NOT NULL,
    version INTEGER NOT NULL,
    round INTEGER NOT NULL,
    entries INTEGER NOT NULL CHECK (entries >= 0),
    differs TEXT NOT NULL,
    kept TEXT NOT NULL,
    incident TEXT NOT NULL,
    program TEXT NOT NULL,
    rules TEXT NOT NULL,
    checker TEXT NOT NULL,
    checked_at INTEGER NOT NULL,
    officer TEXT NOT NULL,
    came_at INTEGER NOT NULL,
    hands TEXT NOT NULL,
    signer TEXT NOT NULL,
    signed_at INTEGER NOT NULL,
    late TEXT NOT NULL,
    claims TEXT NOT NULL,
    PRIMARY KEY (draw)
) STRICT, WITHOUT ROWID;

CREATE TABLE entries (
    draw TEXT NOT NULL,
    version INTEGER NOT NULL,
    n INTEGER NOT NULL,
    enterer TEXT NOT NULL,
    at INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (draw, version, n)
) STRICT, WITHOUT ROWID;
