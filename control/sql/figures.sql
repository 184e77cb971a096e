-- The figures of the games, typed from the rule sheets. Nothing here is copied from the program that sells and pays, nor read from its rulebooks: where
-- the two differ, the control disagrees. Money is in cents, shares of a fund in hundredths of a percent (bp).

-- The matrix: 5 numbers of main_of, extra numbers of extra_of; what a simple combination costs, in the games that are sold alone or added.
CREATE TABLE game (game VARCHAR, main_of INT, extra INT, extra_of INT, price BIGINT, common BIGINT, identical INT);
INSERT INTO game VALUES
  ('loto',         49, 1, 10, 220, 220, 45),   -- at most 45 identical simple combinations in an ordinary draw
  ('superloto',    49, 1, 10, 300, 300, NULL),
  ('grandloto',    49, 1, 10, 500, 500, NULL),
  ('euromillions', 50, 2, 12, 250, 220, NULL); -- 2.20 common stake + 0.30 My Million

-- A group play is divided in equal receipts, at most 10, in the games of Loto.
CREATE TABLE group_play (family VARCHAR, least INT, most INT);
INSERT INTO group_play VALUES ('loto', 2, 10);

-- Joker+, beside the games of Loto: 1 € or 2 € on a number of 7 digits; digits are compared from the right, rank 1 has all 7 right, rank 7 one.
CREATE TABLE digits (game VARCHAR, stake BIGINT, rank INT, cents BIGINT);
INSERT INTO digits VALUES
  ('jokerplus', 100, 1, 20000000), ('jokerplus', 100, 2, 5000000), ('jokerplus', 100, 3, 500000), ('jokerplus', 100, 4, 100000),
  ('jokerplus', 100, 5, 10000), ('jokerplus', 100, 6, 1000), ('jokerplus', 100, 7, 200),
  ('jokerplus', 200, 1, 50000000), ('jokerplus', 200, 2, 10000000), ('jokerplus', 200, 3, 1000000), ('jokerplus', 200, 4, 200000),
  ('jokerplus', 200, 5, 20000), ('jokerplus', 200, 6, 2000), ('jokerplus', 200, 7, 400);

-- Étoile+, beside Euro Millions: 1 € for each simple combination, a pool of 60 % of its stakes, shares by rank, gains floored to 0.10 €.
CREATE TABLE side_pool (game VARCHAR, winners_bp INT, gain_step BIGINT);
INSERT INTO side_pool VALUES ('etoileplus', 6000, 10);
CREATE TABLE side_rank (game VARCHAR, since DATE, rank INT, main INT, extra INT, bp INT);
INSERT INTO side_rank VALUES
  ('etoileplus', '2016-09-27', 1, 5, 1, 67), ('etoileplus', '2016-09-27', 2, 4, 2, 8), ('etoileplus', '2016-09-27', 3, 4, 1, 17),
  ('etoileplus', '2016-09-27', 4, 3, 2, 17), ('etoileplus', '2016-09-27', 5, 2, 2, 58), ('etoileplus', '2016-09-27', 6, 3, 1, 67),
  ('etoileplus', '2016-09-27', 7, 1, 2, 233), ('etoileplus', '2016-09-27', 8, 0, 2, 1500), ('etoileplus', '2016-09-27', 9, 2, 1, 683),
  ('etoileplus', '2016-09-27', 10, 0, 1, 7350),
  ('etoileplus', '2020-02-04', 1, 5, 1, 10), ('etoileplus', '2020-02-04', 2, 4, 2, 8), ('etoileplus', '2020-02-04', 3, 4, 1, 10),
  ('etoileplus', '2020-02-04', 4, 3, 2, 10), ('etoileplus', '2020-02-04', 5, 2, 2, 25), ('etoileplus', '2020-02-04', 6, 3, 1, 67),
  ('etoileplus', '2020-02-04', 7, 1, 2, 315), ('etoileplus', '2020-02-04', 8, 0, 2, 1460), ('etoileplus', '2020-02-04', 9, 2, 1, 825),
  ('etoileplus', '2020-02-04', 10, 0, 1, 7270);

-- The largest grid: at most that many extra numbers beside so many numbers, in a play and in a pack.
CREATE TABLE grid (family VARCHAR, main INT, play_extra INT, pack_extra INT);
INSERT INTO grid VALUES
  ('loto', 5, 10, 10), ('loto', 6, 10, 10), ('loto', 7, 8, 10), ('loto', 8, 3, 10), ('loto', 9, 1, 10),
  ('euromillions', 5, 12, 12), ('euromillions', 6, 12, 12), ('euromillions', 7, 6, 12), ('euromillions', 8, 4, 12), ('euromillions', 9, 3, 12),
  ('euromillions', 10, 2, 12);

-- Codes: which series a draw issues, in what order, what a drawn one wins, and to which fund the part of an unsold share goes. Up to 10 codes
-- are of the random zone, more of the sequential one.
CREATE TABLE series (game VARCHAR, place INT, series VARCHAR, exceptional BOOLEAN, gain BIGINT, fund VARCHAR);
INSERT INTO series VALUES
  ('loto',         1, 'loto',         false,   2000000, 'loto/reserve'),         -- 10.2
  ('superloto',    1, 'superloto',    false,   2000000, 'loto/reserve'),
  ('grandloto',    1, 'grandloto',    false,   2000000, 'loto/reserve'),
  ('euromillions', 1, 'mymillion',    false, 100000000, 'mymillion/reserve'),    -- 5.3.2
  ('euromillions', 2, 'euromillions', true,  100000000, 'euromillions/reserve'); -- 4.3

CREATE TABLE zone (series VARCHAR, random_first VARCHAR, random_last VARCHAR, run_first VARCHAR, run_last VARCHAR);
INSERT INTO zone VALUES
  ('loto',         'A 0000 0000', 'V 8214 7230', 'V 8214 7231', 'Z 9999 9999'),
  ('superloto',    'A 0000 0000', 'V 8214 7230', 'V 8214 7231', 'Z 9999 9999'),
  ('grandloto',    'A 0000 0000', 'V 8214 7230', 'V 8214 7231', 'Z 9999 9999'),
  ('mymillion',    'AA 000 0000', 'VV 358 2800', 'VV 358 2801', 'ZZ 999 9999'),
  ('euromillions', 'F BBB 00000', 'F VZZ 99999', 'F WBB 00001', 'F ZZZ 99999');

-- The fund that takes the ranks' parts of unsold shares.
CREATE TABLE reserve (game VARCHAR, fund VARCHAR);
INSERT INTO reserve VALUES
  ('loto', 'loto/reserve'), ('superloto', 'loto/reserve'), ('grandloto', 'loto/reserve'), ('euromillions', 'euromillions/reserve');

-- How a draw pays, from its day on. Models: fixed gains; spread: the jackpot must be won; pool: ranks 2 to 8 share one; european: a fund in common.
CREATE TABLE model (game VARCHAR, since DATE, model VARCHAR, gain_step BIGINT, start BIGINT, max_rolls INT, late_from INT, cap BIGINT, cap_draws INT, winners_bp INT);
INSERT INTO model VALUES
  ('loto',         '2017-03-06', 'fixed',     1, NULL,         34, NULL, NULL,        NULL, 5475),
  ('loto',         '2019-11-04', 'pool',     10, NULL,         34, NULL, NULL,        NULL, 5475),
  ('superloto',    '2017-03-06', 'fixed',     1, NULL,       NULL, NULL, NULL,        NULL, 5475),
  ('grandloto',    '2017-03-06', 'spread',   10, NULL,       NULL, NULL, NULL,        NULL, 5475),
  ('euromillions', '2016-09-27', 'european', 10, 1700000000, NULL, 7,    19000000000, 5,    5000),
  ('euromillions', '2020-02-04', 'european', 10, 1700000000, NULL, 6,    20000000000, 5,    5000);

-- Ranks: numbers and extra numbers that win them, fixed or base gain, share of the pool, fund or jackpot. A rank with two ways stands twice in hit.
CREATE TABLE hit (family VARCHAR, rank INT, main INT, extra INT);
INSERT INTO hit VALUES
  ('loto', 1, 5, 1), ('loto', 2, 5, 0), ('loto', 3, 4, 1), ('loto', 4, 4, 0), ('loto', 5, 3, 1), ('loto', 6, 3, 0), ('loto', 7, 2, 1), ('loto', 8, 2, 0),
  ('loto', 9, 1, 1), ('loto', 9, 0, 1),
  ('euromillions', 1, 5, 2), ('euromillions', 2, 5, 1), ('euromillions', 3, 5, 0), ('euromillions', 4, 4, 2), ('euromillions', 5, 4, 1),
  ('euromillions', 6, 3, 2), ('euromillions', 7, 4, 0), ('euromillions', 8, 2, 2), ('euromillions', 9, 3, 1), ('euromillions', 10, 3, 0),
  ('euromillions', 11, 1, 2), ('euromillions', 12, 2, 1), ('euromillions', 13, 2, 0);

CREATE TABLE gain (game VARCHAR, since DATE, rank INT, fixed BIGINT, bp INT, late_bp INT);
INSERT INTO gain VALUES
  ('loto', '2017-03-06', 1, 0, 0, 0), ('loto', '2017-03-06', 2, 10000000, 0, 0), ('loto', '2017-03-06', 3, 100000, 0, 0),
  ('loto', '2017-03-06', 4, 50000, 0, 0), ('loto', '2017-03-06', 5, 5000, 0, 0), ('loto', '2017-03-06', 6, 2000, 0, 0),
  ('loto', '2017-03-06', 7, 1000, 0, 0), ('loto', '2017-03-06', 8, 500, 0, 0), ('loto', '2017-03-06', 9, 220, 0, 0),

  ('loto', '2019-11-04', 1, 0, 0, 0), ('loto', '2019-11-04', 2, 0, 844, 0), ('loto', '2019-11-04', 3, 0, 206, 0), ('loto', '2019-11-04', 4, 0, 743, 0),
  ('loto', '2019-11-04', 5, 0, 444, 0), ('loto', '2019-11-04', 6, 0, 1598, 0), ('loto', '2019-11-04', 7, 0, 1243, 0), ('loto', '2019-11-04', 8, 0, 4922, 0),
  ('loto', '2019-11-04', 9, 220, 0, 0),

  ('superloto', '2017-03-06', 1, 0, 0, 0), ('superloto', '2017-03-06', 2, 15000000, 0, 0), ('superloto', '2017-03-06', 3, 200000, 0, 0),
  ('superloto', '2017-03-06', 4, 100000, 0, 0), ('superloto', '2017-03-06', 5, 10000, 0, 0), ('superloto', '2017-03-06', 6, 5000, 0, 0),
  ('superloto', '2017-03-06', 7, 2000, 0, 0), ('superloto', '2017-03-06', 8, 1000, 0, 0), ('superloto', '2017-03-06', 9, 300, 0, 0),

  ('grandloto', '2017-03-06', 1, 0, 0, 0), ('grandloto', '2017-03-06', 2, 20000000, 128, 0), ('grandloto', '2017-03-06', 3, 500000, 77, 0),
  ('grandloto', '2017-03-06', 4, 250000, 348, 0), ('grandloto', '2017-03-06', 5, 20000, 131, 0), ('grandloto', '2017-03-06', 6, 10000, 596, 0),
  ('grandloto', '2017-03-06', 7, 3000, 1124, 0), ('grandloto', '2017-03-06', 8, 1500, 5110, 0), ('grandloto', '2017-03-06', 9, 500, 2486, 0),

  ('euromillions', '2016-09-27', 1, 0, 4320, 2700), ('euromillions', '2016-09-27', 2, 0, 395, 0), ('euromillions', '2016-09-27', 3, 0, 92, 0),
  ('euromillions', '2016-09-27', 4, 0, 45, 0), ('euromillions', '2016-09-27', 5, 0, 48, 0), ('euromillions', '2016-09-27', 6, 0, 67, 0),
  ('euromillions', '2016-09-27', 7, 0, 38, 0), ('euromillions', '2016-09-27', 8, 0, 175, 0), ('euromillions', '2016-09-27', 9, 0, 185, 0),
  ('euromillions', '2016-09-27', 10, 0, 350, 0), ('euromillions', '2016-09-27', 11, 0, 495, 0), ('euromillions', '2016-09-27', 12, 0, 1485, 0),
  ('euromillions', '2016-09-27', 13, 0, 1825, 0),

  ('euromillions', '2020-02-04', 1, 0, 5000, 4200), ('euromillions', '2020-02-04', 2, 0, 261, 0), ('euromillions', '2020-02-04', 3, 0, 61, 0),
  ('euromillions', '2020-02-04', 4, 0, 19, 0), ('euromillions', '2020-02-04', 5, 0, 35, 0), ('euromillions', '2020-02-04', 6, 0, 37, 0),
  ('euromillions', '2020-02-04', 7, 0, 26, 0), ('euromillions', '2020-02-04', 8, 0, 130, 0), ('euromillions', '2020-02-04', 9, 0, 145, 0),
  ('euromillions', '2020-02-04', 10, 0, 270, 0), ('euromillions', '2020-02-04', 11, 0, 327, 0), ('euromillions', '2020-02-04', 12, 0, 1030, 0),
  ('euromillions', '2020-02-04', 13, 0, 1659, 0);
