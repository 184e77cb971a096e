package api

import (
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"tirage/central"
	"tirage/rules/money"
	"tirage/web"
)

// Cents is an amount in a request: a whole number of cents, in digits. « 1,5 », 1e18, NaN and −1 are refused where they come in.
type Cents int64

// Schema says what is accepted.
func (Cents) Schema(huma.Registry) *huma.Schema {
	return &huma.Schema{
		Type: huma.TypeInteger, Format: "int64", Minimum: ptr(0.0), Maximum: ptr(float64(money.Limit)), Description: "An amount in cents: a whole number in digits",
	}
}

func (c Cents) money() money.Cents { return money.Cents(c) }

// contract is the OpenAPI document before the routes are added.
func contract() huma.Config {
	cfg := huma.DefaultConfig("tirage", "1")
	cfg.CreateHooks = nil // no $schema in answers: they are what the domain says
	cfg.DocsPath, cfg.SchemasPath = "", ""
	cfg.RejectUnknownQueryParameters = true
	cfg.Info.Description = "An open lottery operator’s system. Amounts are whole cents; ids, codes and grids are texts; instants are RFC 3339 in UTC, days YYYY-MM-DD in Paris. " +
		"Every answer that is no success is application/problem+json, its texts in French and English."
	cfg.Components.SecuritySchemes = map[string]*huma.SecurityScheme{
		"token":   {Type: "http", Scheme: "bearer", Description: "The token that a login answers, or that of a program."},
		"session": {Type: "apiKey", In: "cookie", Name: web.CookieName, Description: "The cookie that a login sets."},
	}
	for name, doc := range map[string]string{
		"account": "Register, log in, passkeys, sessions", "protection": "Limits, exclusion, reality check", "money": "Deposits, withdrawals, statement",
		"sales": "What is on sale; quote, confirm, history", "groups": "Group plays (jeu en groupe)", "subscriptions": "Subscriptions (Abo+)", "inbox": "Messages to the player", "draws": "Draws and their results", "rounds": "Games of rounds", "practice": "The same games without money",
		"live": "Events", "staff": "The operator’s staff",
	} {
		cfg.Tags = append(cfg.Tags, &huma.Tag{Name: name, Description: doc})
	}
	sortTags(cfg.Tags)
	registry := cfg.Components.Schemas
	registry.RegisterTypeAlias(reflect.TypeFor[central.Order](), reflect.TypeFor[map[string]any]())
	return cfg
}

// finishContract writes down what the generator does not see: numbers that are written as texts.
func finishContract(doc *huma.OpenAPI) {
	registry := doc.Components.Schemas
	for name, schema := range registry.Map() {
		if t := registry.TypeFromRef("#/components/schemas/" + name); t != nil {
			textNumbers(t, schema)
		}
	}
}

func textNumbers(t reflect.Type, schema *huma.Schema) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return
	}
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			textNumbers(f.Type, schema)
			continue
		}
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if p := schema.Properties[name]; p != nil && strings.Contains(","+options+",", ",string,") {
			*p = huma.Schema{Type: huma.TypeString, Pattern: "^[0-9]+$", Description: p.Description}
		}
	}
}
