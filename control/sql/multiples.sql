-- The multiples, each number of a grid as a bit of its own, the smallest first.
CREATE MACRO lowest(x) AS x & -x;
CREATE MACRO rest(x) AS x & (x - 1);
CREATE VIEW multiple_line AS
  WITH m AS (SELECT h, main AS a, extra AS b, bit_count(main) AS mains, bit_count(extra) AS extras FROM line
    WHERE bit_count(main) > 5 OR bit_count(extra) > (SELECT extra FROM rules)),
  r AS (SELECT *, rest(a) AS a2, rest(rest(a)) AS a3, rest(rest(rest(a))) AS a4, rest(rest(rest(rest(a)))) AS a5,
    rest(b) AS b2, rest(rest(b)) AS b3, rest(rest(rest(b))) AS b4, rest(rest(rest(rest(b)))) AS b5 FROM m),
  s AS (SELECT *, rest(a5) AS a6, rest(rest(a5)) AS a7, rest(rest(rest(a5))) AS a8, rest(rest(rest(rest(a5)))) AS a9,
    rest(b5) AS b6, rest(rest(b5)) AS b7, rest(rest(rest(b5))) AS b8, rest(rest(rest(rest(b5)))) AS b9 FROM r)
  SELECT h, mains, extras,
    lowest(a) AS m1, lowest(a2) AS m2, lowest(a3) AS m3, lowest(a4) AS m4, lowest(a5) AS m5, lowest(a6) AS m6, lowest(a7) AS m7, lowest(a8) AS m8,
    lowest(a9) AS m9, lowest(rest(a9)) AS m10,
    lowest(b) AS e1, lowest(b2) AS e2, lowest(b3) AS e3, lowest(b4) AS e4, lowest(b5) AS e5, lowest(b6) AS e6, lowest(b7) AS e7, lowest(b8) AS e8,
    lowest(b9) AS e9, lowest(rest(b9)) AS e10, lowest(rest(rest(b9))) AS e11, lowest(rest(rest(rest(b9)))) AS e12
  FROM s;
