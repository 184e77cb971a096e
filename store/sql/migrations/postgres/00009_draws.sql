-- +goose Up
CREATE TABLE calendar (
    game TEXT COLLATE "C" NOT NULL,
    day TEXT COLLATE "C" NOT NULL,
    state TEXT COLLATE "C" NOT NULL,
    opens_at BIGINT NOT NULL,
    closes_at BIGINT NOT NULL,
    draws_at BIGINT NOT NULL,
    first_at BIGINT NOT NULL,
    exceptional BIGINT NOT NULL,
    jackpot BIGINT NOT NULL,
    super BIGINT NOT NULL,
    reported BIGINT NOT NULL,
    stakes BIGINT NOT NULL,
    fund BIGINT NOT NULL,
    why TEXT COLLATE "C" NOT NULL,
    recorder TEXT COLLATE "C" NOT NULL,
    lapsed BIGINT NOT NULL,
    PRIMARY KEY (game, day)
);

CREATE TABLE claims (
    draw TEXT COLLATE "C" NOT NULL,
    component TEXT COLLATE "C" NOT NULL,
    play BIGINT NOT NULL,
    version BIGINT NOT NULL,
    cents BIGINT NOT NULL CHECK (cents > 0),
    player BIGINT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (draw, component, play, version)
);

CREATE TABLE deferrals (
    service TEXT COLLATE "C" NOT NULL,
    state TEXT COLLATE "C" NOT NULL,
    until TEXT COLLATE "C" NOT NULL,
    why TEXT COLLATE "C" NOT NULL,
    french TEXT COLLATE "C" NOT NULL,
    english TEXT COLLATE "C" NOT NULL,
    proposer TEXT COLLATE "C" NOT NULL,
    confirmer TEXT COLLATE "C" NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (service)
);

ALTER TABLE games ADD COLUMN put_off BIGINT NOT NULL DEFAULT 0;
ALTER TABLE games ADD COLUMN until TEXT COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE games ADD COLUMN late_french TEXT COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE games ADD COLUMN late_english TEXT COLLATE "C" NOT NULL DEFAULT '';
