// Command control is the independent control system of the draws. It reads the sealed file of a draw, recounts it with another engine and says whether the
// operator's figures are right, or which play is not.
//
//	control check sealed/loto-2018-11-03.manifest      # the files beside it are found by the name of the draw
//	control check --json sealed/*                      # every draw of a folder
//	control check --operator "$(cat operator.pub)" --sign control.key --json sealed/loto-2018-11-03.manifest
//
// It is a module of its own. It shares no package with the program that sells and pays and does not read that program's rulebooks: its figures are typed in
// sql/figures.sql from the rule sheets, its checks are SQL over the Parquet files (sql/before.sql, sql/after.sql), run by DuckDB. So a mistake in the
// program, in its rulebooks or in its tables does not come back here.
//
// Before the draw it checks that no row was changed, added or lost, then grids, simple combinations, stakes, shares, codes and their zones, identical
// combinations, and the sums of the manifest. Once result and gains stand beside the file it writes out every multiple, looks at each simple combination
// alone, and works out winners by rank, unit gains, the split of each pack gain and what every play is due.
//
// # Answers
//
// The exit status is 0 when everything agrees, 1 when something was found, 2 when it could not be checked. With --sign the answer is a paper signed by the
// control, as the operator's program takes it: the counts of the control's own, and what it found. docs/sealed.md describes the files and the papers.
package main
