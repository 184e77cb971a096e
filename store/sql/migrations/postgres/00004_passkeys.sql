-- +goose Up
CREATE TABLE passkeys (
    player BIGINT NOT NULL,
    id BIGINT NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    record BYTEA NOT NULL,
    added BIGINT NOT NULL,
    used BIGINT NOT NULL,
    removed BIGINT NOT NULL,
    PRIMARY KEY (player, id)
);
