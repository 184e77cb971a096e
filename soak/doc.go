// Package soak holds the campaigns against the write path: whatever dies, nothing that was acknowledged is lost, nothing is half there, and selling
// goes on without a hand. It has tests only.
//
// # Killing the seller
//
// A child process sells through [tirage/central.Register] on a real database, 32 clients at a time: simple and multiple combinations, shares of packs,
// deposits, and in the later rounds the settlement of a draw meanwhile. It says what it asks for and, once the register has answered, what was accepted. At a
// random moment it is killed (SIGKILL). Then its database is opened again, and
//
//   - every purchase that it acknowledged is there once: idempotency record, leaf, play, transfer, result;
//   - [tirage/central.CheckBooks] holds, so that nothing that was not acknowledged is half there;
//   - the same requests, sent again, get their first receipts; those that were on their way are done once;
//   - the settlement goes on from where it was and pays each credit once, and each is told once in an inbox and in one letter, never before it is paid.
//
// The next round goes on with the same database.
//
// # Killing the program
//
// The program itself, `tirage serve`, is started on a database and killed while eight players buy plays and shares and take money out through the API, and while
// members of the staff take a draw from its close to its notice. After each death what was acknowledged over HTTP is in the log once and as it was told,
// what was on its way is whole or not there, the books hold, and the same requests get the same answers. At the end every credit has one message in its
// player's inbox and one letter, and the program stops in order.
//
// # Killing the croupier
//
// A child plays rounds of the ladder game, 32 clients at a time over 400 players, and sweeps what is abandoned, while its clock runs so fast that rounds fall due
// under load. It tells each transition of a round (started, series stored, stopped, swept) right before the commit that stores it and right
// after, and is killed there, or at a random moment. Then every step that it acknowledged is there, the round stands where its player was told and has the series
// that were shown; the same steps, sent again, get their first answers or are done once; the books hold. At the end each round has one stake and
// one end in the log, and every player has what the rounds left.
//
// # Killing the database
//
// The same clients sell in this process while every process of a PostgreSQL server is killed and the server started again. Callers get `unavailable` or
// the right answer. Who was told that nothing was done finds that nothing was done; who was told that the outcome is unknown finds it out with the
// same key.
//
// # Two processes
//
// Two processes sell on one PostgreSQL, 64 clients each: the last shares of a few packs, codes of one range. Nothing is sold twice, no block of codes is shared
// or split, and the books balance.
//
// # Bad days
//
// A full disk, a file that is removed, replaced or made read-only, a clock that goes back: sales are refused in words, and go on when the cause is gone.
//
// `make test` runs a few rounds, `make soak` (TIRAGE_SOAK=1) the campaign. Seeds and counts are printed; TIRAGE_SOAK_SEED takes a seed again.
package soak
