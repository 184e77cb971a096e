-- +goose Up
CREATE TABLE rooms (
    draw TEXT COLLATE "C" NOT NULL,
    version BIGINT NOT NULL,
    round BIGINT NOT NULL,
    entries BIGINT NOT NULL CHECK (entries >= 0),
    differs TEXT COLLATE "C" NOT NULL,
    kept TEXT COLLATE "C" NOT NULL,
    incident TEXT COLLATE "C" NOT NULL,
    program TEXT COLLATE "C" NOT NULL,
    rules TEXT COLLATE "C" NOT NULL,
    checker TEXT COLLATE "C" NOT NULL,
    checked_at BIGINT NOT NULL,
    officer TEXT COLLATE "C" NOT NULL,
    came_at BIGINT NOT NULL,
    hands TEXT COLLATE "C" NOT NULL,
    signer TEXT COLLATE "C" NOT NULL,
    signed_at BIGINT NOT NULL,
    late TEXT COLLATE "C" NOT NULL,
    claims TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (draw)
);

CREATE TABLE entries (
    draw TEXT COLLATE "C" NOT NULL,
    version BIGINT NOT NULL,
    n BIGINT NOT NULL,
    enterer TEXT COLLATE "C" NOT NULL,
    at BIGINT NOT NULL,
    body TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (draw, version, n)
);
