-- +goose Up
CREATE TABLE groups (
    draw TEXT COLLATE "C" NOT NULL,
    id BIGINT NOT NULL,
    player BIGINT NOT NULL,
    lines TEXT COLLATE "C" NOT NULL,
    receipts BIGINT NOT NULL,
    stake BIGINT NOT NULL,
    channel TEXT COLLATE "C" NOT NULL,
    at BIGINT NOT NULL,
    invitation TEXT COLLATE "C" NOT NULL,
    members TEXT COLLATE "C" NOT NULL,
    play BIGINT NOT NULL,
    PRIMARY KEY (draw, id)
);

CREATE TABLE receipts (
    draw TEXT COLLATE "C" NOT NULL,
    play BIGINT NOT NULL,
    n BIGINT NOT NULL,
    player BIGINT NOT NULL,
    cents BIGINT NOT NULL,
    PRIMARY KEY (draw, play, n)
);

CREATE TABLE subscriptions (
    player BIGINT NOT NULL,
    slot BIGINT NOT NULL,
    id BIGINT NOT NULL,
    game TEXT COLLATE "C" NOT NULL,
    lines TEXT COLLATE "C" NOT NULL,
    add_ons TEXT COLLATE "C" NOT NULL,
    days TEXT COLLATE "C" NOT NULL,
    channel TEXT COLLATE "C" NOT NULL,
    cents BIGINT NOT NULL,
    state TEXT COLLATE "C" NOT NULL,
    since BIGINT NOT NULL,
    misses BIGINT NOT NULL,
    draw TEXT COLLATE "C" NOT NULL,
    play BIGINT NOT NULL,
    why TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (player, slot)
);
