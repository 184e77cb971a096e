-- +goose Up
CREATE TABLE pack_designs (
    id INTEGER NOT NULL,
    game TEXT NOT NULL,
    type TEXT NOT NULL,
    state TEXT NOT NULL,
    from_day TEXT NOT NULL,
    composition TEXT NOT NULL,
    shares INTEGER NOT NULL CHECK (shares > 0),
    max_packs INTEGER NOT NULL CHECK (max_packs > 0),
    formulas TEXT NOT NULL,
    rules TEXT NOT NULL,
    proposer TEXT NOT NULL,
    activator TEXT NOT NULL,
    at INTEGER NOT NULL,
    draws TEXT NOT NULL,
    why TEXT NOT NULL,
    PRIMARY KEY (id)
) STRICT;
