-- What the papers of the draw say: the program fills these tables from the signed JSON.
CREATE TABLE draw (draw VARCHAR, game VARCHAR, day DATE, exceptional BOOLEAN, version BIGINT);
CREATE TABLE said_kind (kind VARCHAR, plays BIGINT, cents BIGINT);
CREATE TABLE said_rules (rules VARCHAR, combinations BIGINT, cents BIGINT);
CREATE TABLE said_sales (packs BIGINT, unsold_shares BIGINT, unsold_cents BIGINT, stakes BIGINT);
CREATE TABLE said_slice (node BIGINT, hour BIGINT, plays BIGINT, cents BIGINT, digest VARCHAR);
CREATE TABLE terms (position BIGINT, jackpot BIGINT, carry BIGINT, cap BIGINT, capped BIGINT, after_super BOOLEAN, super BIGINT, fund BIGINT, outside_stakes BIGINT);
CREATE TABLE official (rank INT, cents BIGINT);
CREATE TABLE drawn_main (n BIGINT);
CREATE TABLE drawn_extra (n BIGINT);
CREATE TABLE drawn_code (series VARCHAR, printed VARCHAR);
CREATE TABLE outside (rank INT, winners BIGINT);
CREATE TABLE drawn_digits (number VARCHAR);
CREATE TABLE terms_added (game VARCHAR, fund BIGINT, outside_stakes BIGINT);
CREATE TABLE official_added (game VARCHAR, rank INT, cents BIGINT);
CREATE TABLE outside_added (game VARCHAR, rank INT, winners BIGINT);
CREATE TABLE said_added (game VARCHAR, slot INT, winners BIGINT, unit BIGINT);
CREATE TABLE said_winners (rank INT, winners BIGINT);
CREATE TABLE said_unit (rank INT, cents BIGINT);
CREATE TABLE said_code (series VARCHAR, drawn BIGINT, ours BIGINT, unit BIGINT);
CREATE TABLE said_count (gains BIGINT, credits BIGINT, due BIGINT, pack_gains BIGINT, holders BIGINT, rounding BIGINT,
  group_gains BIGINT, group_holders BIGINT, group_rounding BIGINT);
CREATE TABLE said_reserve (fund VARCHAR, cents BIGINT);
