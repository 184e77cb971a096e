-- What the sealed plays add up to.
CREATE VIEW sold_rules AS
  SELECT rules, sum(combinations)::BIGINT AS combinations, sum(cents)::BIGINT AS cents FROM (
    SELECT rules, combinations, stake_cents AS cents FROM plays WHERE kind <> 'pack'
    UNION ALL SELECT rules, combinations, share_price_cents * shares FROM pack_holder
    UNION ALL SELECT rules, 0, stake_cents FROM added)
  GROUP BY rules;

CREATE VIEW sold_kind AS
  SELECT kind, count(*) AS plays, sum(cents)::BIGINT AS cents FROM (
    SELECT kind, stake_cents AS cents FROM plays
    UNION ALL SELECT game, stake_cents FROM added)
  GROUP BY kind;

-- The shares of a pack are counted on the plays, not read from the pack.
CREATE VIEW sold AS
  SELECT k.packs, k.unsold_shares, k.unsold_cents, (p.cents + k.unsold_cents)::BIGINT AS stakes FROM
  (SELECT count(*) AS packs, coalesce(sum(shares - held), 0)::BIGINT AS unsold_shares, coalesce(sum((shares - held) * share_price_cents), 0)::BIGINT AS unsold_cents
   FROM (SELECT k.shares, k.share_price_cents, coalesce(s.held, 0) AS held FROM pack_holder k
     LEFT JOIN (SELECT pack_type, pack, sum(shares)::BIGINT AS held FROM plays WHERE kind = 'pack' GROUP BY ALL) s USING (pack_type, pack))) k,
  (SELECT coalesce(sum(cents), 0)::BIGINT AS cents FROM sold_kind) p;

-- The simple combinations of every grid, written out: bit i−1 is the number i, bit 50+j−1 the extra number j.
CREATE MACRO nth(mask, bits, p) AS CASE WHEN (bits >> p) & 1 = 1 THEN mask ELSE 0 END;
CREATE VIEW written AS
  SELECT h,
    nth(m1, a.bits, 0) | nth(m2, a.bits, 1) | nth(m3, a.bits, 2) | nth(m4, a.bits, 3) | nth(m5, a.bits, 4)
    | nth(m6, a.bits, 5) | nth(m7, a.bits, 6) | nth(m8, a.bits, 7) | nth(m9, a.bits, 8) | nth(m10, a.bits, 9)
    | ((nth(e1, b.bits, 0) | nth(e2, b.bits, 1) | nth(e3, b.bits, 2) | nth(e4, b.bits, 3) | nth(e5, b.bits, 4) | nth(e6, b.bits, 5)
      | nth(e7, b.bits, 6) | nth(e8, b.bits, 7) | nth(e9, b.bits, 8) | nth(e10, b.bits, 9) | nth(e11, b.bits, 10) | nth(e12, b.bits, 11)) << 50) AS combination
  FROM multiple_line l JOIN choice a ON a.n = l.mains AND a.k = 5 JOIN choice b ON b.n = l.extras AND b.k = (SELECT extra FROM rules)
  UNION ALL
  SELECT h, main | (extra << 50) FROM line WHERE bit_count(main) = 5 AND bit_count(extra) = (SELECT extra FROM rules);
