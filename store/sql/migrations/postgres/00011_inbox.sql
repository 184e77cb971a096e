-- +goose Up
CREATE TABLE message_reads (
    player BIGINT NOT NULL,
    id BIGINT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (player, id)
);

CREATE TABLE messages (
    player BIGINT NOT NULL,
    id BIGINT NOT NULL,
    at BIGINT NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    cents BIGINT NOT NULL,
    facts TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (player, id)
);

CREATE TABLE deferred (
    name TEXT COLLATE "C" NOT NULL,
    id BIGINT NOT NULL,
    player BIGINT NOT NULL,
    done BIGINT NOT NULL,
    PRIMARY KEY (name, id)
);
