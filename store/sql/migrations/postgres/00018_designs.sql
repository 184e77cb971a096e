-- +goose Up
CREATE TABLE pack_designs (
    id BIGINT NOT NULL,
    game TEXT COLLATE "C" NOT NULL,
    type TEXT COLLATE "C" NOT NULL,
    state TEXT COLLATE "C" NOT NULL,
    from_day TEXT COLLATE "C" NOT NULL,
    composition TEXT COLLATE "C" NOT NULL,
    shares BIGINT NOT NULL CHECK (shares > 0),
    max_packs BIGINT NOT NULL CHECK (max_packs > 0),
    formulas TEXT COLLATE "C" NOT NULL,
    rules TEXT COLLATE "C" NOT NULL,
    proposer TEXT COLLATE "C" NOT NULL,
    activator TEXT COLLATE "C" NOT NULL,
    at BIGINT NOT NULL,
    draws TEXT COLLATE "C" NOT NULL,
    why TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (id)
);
