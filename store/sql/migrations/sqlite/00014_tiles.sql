-- +goose Up
CREATE TABLE tiles (
    node INTEGER NOT NULL,
    place INTEGER NOT NULL,
    hashes BLOB NOT NULL,
    PRIMARY KEY (node, place)
) STRICT;
