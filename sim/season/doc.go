// Package season lives through a season of both calendars in virtual time: Loto on Monday, Wednesday and Saturday, Euro Millions on Tuesday and Friday,
// what is announced by hand in between. 200 players register, deposit, play, subscribe, share packs and groups, withdraw and exclude themselves; the
// schedule takes each draw through its life; a clerk records what was drawn, an officer approves; the books are checked whenever a draw is published.
// It is made of tests alone.
//
//	go test ./sim/season -run TestSeason -v            # six weeks, across the end of summer time; what happened, counted
//	TIRAGE_SOAK=1 go test ./sim/season -run TestWhole  # 22 October 2018 to 7 April 2019, as make soak does
//
// A season follows from its seed alone: another process that lives through it leaves the same log, leaf by leaf.
package season
