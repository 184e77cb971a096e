package check

import "tirage/rules/money"

const million = 1_000_000 * money.Euro

// superJackpots are the amounts guaranteed at rank 1 of the super jackpots (super cagnottes) of Euro Millions. They were announced draw by draw; no
// archive prints them. With these every jackpot won and every overflow of the archives at hand comes out.
var superJackpots = map[string]money.Cents{
	"2016-09-30": 130 * million,
	"2017-06-30": 100 * million,
	"2017-09-15": 130 * million,
	"2018-04-20": 130 * million,
	"2018-09-21": 130 * million,
	"2019-02-01": 120 * million,
	"2019-06-07": 130 * million,
	"2020-02-07": 130 * million,
	"2020-07-03": 130 * million,
	"2020-09-25": 130 * million,
	"2020-11-20": 130 * million,
	"2021-02-05": 130 * million,
	"2021-06-04": 130 * million,
	"2021-09-24": 130 * million,
	"2021-12-03": 130 * million,
}

// superListed is the last day that the list covers. Later jackpots are not followed: one of them may be a super jackpot.
const superListed = "2021-12-31"
