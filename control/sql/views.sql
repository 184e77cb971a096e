-- What the sealed file holds, one row a thing. A holder h is a play (node × 2⁴⁸ + leaf) or a pack (−1, −2, … in the order of the file).
CREATE MACRO family(game) AS CASE WHEN game = 'euromillions' THEN 'euromillions' ELSE 'loto' END;
CREATE MACRO euros(c) AS printf('%s%d.%02d €', CASE WHEN c < 0 THEN '-' ELSE '' END, abs(c) // 100, abs(c) % 100);
CREATE MACRO hour_text(hour) AS strftime(make_timestamp(hour * 3600000000), '%Y-%m-%d %H h UTC');
CREATE MACRO play_text(node, leaf, sold_at) AS printf('play %d-%d (node %d, %s)', node, leaf, node, strftime(sold_at, '%Y-%m-%d %H h UTC'));
CREATE MACRO pack_text(pack_type, pack) AS printf('pack %s/%d', pack_type, pack);
-- A multiple decomposes into every choice of 5 of its numbers with every choice of its extra numbers (Art. 14.8, 3.4.2.6).
CREATE MACRO choose5(n) AS n::BIGINT * (n - 1) * (n - 2) * (n - 3) * (n - 4) // 120;
CREATE MACRO choose_extra(n, k) AS CASE WHEN k = 1 THEN n::BIGINT ELSE n::BIGINT * (n - 1) // 2 END;

-- The number of a code in the order of its series; NULL when it is not printed as the series prints its codes.
CREATE MACRO consonant(c) AS instr('BCDFGHJKLMNPQRSTVWXZ', c) - 1;
CREATE MACRO code_number(series, printed) AS CASE
  WHEN series IN ('loto', 'superloto', 'grandloto') THEN
    CASE WHEN regexp_full_match(printed, '[A-Z] [0-9]{4} [0-9]{4}')
      THEN (ascii(printed) - 65)::BIGINT * 100000000 + CAST(substr(printed, 3, 4) AS BIGINT) * 10000 + CAST(substr(printed, 8, 4) AS BIGINT) END
  WHEN series = 'mymillion' THEN
    CASE WHEN regexp_full_match(printed, '[A-Z]{2} [0-9]{3} [0-9]{4}')
      THEN ((ascii(printed) - 65)::BIGINT * 26 + ascii(substr(printed, 2, 1)) - 65) * 10000000 + CAST(substr(printed, 4, 3) AS BIGINT) * 10000 + CAST(substr(printed, 8, 4) AS BIGINT) END
  WHEN series = 'euromillions' THEN
    CASE WHEN regexp_full_match(printed, 'F [B-DF-HJ-NP-TV-XZ]{3} [0-9]{5}')
      THEN ((consonant(substr(printed, 3, 1))::BIGINT * 20 + consonant(substr(printed, 4, 1))) * 20 + consonant(substr(printed, 5, 1))) * 100000 + CAST(substr(printed, 7, 5) AS BIGINT) END
  END;

-- The draw with its figures, one row.
CREATE VIEW rules AS
  SELECT d.*, g.main_of, g.extra, g.extra_of, g.price, g.common, g.identical, family(d.game) AS family,
    m.since, m.model, m.gain_step, m.start, m.max_rolls, m.late_from, m.cap, m.cap_draws, m.winners_bp
  FROM draw d JOIN game g USING (game) JOIN model m ON m.game = d.game AND m.since = (SELECT max(since) FROM model WHERE game = d.game AND since <= d.day);

CREATE TABLE pack_holder AS
  SELECT -row_number() OVER (ORDER BY file_row_number) AS h, pack_type, pack, rules, composition, shares, sold, share_price_cents, combinations
  FROM packs;

CREATE VIEW holder AS
  SELECT (node << 48) + leaf AS h, combinations, play_text(node, leaf, sold_at) AS place FROM plays WHERE kind <> 'pack'
  UNION ALL SELECT h, combinations, pack_text(pack_type, pack) FROM pack_holder;

CREATE TABLE line AS
  SELECT h, l.main AS main, l.extra AS extra FROM (
    SELECT (node << 48) + leaf AS h, unnest(lines) AS l FROM plays
    UNION ALL
    SELECT ph.h, unnest(p.lines) FROM packs p JOIN pack_holder ph ON ph.pack_type = p.pack_type AND ph.pack = p.pack);

CREATE TABLE code AS
  SELECT h, c.series AS series, code_number(c.series, c.first) AS number, c.n AS n FROM (
    SELECT (node << 48) + leaf AS h, unnest(codes) AS c FROM plays
    UNION ALL
    SELECT ph.h, unnest(p.codes) FROM packs p JOIN pack_holder ph ON ph.pack_type = p.pack_type AND ph.pack = p.pack);

CREATE VIEW added AS
  SELECT node, leaf, sold_at, combinations, a.game AS game, a.stake_cents AS stake_cents, a.number AS number, a.rules AS rules
  FROM (SELECT node, leaf, sold_at, combinations, unnest(added) AS a FROM plays);

CREATE VIEW receipt AS
  SELECT node, leaf, sold_at, stake_cents, shares, player AS registered, r.n AS n, r.player AS player, r.cents AS cents
  FROM (SELECT node, leaf, sold_at, stake_cents, shares, player, unnest(receipts) AS r FROM plays);

-- Every choice of k of n places, as bits: with it a multiple is written out, one simple combination a row.
CREATE TABLE choice AS
  SELECT n, k, bits FROM range(1, 13) t(n), (VALUES (1), (2), (5)) u(k), range(0, 4096) v(bits)
  WHERE bits < (1 << n::INT) AND bit_count(bits) = k AND n >= k;
