package office

import (
	"slices"
	"strconv"
	"strings"

	"tirage/central"
	"tirage/exports"
	"tirage/ledger"
	"tirage/rules/money"
	"tirage/web/kit"
)

// accountLine is one account and its balance.
type accountLine struct {
	Account ledger.Account
	Cents   money.Cents
}

// funds shows the funds of the regulations, and what rounding leaves.
func (o *office) funds(v *kit.Visit) error {
	var lines []accountLine
	err := v.View(func(snap central.Snapshot) error {
		balances, err := central.BalancesOf(v.Context(), snap, "fund", "rounding", "crumbs", "claims", "operator", "outside", "unsold", "bank")
		for account, cents := range balances {
			lines = append(lines, accountLine{account, cents})
		}
		return err
	})
	if err != nil {
		return err
	}
	slices.SortFunc(lines, func(a, b accountLine) int { return strings.Compare(string(a.Account), string(b.Account)) })
	return v.Show(page(v.T("Fonds et arrondis", "Funds and rounding"), "funds"), fundsPage(v, lines))
}

// export answers with a report as a file; a statement is that of the player whom the path names.
func (o *office) export(report *exports.Report) kit.Handler {
	return func(v *kit.Visit) error {
		var s exports.Scope
		if report.Player {
			player, err := strconv.ParseInt(v.R.PathValue("player"), 10, 64)
			if err != nil || player <= 0 {
				return v.NotFound()
			}
			s.Player = player
		}
		return v.Export(report, s)
	}
}

// staff lists the accounts of the staff.
func (o *office) staff(v *kit.Visit) error { return o.showStaff(v, "") }

func (o *office) showStaff(v *kit.Visit, refused string) error {
	var list []*central.Staff
	err := v.View(func(snap central.Snapshot) error {
		return snap.Scan(v.Context(), central.Range{From: central.Key{Table: central.StaffRows}}, func(r central.Row) error {
			list = append(list, r.(*central.Staff))
			return nil
		})
	})
	if err != nil {
		return err
	}
	return v.Show(page(v.T("Personnel", "Staff"), "staff"), staffPage(v, list, refused))
}

// accountReports are the reports of what stands in the accounts now.
func accountReports() (list []*exports.Report) {
	for _, r := range exports.Reports() {
		if r.View == "reports" && !r.Dated {
			list = append(list, r)
		}
	}
	return list
}
