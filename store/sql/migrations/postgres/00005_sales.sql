-- +goose Up
-- Plays that were sold before this version name no channel.
ALTER TABLE plays ADD COLUMN channel TEXT COLLATE "C" NOT NULL DEFAULT '';

CREATE TABLE add_ons (
    draw TEXT COLLATE "C" NOT NULL,
    game TEXT COLLATE "C" NOT NULL,
    play BIGINT NOT NULL,
    stake BIGINT NOT NULL,
    number TEXT COLLATE "C" NOT NULL,
    sale_rules TEXT COLLATE "C" NOT NULL,
    prize_rules TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (draw, game, play)
);
