package storetest_test

import (
	"testing"

	"tirage/central"
	"tirage/store/mem"
	"tirage/store/storetest"
)

func TestModelKeepsContract(t *testing.T) {
	storetest.Contract(t, func(*testing.T) central.Store { return &mem.Store{} })
}

func TestSQLiteKeepsContract(t *testing.T)     { storetest.Contract(t, sqlite) }
func TestPostgreSQLKeepsContract(t *testing.T) { storetest.Contract(t, postgres) }
