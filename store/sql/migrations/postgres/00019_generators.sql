-- +goose Up
CREATE TABLE generators (
    draw TEXT COLLATE "C" NOT NULL,
    chain TEXT COLLATE "C" NOT NULL,
    beacon_key TEXT COLLATE "C" NOT NULL,
    genesis BIGINT NOT NULL,
    period BIGINT NOT NULL CHECK (period > 0),
    round BIGINT NOT NULL,
    chooser TEXT COLLATE "C" NOT NULL,
    why TEXT COLLATE "C" NOT NULL,
    chosen_at BIGINT NOT NULL,
    confirmer TEXT COLLATE "C" NOT NULL,
    confirmed_at BIGINT NOT NULL,
    signature BYTEA NOT NULL,
    first_by TEXT COLLATE "C" NOT NULL,
    second_by TEXT COLLATE "C" NOT NULL,
    first_value BYTEA NOT NULL,
    second_value BYTEA NOT NULL,
    reason TEXT COLLATE "C" NOT NULL,
    drawer TEXT COLLATE "C" NOT NULL,
    drawn_at BIGINT NOT NULL,
    numbers TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (draw)
);
