-- +goose Up
-- Types opened before were sold by the formulas of all rulebooks.
ALTER TABLE pack_types ADD COLUMN formulas TEXT NOT NULL DEFAULT '1, 2, 5, 10';

CREATE TABLE leases (
    name TEXT NOT NULL,
    node INTEGER NOT NULL,
    epoch INTEGER NOT NULL,
    PRIMARY KEY (name)
) STRICT, WITHOUT ROWID;

CREATE TABLE pick_attempts (
    draw TEXT NOT NULL,
    type TEXT NOT NULL,
    n INTEGER NOT NULL,
    attempts TEXT NOT NULL,
    PRIMARY KEY (draw, type, n)
) STRICT, WITHOUT ROWID;
