-- +goose Up
CREATE TABLE generators (
    draw TEXT NOT NULL,
    chain TEXT NOT NULL,
    beacon_key TEXT NOT NULL,
    genesis INTEGER NOT NULL,
    period INTEGER NOT NULL CHECK (period > 0),
    round INTEGER NOT NULL,
    chooser TEXT NOT NULL,
    why TEXT NOT NULL,
    chosen_at INTEGER NOT NULL,
    confirmer TEXT NOT NULL,
    confirmed_at INTEGER NOT NULL,
    signature BLOB NOT NULL,
    first_by TEXT NOT NULL,
    second_by TEXT NOT NULL,
    first_value BLOB NOT NULL,
    second_value BLOB NOT NULL,
    reason TEXT NOT NULL,
    drawer TEXT NOT NULL,
    drawn_at INTEGER NOT NULL,
    numbers TEXT NOT NULL,
    PRIMARY KEY (draw)
) STRICT, WITHOUT ROWID;
