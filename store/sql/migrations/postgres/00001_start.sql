-- +goose Up
CREATE TABLE writers (
    node BIGINT PRIMARY KEY,
    size BIGINT NOT NULL,
    edge BYTEA NOT NULL,
    at BIGINT NOT NULL
);

CREATE TABLE players (
    id BIGINT PRIMARY KEY,
    balance BIGINT NOT NULL CHECK (balance >= 0),
    version BIGINT NOT NULL
);

CREATE TABLE profiles (
    id BIGINT PRIMARY KEY,
    name TEXT COLLATE "C" NOT NULL,
    created BIGINT NOT NULL
);

CREATE TABLE draws (
    id TEXT COLLATE "C" NOT NULL,
    game TEXT COLLATE "C" NOT NULL,
    day TEXT COLLATE "C" NOT NULL,
    state TEXT COLLATE "C" NOT NULL,
    opens_at BIGINT NOT NULL,
    closes_at BIGINT NOT NULL,
    exceptional BIGINT NOT NULL,
    reconstructed BIGINT NOT NULL,
    secret BYTEA NOT NULL,
    commitment BYTEA NOT NULL,
    seq_floor BIGINT NOT NULL,
    seq_floor2 BIGINT NOT NULL,
    resume TEXT COLLATE "C" NOT NULL,
    version BIGINT NOT NULL,
    slices BIGINT NOT NULL,
    paid BIGINT NOT NULL,
    PRIMARY KEY (id)
);

CREATE TABLE pack_types (
    draw TEXT COLLATE "C" NOT NULL,
    type TEXT COLLATE "C" NOT NULL,
    composition TEXT COLLATE "C" NOT NULL,
    shares BIGINT NOT NULL,
    share_price BIGINT NOT NULL,
    combos BIGINT NOT NULL,
    max_packs BIGINT NOT NULL,
    rules TEXT COLLATE "C" NOT NULL,
    opened BIGINT NOT NULL,
    sold BIGINT NOT NULL,
    open BYTEA NOT NULL,
    given BYTEA NOT NULL,
    PRIMARY KEY (draw, type)
);

CREATE TABLE packs (
    draw TEXT COLLATE "C" NOT NULL,
    type TEXT COLLATE "C" NOT NULL,
    n BIGINT NOT NULL,
    sold BIGINT NOT NULL CHECK (sold >= 0),
    PRIMARY KEY (draw, type, n)
);

CREATE TABLE pack_contents (
    draw TEXT COLLATE "C" NOT NULL,
    type TEXT COLLATE "C" NOT NULL,
    n BIGINT NOT NULL,
    lines BYTEA NOT NULL,
    combos BIGINT NOT NULL,
    code_at BIGINT NOT NULL,
    code_at2 BIGINT NOT NULL,
    PRIMARY KEY (draw, type, n)
);

CREATE TABLE code_pointers (
    scope TEXT COLLATE "C" NOT NULL,
    next BIGINT NOT NULL,
    PRIMARY KEY (scope)
);

CREATE TABLE code_blocks (
    scope TEXT COLLATE "C" NOT NULL,
    node BIGINT NOT NULL,
    next BIGINT NOT NULL,
    last BIGINT NOT NULL,
    PRIMARY KEY (scope, node)
);

CREATE TABLE plays (
    draw TEXT COLLATE "C" NOT NULL,
    id BIGINT NOT NULL,
    player BIGINT NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    at BIGINT NOT NULL,
    stake BIGINT NOT NULL,
    sale_rules TEXT COLLATE "C" NOT NULL,
    prize_rules TEXT COLLATE "C" NOT NULL,
    lines BYTEA NOT NULL,
    quick BIGINT NOT NULL,
    combos BIGINT NOT NULL,
    code_at BIGINT NOT NULL,
    code_at2 BIGINT NOT NULL,
    pack_type TEXT COLLATE "C" NOT NULL,
    pack BIGINT NOT NULL,
    shares BIGINT NOT NULL,
    PRIMARY KEY (draw, id)
);

CREATE TABLE docs (
    draw TEXT COLLATE "C" NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    version BIGINT NOT NULL,
    body TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (draw, kind, version)
);

CREATE TABLE slices (
    draw TEXT COLLATE "C" NOT NULL,
    version BIGINT NOT NULL,
    n BIGINT NOT NULL,
    credits BIGINT NOT NULL,
    cents BIGINT NOT NULL,
    hash BYTEA NOT NULL,
    paid BIGINT NOT NULL,
    PRIMARY KEY (draw, version, n)
);

CREATE TABLE credits (
    draw TEXT COLLATE "C" NOT NULL,
    component TEXT COLLATE "C" NOT NULL,
    play BIGINT NOT NULL,
    version BIGINT NOT NULL,
    player BIGINT NOT NULL,
    cents BIGINT NOT NULL,
    movement BIGINT NOT NULL,
    after BIGINT NOT NULL,
    PRIMARY KEY (draw, component, play, version)
);

CREATE TABLE accounts (
    name TEXT COLLATE "C" NOT NULL,
    node BIGINT NOT NULL,
    balance BIGINT NOT NULL,
    PRIMARY KEY (name, node)
);

CREATE TABLE counters (
    name TEXT COLLATE "C" NOT NULL,
    node BIGINT NOT NULL,
    n BIGINT NOT NULL,
    PRIMARY KEY (name, node)
);

CREATE TABLE transfers (
    node BIGINT NOT NULL,
    pos BIGINT NOT NULL,
    source TEXT COLLATE "C" NOT NULL,
    target TEXT COLLATE "C" NOT NULL,
    cents BIGINT NOT NULL,
    player BIGINT NOT NULL,
    version BIGINT NOT NULL,
    after BIGINT NOT NULL,
    PRIMARY KEY (node, pos)
);

CREATE TABLE keys (
    key TEXT COLLATE "C" NOT NULL,
    principal TEXT COLLATE "C" NOT NULL,
    hash BYTEA NOT NULL,
    node BIGINT NOT NULL,
    idx BIGINT NOT NULL,
    PRIMARY KEY (key, principal)
);

CREATE TABLE leaves (
    node BIGINT NOT NULL,
    idx BIGINT NOT NULL,
    salt BYTEA NOT NULL,
    body BYTEA NOT NULL,
    PRIMARY KEY (node, idx)
);
