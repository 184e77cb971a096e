-- +goose Up
CREATE TABLE quotes (
    id INTEGER NOT NULL,
    player INTEGER NOT NULL,
    state INTEGER NOT NULL,
    leaf INTEGER NOT NULL,
    PRIMARY KEY (id, player)
) STRICT, WITHOUT ROWID;
