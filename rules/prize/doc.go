// Package prize turns the winners of a draw into unit gains and says where every cent of the draw's prize money goes.
//
// It is pure: the table comes from a rulebook, the announced amounts of the draw come as [Terms], the winners as counts.
package prize
