package storetest_test

import (
	"testing"

	"tirage/internal/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }
