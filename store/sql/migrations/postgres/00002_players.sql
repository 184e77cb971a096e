-- +goose Up
-- Accounts that were opened before this version play on without limits.
ALTER TABLE players ADD COLUMN play_from BIGINT NOT NULL DEFAULT 0;
ALTER TABLE players ADD COLUMN play_until BIGINT NOT NULL DEFAULT 9223372036854775807;
ALTER TABLE players ADD COLUMN stakes BYTEA NOT NULL DEFAULT '\x';

CREATE TABLE guards (
    player BIGINT PRIMARY KEY,
    state TEXT COLLATE "C" NOT NULL,
    excluded_until BIGINT NOT NULL,
    banned BIGINT NOT NULL,
    cleared BIGINT NOT NULL,
    list TEXT COLLATE "C" NOT NULL,
    check_interval BIGINT NOT NULL,
    since BIGINT NOT NULL,
    deposits BYTEA NOT NULL
);

CREATE TABLE persons (
    player BIGINT PRIMARY KEY,
    given TEXT COLLATE "C" NOT NULL,
    family TEXT COLLATE "C" NOT NULL,
    birth TEXT COLLATE "C" NOT NULL,
    email TEXT COLLATE "C" NOT NULL
);

CREATE TABLE logins (
    name TEXT COLLATE "C" NOT NULL,
    player BIGINT NOT NULL,
    tries BIGINT NOT NULL,
    last BIGINT NOT NULL,
    until BIGINT NOT NULL,
    PRIMARY KEY (name)
);

CREATE TABLE credentials (
    player BIGINT PRIMARY KEY,
    version BIGINT NOT NULL,
    password TEXT COLLATE "C" NOT NULL
);

CREATE TABLE sessions (
    player BIGINT NOT NULL,
    id BIGINT NOT NULL,
    hash BYTEA NOT NULL,
    version BIGINT NOT NULL,
    opened BIGINT NOT NULL,
    closed BIGINT NOT NULL,
    play BIGINT NOT NULL,
    PRIMARY KEY (player, id)
);

CREATE TABLE payments (
    player BIGINT NOT NULL,
    id BIGINT NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    state TEXT COLLATE "C" NOT NULL,
    cents BIGINT NOT NULL CHECK (cents > 0),
    reference TEXT COLLATE "C" NOT NULL,
    at BIGINT NOT NULL,
    done BIGINT NOT NULL,
    PRIMARY KEY (player, id)
);

CREATE TABLE payment_references (
    name TEXT COLLATE "C" NOT NULL,
    player BIGINT NOT NULL,
    payment BIGINT NOT NULL,
    PRIMARY KEY (name)
);

CREATE TABLE touches (
    player BIGINT NOT NULL,
    session BIGINT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (player, session)
);

CREATE TABLE movements (
    player BIGINT NOT NULL,
    version BIGINT NOT NULL,
    at BIGINT NOT NULL,
    node BIGINT NOT NULL,
    leaf BIGINT NOT NULL,
    account TEXT COLLATE "C" NOT NULL,
    cents BIGINT NOT NULL,
    after BIGINT NOT NULL,
    PRIMARY KEY (player, version)
);

CREATE TABLE progress (
    name TEXT COLLATE "C" NOT NULL,
    node BIGINT NOT NULL,
    n BIGINT NOT NULL,
    PRIMARY KEY (name, node)
);
