-- After the draw: where the operator's count of the result is not what the sealed file gives, one query a check.

-- check: numbers
-- As many numbers as the game draws, all different and of its matrix.
SELECT printf('%d numbers and %d extra numbers drawn, %d and %d different ones of the matrix; accepted 5 and %d', (SELECT count(*) FROM drawn_main), (SELECT count(*) FROM drawn_extra),
  (SELECT count(DISTINCT n) FROM drawn_main WHERE n BETWEEN 1 AND main_of), (SELECT count(DISTINCT n) FROM drawn_extra WHERE n BETWEEN 1 AND extra_of), extra) AS found
FROM rules
WHERE (SELECT count(*) FROM drawn_main) <> 5 OR (SELECT count(DISTINCT n) FROM drawn_main WHERE n BETWEEN 1 AND main_of) <> 5
  OR (SELECT count(*) FROM drawn_extra) <> extra OR (SELECT count(DISTINCT n) FROM drawn_extra WHERE n BETWEEN 1 AND extra_of) <> extra;

-- check: drawn codes
-- Each drawn code is of a series of the draw and printed as it is.
SELECT printf('drawn code %s of %s: no code of the draw', printed, series) AS found FROM drawn_code
WHERE code_number(series, printed) IS NULL OR series NOT IN (SELECT series FROM code_count);

-- check: winners
-- Winning simple combinations by rank, multiples written out.
SELECT printf('rank %d: %d winners, the count has %d', coalesce(o.rank, s.rank), coalesce(o.winners, 0), coalesce(s.winners, 0)) AS found
FROM ours o FULL JOIN said_winners s ON s.rank = o.rank WHERE o.winners IS DISTINCT FROM s.winners;

-- check: unit gains
SELECT printf('rank %d: %s for each winning combination, the count has %s', coalesce(u.rank, s.rank), euros(coalesce(u.cents, 0)), euros(coalesce(s.cents, 0))) AS found
FROM unit u FULL JOIN said_unit s ON s.rank = u.rank WHERE u.cents IS DISTINCT FROM s.cents;

-- check: winning codes
SELECT printf('codes %s: %d drawn, %d ours, %s each; the count has %d, %d, %s', coalesce(c.series, s.series), coalesce(c.drawn, 0), coalesce(c.ours, 0), euros(coalesce(c.unit, 0)),
  coalesce(s.drawn, 0), coalesce(s.ours, 0), euros(coalesce(s.unit, 0))) AS found
FROM code_count c FULL JOIN said_code s ON s.series = c.series
WHERE (c.drawn, c.ours, c.unit) IS DISTINCT FROM (s.drawn, s.ours, s.unit);

-- check: gains
-- What each play is due, by component, and under whose name.
SELECT coalesce(play_text(p.node, p.leaf, p.sold_at), printf('play %d-%d, which is not sealed', coalesce(d.node, g.node), coalesce(d.leaf, g.leaf)))
  || printf(': %s of %s are due, the file of gains has %s', euros(coalesce(d.cents, 0)), coalesce(d.component, g.component), euros(coalesce(g.cents, 0)))
  || CASE WHEN d.cents = g.cents THEN ' for another player, or twice' ELSE '' END AS found
FROM due d FULL JOIN (SELECT node, leaf, component, any_value(cents) AS cents, any_value(player) AS player, count(*) AS n FROM gains GROUP BY ALL) g
  ON g.node = d.node AND g.leaf = d.leaf AND g.component = d.component
LEFT JOIN plays p ON p.node = coalesce(d.node, g.node) AND p.leaf = coalesce(d.leaf, g.leaf)
WHERE d.cents IS DISTINCT FROM g.cents OR g.n > 1 OR g.player IS DISTINCT FROM d.player;

-- check: added games
-- Winners and unit gains of Joker+ and Étoile+, by rank; of Joker+ by stake and rank.
SELECT printf('%s, place %d: %d winners of %s, the count has %d of %s', coalesce(u.game, s.game), coalesce(u.slot, s.slot), coalesce(u.winners, 0), euros(coalesce(u.unit, 0)),
  coalesce(s.winners, 0), euros(coalesce(s.unit, 0))) AS found
FROM added_unit u FULL JOIN said_added s ON s.game = u.game AND s.slot = u.slot WHERE (u.winners, u.unit) IS DISTINCT FROM (s.winners, s.unit);

-- check: number of Joker+
SELECT 'Joker+ was added to plays, and no number of 7 digits was drawn' AS found
WHERE EXISTS (SELECT 1 FROM added WHERE game = 'jokerplus') AND NOT EXISTS (SELECT 1 FROM drawn_digits WHERE regexp_full_match(number, '[0-9]{7}'));

-- check: sums of the count
-- In this order: all gains, credits, due; packs: gains, to holders, rounding; groups: the same.
SELECT 'sums ' || array_to_string(c.sums, ', ') || '; the count has ' || array_to_string(s.sums, ', ') AS found
FROM (SELECT [gains, credits, due, pack_gains, holders, rounding, group_gains, group_holders, group_rounding] AS sums FROM result_sums) c,
  (SELECT [gains, credits, due, pack_gains, holders, rounding, group_gains, group_holders, group_rounding] AS sums FROM said_count) s
WHERE c.sums IS DISTINCT FROM s.sums;

-- check: reserve funds
-- The parts of unsold shares.
SELECT printf('%s: %s of unsold shares, the count has %s', coalesce(c.fund, s.fund), euros(coalesce(c.cents, 0)), euros(coalesce(s.cents, 0))) AS found
FROM reserve_sums c FULL JOIN said_reserve s ON s.fund = c.fund WHERE c.cents IS DISTINCT FROM s.cents;
