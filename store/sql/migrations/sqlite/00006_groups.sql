-- +goose Up
CREATE TABLE groups (
    draw TEXT NOT NULL,
    id INTEGER NOT NULL,
    player INTEGER NOT NULL,
    lines TEXT NOT NULL,
    receipts INTEGER NOT NULL,
    stake INTEGER NOT NULL,
    channel TEXT NOT NULL,
    at INTEGER NOT NULL,
    invitation TEXT NOT NULL,
    members TEXT NOT NULL,
    play INTEGER NOT NULL,
    PRIMARY KEY (draw, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE receipts (
    draw TEXT NOT NULL,
    play INTEGER NOT NULL,
    n INTEGER NOT NULL,
    player INTEGER NOT NULL,
    cents INTEGER NOT NULL,
    PRIMARY KEY (draw, play, n)
) STRICT, WITHOUT ROWID;

CREATE TABLE subscriptions (
    player INTEGER NOT NULL,
    slot INTEGER NOT NULL,
    id INTEGER NOT NULL,
    game TEXT NOT NULL,
    lines TEXT NOT NULL,
    add_ons TEXT NOT NULL,
    days TEXT NOT NULL,
    channel TEXT NOT NULL,
    cents INTEGER NOT NULL,
    state TEXT NOT NULL,
    since INTEGER NOT NULL,
    misses INTEGER NOT NULL,
    draw TEXT NOT NULL,
    play INTEGER NOT NULL,
    why TEXT NOT NULL,
    PRIMARY KEY (player, slot)
) STRICT, WITHOUT ROWID;
