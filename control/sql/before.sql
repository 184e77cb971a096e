-- Before the draw: what cannot be right in the sealed file, one query a check. Each returns what it found in words; nothing is agreement.

-- check: rows
-- Every row is as it was written: its digest is the SHA-256 of its columns.
SELECT play_text(node, leaf, sold_at) || ': the row was changed' AS found FROM plays
WHERE lower(hex(digest)) <> sha256(concat_ws('|', node, leaf, epoch_us(sold_at), player, kind, channel, rules, stake_cents, combinations,
  coalesce(array_to_string([concat(l.main, '.', l.extra, '.', l.quick::INT) FOR l IN lines], ','), ''),
  coalesce(array_to_string([concat(c.series, ':', c.first, ':', c.n) FOR c IN codes], ','), ''),
  coalesce(array_to_string([concat(a.game, ':', a.stake_cents, ':', a.number, ':', a.rules) FOR a IN added], ','), ''),
  coalesce(array_to_string([concat(r.n, ':', r.player, ':', r.cents) FOR r IN receipts], ','), ''),
  pack_type, pack, shares))
UNION ALL
SELECT pack_text(pack_type, pack) || ': the row was changed' FROM packs
WHERE lower(hex(digest)) <> sha256(concat_ws('|', pack_type, pack, rules, composition, shares, sold, share_price_cents, combinations,
  coalesce(array_to_string([concat(l.main, '.', l.extra, '.', l.quick::INT) FOR l IN lines], ','), ''),
  coalesce(array_to_string([concat(c.series, ':', c.first, ':', c.n) FOR c IN codes], ','), '')));

-- check: slices
-- The plays of each writer and hour are those of the manifest: none added, lost or put elsewhere.
WITH cents AS (
  SELECT node, leaf, sold_at, digest, file_row_number, stake_cents + coalesce(list_sum([a.stake_cents FOR a IN added]), 0) AS cents FROM plays
), counted AS (
  SELECT node, epoch_us(sold_at) // 3600000000 AS hour, count(*) AS plays, sum(cents) AS cents,
    sha256(string_agg(lower(hex(digest)), '' ORDER BY file_row_number)) AS digest
  FROM cents GROUP BY node, hour
)
SELECT printf('node %d, %s: %d plays of %s', coalesce(s.node, c.node), hour_text(coalesce(s.hour, c.hour)), coalesce(c.plays, 0), euros(coalesce(c.cents, 0)::BIGINT))
  || printf(', the manifest has %d of %s', coalesce(s.plays, 0), euros(coalesce(s.cents, 0)))
  || CASE WHEN s.plays = c.plays AND s.cents = c.cents THEN '; a row of them was changed or moved' ELSE '' END AS found
FROM counted c FULL JOIN said_slice s ON s.node = c.node AND s.hour = c.hour
WHERE s.plays IS DISTINCT FROM c.plays OR s.cents IS DISTINCT FROM c.cents OR s.digest IS DISTINCT FROM c.digest;

-- check: order
-- The plays stand in the order of the logs, each once.
SELECT play_text(node, leaf, sold_at) || ': it stands out of order or twice' AS found FROM (
  SELECT node, leaf, sold_at, lag((node << 48) + leaf) OVER (ORDER BY file_row_number) AS before FROM plays)
WHERE (node << 48) + leaf <= before;

-- check: grids
-- A grid holds 5 numbers or more of the matrix, and extra numbers, in a format on sale.
SELECT h.place || printf(': a grid of %d numbers and %d extra numbers', l.mains, l.extras) AS found
FROM (SELECT h, main, extra, bit_count(main) AS mains, bit_count(extra) AS extras FROM line) l
CROSS JOIN rules r
JOIN holder h ON h.h = l.h
LEFT JOIN grid g ON g.family = r.family AND g.main = l.mains
WHERE g.main IS NULL OR l.extras < r.extra OR l.main >> r.main_of <> 0 OR l.extra >> r.extra_of <> 0 OR l.main < 0 OR l.extra < 0
  OR l.extras > CASE WHEN l.h < 0 THEN g.pack_extra ELSE g.play_extra END;

-- check: combinations
-- A play and a pack count the simple combinations that their grids decompose into.
SELECT h.place || printf(': %d simple combinations, its grids hold %d', h.combinations, coalesce(l.n, 0)) AS found
FROM holder h LEFT JOIN (
  SELECT l.h, sum(choose5(bit_count(l.main)) * choose_extra(bit_count(l.extra), r.extra))::BIGINT AS n FROM line l CROSS JOIN rules r GROUP BY l.h
) l ON l.h = h.h
WHERE h.combinations IS DISTINCT FROM l.n;

-- check: stakes
-- A play of grids costs its simple combinations; shares cost their part of the pack, whole cents, and come from one pack.
SELECT play_text(p.node, p.leaf, p.sold_at) || printf(': a stake of %s, its %d combinations cost %s', euros(p.stake_cents), p.combinations, euros(p.combinations * g.price)) AS found
FROM plays p JOIN game g ON g.game = split_part(p.rules, '@', 1)
WHERE p.kind <> 'pack' AND p.stake_cents <> p.combinations * g.price
UNION ALL
SELECT play_text(p.node, p.leaf, p.sold_at) || printf(': a stake of %s, its %d shares cost %s', euros(p.stake_cents), p.shares, euros(p.shares * k.share_price_cents))
FROM plays p JOIN pack_holder k ON k.pack_type = p.pack_type AND k.pack = p.pack
WHERE p.kind = 'pack' AND p.stake_cents <> p.shares * k.share_price_cents
UNION ALL
SELECT pack_text(k.pack_type, k.pack) || printf(': %d shares of %s, its %d combinations cost %s', k.shares, euros(k.share_price_cents), k.combinations, euros(k.combinations * g.price))
FROM pack_holder k JOIN game g ON g.game = split_part(k.rules, '@', 1)
WHERE k.shares * k.share_price_cents <> k.combinations * g.price
UNION ALL
SELECT play_text(a.node, a.leaf, a.sold_at) || printf(': %s for %s, accepted %s', euros(a.stake_cents), a.game,
  CASE a.game WHEN 'jokerplus' THEN '1.00 € or 2.00 €' WHEN 'etoileplus' THEN euros(a.combinations * 100) ELSE 'no such game' END)
FROM added a CROSS JOIN rules r
WHERE NOT CASE a.game WHEN 'jokerplus' THEN r.family = 'loto' AND a.stake_cents IN (100, 200) AND regexp_full_match(a.number, '[0-9]{7}')
  WHEN 'etoileplus' THEN r.family = 'euromillions' AND a.stake_cents = a.combinations * 100 ELSE false END;

-- check: kinds
-- A play is what it is called: shares and nothing else, simple combinations only, at least one multiple, or a group's, with receipts; and it is of the
-- game of the draw.
SELECT play_text(p.node, p.leaf, p.sold_at) || ': not a play of kind ' || p.kind || ' of ' || r.game AS found
FROM plays p CROSS JOIN rules r LEFT JOIN (
  SELECT h, max(choose5(bit_count(main)) * choose_extra(bit_count(extra), CASE WHEN (SELECT family FROM rules) = 'loto' THEN 1 ELSE 2 END)) AS largest FROM line GROUP BY h
) l ON l.h = (p.node << 48) + p.leaf
WHERE split_part(p.rules, '@', 1) <> r.game OR NOT CASE p.kind
  WHEN 'pack' THEN p.shares >= 1 AND p.pack_type <> '' AND p.combinations = 0 AND l.largest IS NULL AND len(p.codes) = 0 AND len(p.added) = 0 AND len(p.receipts) = 0
  WHEN 'simple' THEN p.shares = 0 AND p.pack_type = '' AND l.largest = 1 AND len(p.receipts) = 0
  WHEN 'multiple' THEN p.shares = 0 AND p.pack_type = '' AND l.largest > 1 AND len(p.receipts) = 0
  WHEN 'group' THEN p.pack_type = '' AND len(p.added) = 0 AND len(p.receipts) = p.shares
    AND p.shares BETWEEN (SELECT least FROM group_play WHERE family = r.family) AND (SELECT most FROM group_play WHERE family = r.family)
  ELSE false END;

-- check: receipts
-- The receipts of a group play are numbered from 1 and share its stake in whole cents; the first is that of the player who registers the play and bears the
-- cents that are left.
SELECT play_text(node, leaf, sold_at) || printf(': receipt %d of %s, accepted %d of %s', n, euros(cents), place, euros(part)) AS found FROM (
  SELECT *, row_number() OVER (PARTITION BY node, leaf ORDER BY n) AS place,
    stake_cents // shares + CASE WHEN n = 1 THEN stake_cents % shares ELSE 0 END AS part FROM receipt)
WHERE n <> place OR cents <> part OR (n = 1 AND player <> registered);

-- check: shares
-- A pack has the shares sold that its plays hold, at least one and at most all. All shares of a play come from one pack, which exists.
SELECT pack_text(k.pack_type, k.pack) || printf(': %d of %d shares sold, its plays hold %d', k.sold, k.shares, coalesce(s.shares, 0)) AS found
FROM pack_holder k LEFT JOIN (SELECT pack_type, pack, sum(shares)::BIGINT AS shares FROM plays WHERE kind = 'pack' GROUP BY ALL) s USING (pack_type, pack)
WHERE k.sold IS DISTINCT FROM s.shares OR k.sold < 1 OR k.sold > k.shares
UNION ALL
SELECT play_text(p.node, p.leaf, p.sold_at) || ': ' || pack_text(p.pack_type, p.pack) || ' does not exist'
FROM plays p LEFT JOIN pack_holder k ON k.pack_type = p.pack_type AND k.pack = p.pack
WHERE p.kind = 'pack' AND k.h IS NULL
UNION ALL
SELECT pack_text(pack_type, pack) || ': it stands twice' FROM pack_holder GROUP BY pack_type, pack HAVING count(*) > 1;

-- check: codes
-- As many codes of each series as simple combinations: up to 10 of the random zone, one by one; more in a row, of the sequential zone.
SELECT h.place || printf(': %d codes %s of %d', coalesce(c.n, 0), s.series, h.combinations) AS found
FROM holder h CROSS JOIN (SELECT s.series FROM series s JOIN rules r ON s.game = r.game WHERE r.exceptional OR NOT s.exceptional) s
LEFT JOIN (SELECT h, series, sum(n)::BIGINT AS n FROM code GROUP BY h, series) c ON c.h = h.h AND c.series = s.series
WHERE coalesce(c.n, 0) <> h.combinations
UNION ALL
SELECT h.place || ': a code of no series of the draw, or not printed as its series is'
FROM code c JOIN holder h ON h.h = c.h
WHERE c.number IS NULL OR c.series NOT IN (SELECT s.series FROM series s JOIN rules r ON s.game = r.game WHERE r.exceptional OR NOT s.exceptional)
UNION ALL
SELECT h.place || printf(': %d codes %s from number %d on, outside the %s zone', c.n, c.series, c.number, CASE WHEN h.combinations > 10 THEN 'sequential' ELSE 'random' END)
FROM code c JOIN holder h ON h.h = c.h JOIN (
  SELECT series, code_number(series, random_first) AS random_first, code_number(series, random_last) AS random_last,
    code_number(series, run_first) AS run_first, code_number(series, run_last) AS run_last FROM zone
) z ON z.series = c.series
WHERE NOT CASE WHEN h.combinations > 10 THEN c.n = h.combinations AND c.number >= z.run_first AND c.number + c.n - 1 <= z.run_last
  ELSE c.n = 1 AND c.number BETWEEN z.random_first AND z.random_last END;

-- check: twice
-- No code is issued twice.
SELECT b.place || printf(': a code %s that %s has, too', c.series, a.place) AS found FROM (
  SELECT series, number, min(h) AS first, max(h) AS last FROM code WHERE n = 1 GROUP BY series, number HAVING count(*) > 1) c
JOIN holder a ON a.h = c.first JOIN holder b ON b.h = c.last
UNION ALL
SELECT b.place || printf(': codes %s that run into those of %s', c.series, a.place) FROM (
  SELECT series, h, number, lag(h) OVER w AS before, lag(number + n - 1) OVER w AS last FROM code WHERE n > 1 WINDOW w AS (PARTITION BY series ORDER BY number)) c
JOIN holder a ON a.h = c.before JOIN holder b ON b.h = c.h
WHERE c.last >= c.number;

-- check: kinds of the manifest
-- Counts and cents by kind of play, and by added game.
WITH counted AS (
  SELECT kind, count(*) AS plays, sum(stake_cents)::BIGINT AS cents FROM plays GROUP BY kind
  UNION ALL SELECT game, count(*), sum(stake_cents)::BIGINT FROM added GROUP BY game
)
SELECT printf('%s: %d plays of %s, the manifest has %d of %s', coalesce(c.kind, s.kind), coalesce(c.plays, 0), euros(coalesce(c.cents, 0)), coalesce(s.plays, 0), euros(coalesce(s.cents, 0))) AS found
FROM counted c FULL JOIN said_kind s ON s.kind = c.kind
WHERE c.plays IS DISTINCT FROM s.plays OR c.cents IS DISTINCT FROM s.cents;

-- check: rulebooks of the manifest
-- What was sold under each version of the rules, packs in full.
SELECT printf('%s: %d combinations of %s, the manifest has %d of %s', coalesce(c.rules, s.rules), coalesce(c.combinations, 0), euros(coalesce(c.cents, 0)),
  coalesce(s.combinations, 0), euros(coalesce(s.cents, 0))) AS found
FROM sold_rules c FULL JOIN said_rules s ON s.rules = c.rules
WHERE c.combinations IS DISTINCT FROM s.combinations OR c.cents IS DISTINCT FROM s.cents;

-- check: sums of the manifest
-- Packs, unsold shares, stakes: the pack plays in full, its unsold shares are the operator's stake.
SELECT printf('%d packs, %d unsold shares of %s, stakes of %s; the manifest has %d, %d of %s and %s', c.packs, c.unsold_shares, euros(c.unsold_cents), euros(c.stakes),
  s.packs, s.unsold_shares, euros(s.unsold_cents), euros(s.stakes)) AS found
FROM sold c, said_sales s
WHERE (c.packs, c.unsold_shares, c.unsold_cents, c.stakes) IS DISTINCT FROM (s.packs, s.unsold_shares, s.unsold_cents, s.stakes);

-- check: identical
-- At most 45 identical simple combinations take part in an ordinary Loto draw.
SELECT h.place || printf(': %d plays hold one and the same simple combination of it, accepted %d', c.n, r.identical) AS found FROM (
  SELECT count(*) AS n, max(h) AS h FROM written GROUP BY combination HAVING count(*) > (SELECT identical FROM rules)) c
CROSS JOIN rules r JOIN holder h ON h.h = c.h;
