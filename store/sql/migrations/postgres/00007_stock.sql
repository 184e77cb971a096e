-- +goose Up
-- Types opened before were sold by the formulas of all rulebooks.
ALTER TABLE pack_types ADD COLUMN formulas TEXT COLLATE "C" NOT NULL DEFAULT '1, 2, 5, 10';

CREATE TABLE leases (
    name TEXT COLLATE "C" NOT NULL,
    node BIGINT NOT NULL,
    epoch BIGINT NOT NULL,
    PRIMARY KEY (name)
);

CREATE TABLE pick_attempts (
    draw TEXT COLLATE "C" NOT NULL,
    type TEXT COLLATE "C" NOT NULL,
    n BIGINT NOT NULL,
    attempts TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (draw, type, n)
);
