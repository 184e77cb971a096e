-- +goose Up
CREATE TABLE games (
    id TEXT COLLATE "C" NOT NULL,
    withdrawn BIGINT NOT NULL,
    why TEXT COLLATE "C" NOT NULL,
    french TEXT COLLATE "C" NOT NULL,
    english TEXT COLLATE "C" NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (id)
);

CREATE TABLE seats (
    game TEXT COLLATE "C" NOT NULL,
    player BIGINT NOT NULL,
    open BIGINT NOT NULL,
    last BIGINT NOT NULL,
    started BIGINT NOT NULL,
    PRIMARY KEY (game, player)
);

CREATE TABLE rounds (
    game TEXT COLLATE "C" NOT NULL,
    id BIGINT NOT NULL,
    player BIGINT NOT NULL,
    previous BIGINT NOT NULL,
    rules TEXT COLLATE "C" NOT NULL,
    state TEXT COLLATE "C" NOT NULL,
    ended_by TEXT COLLATE "C" NOT NULL,
    stake BIGINT NOT NULL,
    gain BIGINT NOT NULL,
    started BIGINT NOT NULL,
    due BIGINT NOT NULL,
    ended BIGINT NOT NULL,
    step BIGINT NOT NULL,
    sum BIGINT NOT NULL,
    stars BIGINT NOT NULL,
    secret BYTEA NOT NULL,
    commitment BYTEA NOT NULL,
    PRIMARY KEY (game, id)
);

CREATE TABLE round_series (
    game TEXT COLLATE "C" NOT NULL,
    round BIGINT NOT NULL,
    n BIGINT NOT NULL,
    at BIGINT NOT NULL,
    commitment BYTEA NOT NULL,
    contribution BYTEA NOT NULL,
    secret BYTEA NOT NULL,
    items BYTEA NOT NULL,
    PRIMARY KEY (game, round, n)
);

CREATE TABLE sweeps (
    game TEXT COLLATE "C" NOT NULL,
    node BIGINT NOT NULL,
    through BIGINT NOT NULL,
    PRIMARY KEY (game, node)
);
