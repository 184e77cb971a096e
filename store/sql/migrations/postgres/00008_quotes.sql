-- +goose Up
CREATE TABLE quotes (
    id BIGINT NOT NULL,
    player BIGINT NOT NULL,
    state BIGINT NOT NULL,
    leaf BIGINT NOT NULL,
    PRIMARY KEY (id, player)
);
