package games

import "embed"

// files holds every rulebook; the list below is the only one. A file is GAME/DAY.toml, its game and its first day of effect.
//
//go:embed loto/2017-03-06.toml
//go:embed loto/2018-10-29.toml
//go:embed loto/2019-11-04.toml
//go:embed superloto/2017-03-06.toml
//go:embed superloto/2018-10-29.toml
//go:embed grandloto/2017-03-06.toml
//go:embed grandloto/2018-10-29.toml
//go:embed euromillions/2016-09-27.toml
//go:embed euromillions/2018-10-29.toml
//go:embed euromillions/2020-02-04.toml
//go:embed mymillion/2016-09-27.toml
//go:embed mymillion/2018-10-29.toml
//go:embed etoileplus/2016-09-27.toml
//go:embed etoileplus/2020-02-04.toml
//go:embed jokerplus/2017-03-06.toml
//go:embed donuts/2019-06-25.toml
//go:embed fortynine/2019-06-25.toml
var files embed.FS
