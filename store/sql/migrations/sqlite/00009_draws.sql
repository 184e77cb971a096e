-- +goose Up
CREATE TABLE calendar (
    game TEXT NOT NULL,
    day TEXT NOT NULL,
    state TEXT NOT NULL,
    opens_at INTEGER NOT NULL,
    closes_at INTEGER NOT NULL,
    draws_at INTEGER NOT NULL,
    first_at INTEGER NOT NULL,
    exceptional INTEGER NOT NULL,
    jackpot INTEGER NOT NULL,
    super INTEGER NOT NULL,
    reported INTEGER NOT NULL,
    stakes INTEGER NOT NULL,
    fund INTEGER NOT NULL,
    why TEXT NOT NULL,
    recorder TEXT NOT NULL,
    lapsed INTEGER NOT NULL,
    PRIMARY KEY (game, day)
) STRICT, WITHOUT ROWID;

CREATE TABLE claims (
    draw TEXT NOT NULL,
    component TEXT NOT NULL,
    play INTEGER NOT NULL,
    version INTEGER NOT NULL,
    cents INTEGER NOT NULL CHECK (cents > 0),
    player INTEGER NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (draw, component, play, version)
) STRICT, WITHOUT ROWID;

CREATE TABLE deferrals (
    service TEXT NOT NULL,
    state TEXT NOT NULL,
    until TEXT NOT NULL,
    why TEXT NOT NULL,
    french TEXT NOT NULL,
    english TEXT NOT NULL,
    proposer TEXT NOT NULL,
    confirmer TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (service)
) STRICT, WITHOUT ROWID;

ALTER TABLE games ADD COLUMN put_off INTEGER NOT NULL DEFAULT 0;
ALTER TABLE games ADD COLUMN until TEXT NOT NULL DEFAULT '';
ALTER TABLE games ADD COLUMN late_french TEXT NOT NULL DEFAULT '';
ALTER TABLE games ADD COLUMN late_english TEXT NOT NULL DEFAULT '';
