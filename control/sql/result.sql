-- What the drawn numbers and codes give: winners, unit gains, what each play is due.

CREATE TABLE drawn AS SELECT
  (SELECT bit_or(1::BIGINT << (n - 1)::INT) FROM drawn_main) AS main, (SELECT bit_or(1::BIGINT << (n - 1)::INT) FROM drawn_extra) AS extra;

-- Winning simple combinations of every holder by rank; each combination of a multiple is looked at by itself and wins its best rank alone.
CREATE TABLE won AS
  SELECT w.h, t.rank, count(*) AS n FROM (
    SELECT h, bit_count(combination & ((1::BIGINT << 50) - 1) & d.main) AS mains, bit_count((combination >> 50) & d.extra) AS extras FROM written CROSS JOIN drawn d) w
  JOIN hit t ON t.family = (SELECT family FROM rules) AND t.main = w.mains AND t.extra = w.extras
  GROUP BY w.h, t.rank;

CREATE TABLE drawn_number AS SELECT series, code_number(series, printed) AS number FROM drawn_code;

-- Drawn codes of every holder by series.
CREATE TABLE won_code AS
  SELECT c.h, c.series, count(*) AS n FROM code c JOIN drawn_number d ON d.series = c.series AND d.number BETWEEN c.number AND c.number + c.n - 1
  GROUP BY c.h, c.series;

CREATE TABLE ours AS
  SELECT g.rank, coalesce(sum(w.n), 0)::BIGINT AS winners FROM gain g JOIN rules r ON g.game = r.game AND g.since = r.since LEFT JOIN won w ON w.rank = g.rank
  GROUP BY g.rank;

CREATE TABLE everywhere AS
  SELECT g.rank, g.fixed, g.bp, g.late_bp, o.winners + coalesce(e.winners, 0) AS winners
  FROM gain g JOIN rules r ON g.game = r.game AND g.since = r.since JOIN ours o ON o.rank = g.rank LEFT JOIN outside e ON e.rank = g.rank;

-- Amounts below are in ten-thousandths of a cent: a fund in cents × a share in bp.
-- Each of n equal parts of a pot: in whole euros, rounded up (10 M€ over three: 3 333 334 €).
CREATE MACRO euro_part(pot, n) AS CASE WHEN n = 0 THEN 0 ELSE (pot::HUGEINT + n::HUGEINT * 1000000 - 1) // (n::HUGEINT * 1000000) * 100 END;
-- Each of n equal parts of an amount, floored to the step of the game.
CREATE MACRO step_part(amount, n, step) AS amount::HUGEINT // (n::HUGEINT * step * 10000) * step;

-- The common fund: as announced, or half of the common stakes taken here and elsewhere.
CREATE TABLE pot AS
  WITH f AS (
    SELECT r.*, t.*, CASE
        WHEN r.model <> 'european' THEN CASE r.model WHEN 'spread' THEN t.jackpot ELSE t.fund END
        WHEN t.fund > 0 THEN t.fund
        ELSE (SELECT coalesce(sum(combinations), 0)::BIGINT FROM sold_rules WHERE split_part(rules, '@', 1) = r.game) * r.common * r.winners_bp // 10000
          + t.outside_stakes * r.winners_bp // 10000 END AS shared,
      t.after_super OR (r.late_from IS NOT NULL AND t.position >= r.late_from) AS late,
      CASE WHEN t.cap > 0 THEN t.cap ELSE r.cap END AS top,
      (SELECT winners FROM everywhere WHERE rank = 1) AS first,
      -- Only the gains of a draw that is made again may be known, and not its fund.
      r.model = 'european' AND t.fund = 0 AND (SELECT count(*) FROM official) > 0 AS unknown
    FROM rules r, terms t),
  p AS (
    SELECT *, CASE WHEN model = 'european'
      THEN greatest(carry::HUGEINT * 10000 + shared::HUGEINT * (SELECT CASE WHEN f.late THEN late_bp ELSE bp END FROM everywhere WHERE rank = 1),
        CASE WHEN super > 0 THEN super WHEN position = 1 THEN start ELSE 0 END::HUGEINT * 10000)
      ELSE jackpot::HUGEINT * 10000 END AS full_pot FROM f),
  c AS (
    SELECT *, model = 'european' AND top > 0 AND full_pot >= top::HUGEINT * 10000 AS at_cap FROM p),
  k AS (
    SELECT *, CASE WHEN at_cap THEN top::HUGEINT * 10000 ELSE full_pot END AS kept FROM c)
  SELECT *,
    -- What the first lower rank with a winner receives on top: what is above the cap, and the whole pot after the last draw at the cap.
    CASE WHEN model <> 'european' THEN 0
      WHEN at_cap AND first = 0 AND capped + 1 >= cap_draws THEN full_pot
      ELSE full_pot - kept END AS extra_amount,
    first = 0 AND model IN ('fixed', 'pool') AND max_rolls IS NOT NULL AND position > max_rolls AS rolled
  FROM k;

-- An empty rank hands its share to the next lower rank with a winner.
CREATE TABLE portion AS
  WITH goes AS (
    SELECT e.rank, CASE WHEN e.rank = 1 THEN 0 ELSE e.bp END AS bp, (SELECT min(w.rank) FROM everywhere w WHERE w.rank >= e.rank AND w.rank > 1 AND w.winners > 0) AS taker
    FROM everywhere e WHERE e.rank > 1)
  SELECT taker AS rank, sum(bp)::BIGINT AS bp, (SELECT winners FROM everywhere w WHERE w.rank = taker) AS winners,
    (SELECT fixed FROM everywhere w WHERE w.rank = taker) AS fixed, taker = (SELECT min(rank) FROM everywhere WHERE rank > 1 AND winners > 0) AS best
  FROM goes WHERE taker IS NOT NULL GROUP BY taker;

-- The part of each lower rank. In the pool, where a rank would pay less than the one below, both are added and shared equally: the part of a rank is then the
-- smallest, over the ranks from which a group may start, of the largest over those at which it may end.
CREATE TABLE lower AS
  SELECT x.rank, x.fixed + CASE
    WHEN p.model = 'fixed' THEN 0
    WHEN p.model = 'spread' AND p.first > 0 THEN 0
    WHEN p.unknown THEN 0
    WHEN p.model = 'pool' AND x.fixed = 0 THEN (
      SELECT min(top) FROM (
        SELECT a.rank, max(step_part((SELECT sum(s.bp) FROM portion s WHERE s.fixed = 0 AND s.rank BETWEEN a.rank AND b.rank) * p.shared::HUGEINT,
          (SELECT sum(s.winners) FROM portion s WHERE s.fixed = 0 AND s.rank BETWEEN a.rank AND b.rank), p.gain_step)) AS top
        FROM portion a, portion b WHERE a.fixed = 0 AND b.fixed = 0 AND a.rank <= x.rank AND b.rank >= x.rank GROUP BY a.rank))
    ELSE step_part(x.bp * p.shared::HUGEINT + CASE WHEN x.best THEN p.extra_amount ELSE 0 END, x.winners, p.gain_step)
  END + CASE WHEN p.rolled AND x.best THEN euro_part(p.kept, x.winners) ELSE 0 END AS cents
  FROM portion x CROSS JOIN pot p;

CREATE TABLE unit AS
  SELECT e.rank, CASE
    WHEN e.winners = 0 THEN 0
    WHEN o.cents >= 0 THEN o.cents
    WHEN e.rank = 1 THEN CASE WHEN p.unknown THEN 0 ELSE euro_part(p.kept, e.winners) END
    ELSE l.cents END::BIGINT AS cents
  FROM everywhere e CROSS JOIN pot p LEFT JOIN lower l ON l.rank = e.rank LEFT JOIN official o ON o.rank = e.rank;

-- What each winning combination or code is worth to its holder, by component.
CREATE TABLE worth AS
  SELECT w.h, 'ranks' AS component, u.cents AS unit, w.n, (SELECT fund FROM reserve JOIN rules USING (game)) AS fund FROM won w JOIN unit u USING (rank) WHERE u.cents > 0
  UNION ALL
  SELECT w.h, 'code/' || w.series, s.gain, w.n, s.fund FROM won_code w JOIN series s ON s.series = w.series AND s.game = (SELECT game FROM rules);

-- Games added to plays. The number drawn of Joker+ is compared from the right; Étoile+ looks at the grids of the play. A slot is a rank; of a game of digits the
-- ranks of the first stake, then those of the second.
CREATE MACRO digits_right(a, b) AS CASE WHEN a = b THEN 7 WHEN right(a, 6) = right(b, 6) THEN 6 WHEN right(a, 5) = right(b, 5) THEN 5 WHEN right(a, 4) = right(b, 4) THEN 4
  WHEN right(a, 3) = right(b, 3) THEN 3 WHEN right(a, 2) = right(b, 2) THEN 2 WHEN right(a, 1) = right(b, 1) THEN 1 ELSE 0 END;
CREATE TABLE side AS
  SELECT s.*, p.winners_bp, p.gain_step FROM side_rank s JOIN side_pool p USING (game)
  WHERE s.since = (SELECT max(x.since) FROM side_rank x WHERE x.game = s.game AND x.since <= (SELECT day FROM draw));

CREATE TABLE added_game AS SELECT DISTINCT game FROM (SELECT game FROM added UNION ALL SELECT game FROM outside_added);

CREATE TABLE added_won AS
  SELECT node, leaf, game, CASE stake_cents WHEN 200 THEN 7 ELSE 0 END + 8 - digits_right(number, drawn) AS slot, 1::BIGINT AS n
  FROM (SELECT a.*, d.number AS drawn FROM added a CROSS JOIN drawn_digits d WHERE a.game = 'jokerplus') WHERE digits_right(number, drawn) > 0
  UNION ALL
  SELECT a.node, a.leaf, a.game, s.rank, count(*) FROM added a
  JOIN (SELECT h, bit_count(combination & ((1::BIGINT << 50) - 1) & d.main) AS mains, bit_count((combination >> 50) & d.extra) AS extras FROM written CROSS JOIN drawn d) w
    ON w.h = (a.node << 48) + a.leaf
  JOIN side s ON s.game = a.game AND s.main = w.mains AND s.extra = w.extras
  GROUP BY a.node, a.leaf, a.game, s.rank;

CREATE TABLE added_slot AS
  SELECT t.game, t.slot, coalesce(sum(w.n), 0)::BIGINT AS winners FROM (
    SELECT g.game, CASE d.stake WHEN 200 THEN 7 ELSE 0 END + d.rank AS slot FROM added_game g JOIN digits d ON d.game = g.game
    UNION ALL SELECT g.game, s.rank FROM added_game g JOIN side s ON s.game = g.game) t
  LEFT JOIN added_won w ON w.game = t.game AND w.slot = t.slot GROUP BY t.game, t.slot;

-- The pool of Étoile+, an empty rank handed to the next lower one with a winner.
CREATE TABLE side_unit AS
  WITH e AS (
    SELECT s.game, s.rank, s.bp, s.winners_bp, s.gain_step, a.winners + coalesce(o.winners, 0) AS winners
    FROM side s JOIN added_slot a ON a.game = s.game AND a.slot = s.rank LEFT JOIN outside_added o ON o.game = s.game AND o.rank = s.rank),
  f AS (
    SELECT p.game, CASE WHEN coalesce(t.fund, 0) > 0 THEN t.fund
      ELSE (SELECT coalesce(sum(cents), 0)::BIGINT FROM sold_rules WHERE split_part(rules, '@', 1) = p.game) * p.winners_bp // 10000 + coalesce(t.outside_stakes, 0) * p.winners_bp // 10000 END AS shared
    FROM side_pool p LEFT JOIN terms_added t ON t.game = p.game),
  g AS (
    SELECT x.game, x.rank, (SELECT sum(y.bp) FROM e y WHERE y.game = x.game AND y.rank <= x.rank
      AND y.rank > (SELECT coalesce(max(z.rank), 0) FROM e z WHERE z.game = x.game AND z.rank < x.rank AND z.winners > 0)) AS bp, x.winners, x.gain_step
    FROM e x WHERE x.winners > 0)
  SELECT e.game, e.rank, CASE WHEN e.winners = 0 THEN 0 WHEN o.cents >= 0 THEN o.cents ELSE step_part(g.bp * f.shared::HUGEINT, g.winners, g.gain_step) END::BIGINT AS cents
  FROM e JOIN f USING (game) LEFT JOIN g USING (game, rank) LEFT JOIN official_added o USING (game, rank);

CREATE TABLE added_unit AS
  SELECT a.game, a.slot, a.winners, coalesce(d.cents, s.cents) AS unit FROM added_slot a
  LEFT JOIN digits d ON d.game = a.game AND CASE d.stake WHEN 200 THEN 7 ELSE 0 END + d.rank = a.slot
  LEFT JOIN side_unit s ON s.game = a.game AND s.rank = a.slot;

-- A gain of a pack, or of a group play, is split for each winning combination and code: a part each share or receipt, to the cent on the third decimal, 5 or more
-- up; then the parts are added (Art. 11 and 14.8 of Loto, 7 and 3.4.2.6 of Euro Millions).
CREATE MACRO part(cents, shares) AS (2 * cents + shares) // (2 * shares);
CREATE TABLE split AS
  SELECT k.h, k.pack_type, k.pack, k.shares, coalesce(s.held, 0) AS held, w.component, w.fund, w.unit, w.n, part(w.unit, k.shares) AS part
  FROM worth w JOIN pack_holder k ON k.h = w.h
  LEFT JOIN (SELECT pack_type, pack, sum(shares)::BIGINT AS held FROM plays WHERE kind = 'pack' GROUP BY ALL) s USING (pack_type, pack);
CREATE TABLE group_split AS
  SELECT p.node, p.leaf, p.shares, w.component, w.unit, w.n, part(w.unit, p.shares) AS part
  FROM worth w JOIN plays p ON w.h = (p.node << 48) + p.leaf WHERE p.kind = 'group';

-- What each play is due, by component and player: nobody yet where a winner must show the receipt of a point of sale.
CREATE TABLE due AS
  SELECT node, leaf, component, any_value(player) AS player, sum(cents)::BIGINT AS cents FROM (
    SELECT p.node, p.leaf, w.component, CASE WHEN p.channel = 'retail' THEN '' ELSE p.player END AS player, w.unit * w.n AS cents
    FROM worth w JOIN plays p ON w.h = (p.node << 48) + p.leaf WHERE p.kind <> 'group'
    UNION ALL
    SELECT p.node, p.leaf, a.game, CASE WHEN p.channel = 'retail' THEN '' ELSE p.player END, u.unit * a.n
    FROM added_won a JOIN added_unit u ON u.game = a.game AND u.slot = a.slot JOIN plays p ON p.node = a.node AND p.leaf = a.leaf
    UNION ALL
    SELECT p.node, p.leaf, s.component, CASE WHEN p.channel = 'retail' THEN '' ELSE p.player END, s.cents * p.shares
    FROM plays p JOIN (SELECT pack_type, pack, component, sum(part * n)::BIGINT AS cents FROM split GROUP BY ALL) s ON s.pack_type = p.pack_type AND s.pack = p.pack
    WHERE p.kind = 'pack'
    UNION ALL
    SELECT g.node, g.leaf, g.component || '#' || r.n, r.player, g.part * g.n
    FROM group_split g JOIN receipt r ON r.node = g.node AND r.leaf = g.leaf)
  GROUP BY node, leaf, component HAVING sum(cents) > 0;

CREATE VIEW code_count AS
  SELECT s.place, s.series, (SELECT count(*) FROM drawn_number d WHERE d.series = s.series) AS drawn, coalesce((SELECT sum(n) FROM won_code w WHERE w.series = s.series), 0)::BIGINT AS ours, s.gain AS unit
  FROM series s JOIN rules r ON s.game = r.game WHERE r.exceptional OR NOT s.exceptional;

CREATE VIEW pack_sums AS
  SELECT coalesce(sum(unit * n), 0)::BIGINT AS gains, coalesce(sum(part * n * held), 0)::BIGINT AS holders, coalesce(sum((unit - part * shares) * n), 0)::BIGINT AS rounding FROM split;

CREATE VIEW group_sums AS
  SELECT coalesce(sum(unit * n), 0)::BIGINT AS gains, coalesce(sum(part * n * shares), 0)::BIGINT AS holders, coalesce(sum((unit - part * shares) * n), 0)::BIGINT AS rounding FROM group_split;

CREATE VIEW reserve_sums AS
  SELECT fund, sum(part * n * (shares - held))::BIGINT AS cents FROM split GROUP BY fund HAVING sum(part * n * (shares - held)) > 0;

CREATE VIEW result_sums AS
  SELECT (p.gains + (SELECT coalesce(sum(unit * n), 0) FROM worth WHERE h >= 0)
      + (SELECT coalesce(sum(u.unit * a.n), 0) FROM added_won a JOIN added_unit u ON u.game = a.game AND u.slot = a.slot))::BIGINT AS gains,
    d.credits, d.due, p.gains AS pack_gains, p.holders, p.rounding, g.gains AS group_gains, g.holders AS group_holders, g.rounding AS group_rounding
  FROM pack_sums p, group_sums g, (SELECT count(*) AS credits, coalesce(sum(cents), 0)::BIGINT AS due FROM due) d;
