-- +goose Up
-- Plays that were sold before this version name no channel.
ALTER TABLE plays ADD COLUMN channel TEXT NOT NULL DEFAULT '';

CREATE TABLE add_ons (
    draw TEXT NOT NULL,
    game TEXT NOT NULL,
    play INTEGER NOT NULL,
    stake INTEGER NOT NULL,
    number TEXT NOT NULL,
    sale_rules TEXT NOT NULL,
    prize_rules TEXT NOT NULL,
    PRIMARY KEY (draw, game, play)
) STRICT, WITHOUT ROWID;
