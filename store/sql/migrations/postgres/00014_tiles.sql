-- +goose Up
CREATE TABLE tiles (
    node BIGINT NOT NULL,
    place BIGINT NOT NULL,
    hashes BYTEA NOT NULL,
    PRIMARY KEY (node, place)
);
