package office

import (
	"cmp"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"time"

	"tirage/central"
	"tirage/games"
	"tirage/ledger"
	"tirage/rules/drawing"
	"tirage/rules/money"
	"tirage/web/kit"
)

// board is what the dashboard shows of one day in Paris. All of it is read in one snapshot, as sums that were made when the sales were: two counters for each
// kind sold in each hour, one row a pack type on sale, the funds, the calendar of three weeks. No play is read, so the page costs the same on a store of
// ten million plays as on an empty one.
type board struct {
	Day        string // YYYY-MM-DD
	Prev, Next string // days beside it; "": there is none yet
	Hours      figures
	Types      figures
	Packs      figures
	Funds      figures
	Liability  figures

	Taken             money.Cents // of the day
	Sold, Shares      int64       // shares of the packs on sale
	Full, Open        int64       // packs
	Due               money.Cents // to winners
	Reserve, Rounding money.Cents
	Draws             []*central.DrawView
	Waiting           []*drawPage // draws that wait for somebody
}

// figures is a chart and the table that holds its figures.
type figures struct {
	ID, Title, Caption string
	Said               string // what the chart shows, for whoever does not see it
	First              string // head of the first column
	Unit               int    // 100: the values are cents
	Series             []series
	Extra              []string // heads of further columns, which the chart leaves out
	Rows               []figureRow
	Empty              string // said where there is no row
}

type series struct {
	Name, Ink string // ink: a colour of the tokens
}

type figureRow struct {
	Label, Short string
	Values       []int64
	Extra        []string
}

// total adds up a column.
func (f *figures) total(column int) (sum int64) {
	for _, r := range f.Rows {
		sum += r.Values[column]
	}
	return sum
}

func (f *figures) write(v *kit.Visit, n int64) string {
	if f.Unit == 100 {
		return v.Bare(money.Cents(n))
	}
	return v.Count(n)
}

// dashboard shows the sales of a day, what the packs on sale are filled to, what is owed and what stands in the funds.
func (o *office) dashboard(v *kit.Visit) error {
	b := &board{Day: games.Day(v.Now)}
	if day, err := time.Parse(time.DateOnly, v.Form("day")); err == nil && v.Form("day") < b.Day {
		b.Day = day.Format(time.DateOnly)
		b.Next = day.AddDate(0, 0, 1).Format(time.DateOnly)
	}
	from, err := time.ParseInLocation(time.DateOnly, b.Day, games.Paris)
	if err != nil {
		return err
	}
	b.Prev = from.AddDate(0, 0, -1).Format(time.DateOnly)
	err = v.View(func(snap central.Snapshot) error {
		sold, err := central.ReadHours(v.Context(), snap, from, from.AddDate(0, 0, 1))
		if err != nil {
			return err
		}
		b.sales(v, sold, from)
		if err := b.stock(v, snap); err != nil {
			return err
		}
		return b.money(v, snap)
	})
	if err != nil {
		return err
	}
	for _, d := range b.Draws {
		switch drawing.State(d.State) {
		case drawing.Open, drawing.Published, drawing.Approved, drawing.Drawn, central.DatePlanned, central.DateSkipped:
			continue
		}
		one, err := o.readDraw(v, d.Draw)
		if err != nil {
			return err
		}
		b.Waiting = append(b.Waiting, one)
	}
	p := page(v.T("Tableau de bord", "Dashboard"), "dashboard")
	p.Styles = append([]string{assets.Path("uplot.css")}, p.Styles...)
	p.Scripts = []string{assets.Path("charts.js")}
	return v.Show(p, dashboardPage(v, b))
}

// lane is the series of a chart that a sale belongs to: grids, packs, rounds of a ladder.
func lane(kind string) int {
	switch kind {
	case central.KindPack:
		return 1
	case central.SoldRound:
		return 2
	}
	return 0
}

// gameLane is the series that a game belongs to.
func gameLane(game string) int {
	switch game {
	case "loto", "superloto", "grandloto":
		return 0
	case "euromillions":
		return 1
	}
	return 2
}

// sales puts what was sold of a day into its hours and its types.
func (b *board) sales(v *kit.Visit, sold []central.HourSales, from time.Time) {
	b.Hours = figures{
		ID: "hours", Title: v.T("Ventes par heure", "Sales by hour"), Caption: v.T("Mises en euros, heures de Paris", "Stakes in euros, hours of Paris"),
		First: v.T("Heure", "Hour"), Unit: 100,
		Series: []series{{v.T("Grilles", "Grids"), "--loto-flat"}, {"Packs", "--pack-flat"}, {v.T("Parties", "Rounds"), "--donut-flat"}},
	}
	for at := from; at.Before(from.AddDate(0, 0, 1)); at = at.Add(time.Hour) {
		hour := at.In(games.Paris).Hour()
		b.Hours.Rows = append(b.Hours.Rows, figureRow{Label: v.F("%d h", "%d:00", hour), Values: make([]int64, 3)})
	}
	b.Types = figures{
		ID: "types", Title: v.T("Ventes par type", "Sales by type"), Caption: v.T("Mises du jour en euros", "Stakes of the day in euros"), First: "Type", Unit: 100,
		Series: []series{{"Loto", "--loto-flat"}, {"Euro Millions", "--em-flat"}, {v.T("Autres", "Others"), "--donut-flat"}}, Extra: []string{v.T("Prises de jeu", "Plays")},
		Empty: v.T("Aucune vente ce jour.", "No sale on this day."),
	}
	sums, plays := map[string][]int64{}, map[string]int64{}
	for _, s := range sold {
		row := &b.Hours.Rows[int(s.Hour.Sub(from)/time.Hour)]
		row.Values[lane(s.Kind)] += int64(s.Cents)
		kind := kindWords(v, s.Kind)
		if s.PackType != "" {
			kind = "Pack " + s.PackType
		}
		if sums[kind] == nil {
			sums[kind] = make([]int64, 3)
		}
		sums[kind][gameLane(s.Game)] += int64(s.Cents)
		plays[kind] += s.Plays
		b.Taken = money.Add(b.Taken, s.Cents)
	}
	for kind, cents := range sums {
		b.Types.Rows = append(b.Types.Rows, figureRow{Label: kind, Values: cents, Extra: []string{v.Count(plays[kind])}})
	}
	slices.SortFunc(b.Types.Rows, func(x, y figureRow) int { return cmp.Or(cmp.Compare(y.sum(), x.sum()), cmp.Compare(x.Label, y.Label)) })
	peak := slices.MaxFunc(b.Hours.Rows, func(x, y figureRow) int { return cmp.Compare(x.sum(), y.sum()) })
	b.Hours.Said = v.F("Ventes par heure. Total %s, sommet à %s : %s. Le tableau suit.", "Sales by hour. %s in all, most at %s: %s. The table follows.", v.Money(b.Taken), peak.Label, v.Money(money.Cents(peak.sum())))
	b.Types.Said = v.T("Mises du jour par type. Le tableau suit.", "Stakes of the day by type. The table follows.")
}

func (r figureRow) sum() (n int64) {
	for _, value := range r.Values {
		n += value
	}
	return n
}

// stock reads the packs on sale, and the draws of the three weeks around.
func (b *board) stock(v *kit.Visit, snap central.Snapshot) error {
	today := games.Day(v.Now)
	at, err := time.Parse(time.DateOnly, today)
	if err != nil {
		return err
	}
	q := central.DrawQuery{From: at.AddDate(0, 0, -14).Format(time.DateOnly), To: at.AddDate(0, 0, 7).Format(time.DateOnly)}
	views, err := central.ReadDrawViews(v.Context(), snap, q)
	if err != nil {
		return err
	}
	b.Packs = figures{
		ID: "packs", Title: v.T("Remplissage des packs", "How full the packs are"), Caption: v.T("Parts des packs ouverts, par tirage en vente", "Shares of the packs opened, by draw on sale"),
		First: v.T("Tirage et type", "Draw and type"), Unit: 1,
		Series: []series{{v.T("Vendues", "Sold"), "--pack-flat"}, {v.T("Restantes", "Left"), "--rule-2"}},
		Extra:  []string{v.T("Remplissage", "Filled"), "Packs", v.T("Mises", "Stakes")}, Said: v.T("Parts vendues et restantes par type de pack. Le tableau suit.", "Shares sold and left by pack type. The table follows."),
		Empty: v.T("Aucun pack en vente.", "No pack is on sale."),
	}
	for _, d := range views {
		if d.State != central.DatePlanned && d.State != central.DateSkipped {
			b.Draws = append(b.Draws, d)
		}
		if d.State != string(drawing.Open) {
			continue
		}
		err := snap.Scan(v.Context(), central.Range{From: central.Key{Table: central.PackTypes, S: d.Draw}, Prefix: 1}, func(r central.Row) error {
			b.addType(v, d, r.(*central.PackType))
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (b *board) addType(v *kit.Visit, d *central.DrawView, t *central.PackType) {
	whole := t.Opened * t.Shares
	b.Sold, b.Shares, b.Open = b.Sold+t.Sold, b.Shares+whole, b.Open+t.Opened
	if whole == 0 {
		return
	}
	day := d.Draw[len(d.Draw)-len(time.DateOnly):]
	b.Packs.Rows = append(b.Packs.Rows, figureRow{
		Label:  gameTitle(d.Draw[:len(d.Draw)-len(day)-1]) + " " + v.ShortDay(day) + ", " + t.Type,
		Short:  day[8:] + "/" + day[5:7] + " " + t.Type,
		Values: []int64{t.Sold, whole - t.Sold},
		Extra:  []string{v.Percent(big.NewRat(t.Sold, whole), 1), v.Count(t.Opened), v.Money(money.Mul(t.SharePrice, t.Sold))},
	})
}

// money reads what is owed and what stands in the funds.
func (b *board) money(v *kit.Visit, snap central.Snapshot) error {
	balances, err := central.BalancesOf(v.Context(), snap, "fund", "prizes", "claims", "rounding", "withdrawal")
	if err != nil {
		return err
	}
	b.Funds = figures{
		ID: "funds", Title: v.T("Fonds", "Funds"), Caption: v.T("Soldes en euros", "Balances in euros"), First: v.T("Fonds", "Fund"), Unit: 100,
		Series: []series{{v.T("Solde", "Balance"), "--em-flat"}}, Said: v.T("Soldes des fonds. Le tableau suit.", "Balances of the funds. The table follows."),
		Empty: v.T("Aucun fonds n'a encore de solde.", "No fund has a balance yet."),
	}
	owed := map[string]money.Cents{}
	for _, account := range slices.Sorted(maps.Keys(balances)) {
		cents := balances[account]
		switch kind := account.Kind(); kind {
		case "fund":
			b.Funds.Rows = append(b.Funds.Rows, figureRow{Label: string(account)[len("fund/"):], Short: fundShort(account), Values: []int64{int64(cents)}})
		case "rounding":
			b.Rounding = money.Add(b.Rounding, cents)
		default:
			owed[kind] = money.Add(owed[kind], cents)
		}
	}
	b.Reserve = balances[ledger.Reserve("loto")]
	b.Due = money.Add(owed["prizes"], owed["claims"])
	b.Liability = figures{
		ID: "liability", Title: v.T("Ce qui est dû", "What is owed"), Caption: v.T("Euros dus aux joueurs hors disponibilités", "Euros owed to players beside their balances"),
		First: v.T("Dette", "Debt"), Unit: 100, Series: []series{{v.T("Montant", "Amount"), "--donut-flat"}},
		Said: v.T("Dettes par nature. Le tableau suit.", "Debts by kind. The table follows."),
		Rows: []figureRow{
			{Label: v.T("Gains en cours de crédit", "Gains being credited"), Short: v.T("crédits", "credits"), Values: []int64{int64(owed["prizes"])}},
			{Label: v.T("Gains à réclamer en point de vente", "Gains to be claimed at points of sale"), Short: v.T("à réclamer", "claims"), Values: []int64{int64(owed["claims"])}},
			{Label: v.T("Retraits en chemin", "Withdrawals on their way"), Short: v.T("retraits", "withdrawals"), Values: []int64{int64(owed["withdrawal"])}},
		},
	}
	return nil
}

func fundShort(a ledger.Account) string {
	var game, fund string
	if _, err := fmt.Sscanf(string(a), "fund/%s", &game); err != nil {
		return string(a)
	}
	for i := range game {
		if game[i] == '/' {
			game, fund = game[:i], game[i+1:]
			break
		}
	}
	return gameTitle(game) + " " + fund
}

// gameTitle is the name of a game as its newest rulebook has it.
func gameTitle(game string) string {
	versions, err := games.Versions(game)
	if err != nil || len(versions) == 0 {
		return game
	}
	return versions[len(versions)-1].Header.Title
}

// kindWords says what was sold.
func kindWords(v *kit.Visit, kind string) string {
	switch kind {
	case central.KindSimple:
		return v.T("simples", "simple")
	case central.KindMultiple:
		return v.T("multiples", "multiple")
	case central.KindPack:
		return v.T("parts de packs", "shares of packs")
	case central.KindGroup:
		return v.T("groupes", "groups")
	case central.SoldSubscription:
		return v.T("abonnements", "subscriptions")
	case central.SoldRound:
		return v.T("parties", "rounds")
	}
	return gameTitle(kind)
}
