package central

import "fmt"

// columns reads the column lists of [Schema].
func columns(spec ...string) []Column {
	cs := make([]Column, len(spec))
	for i, s := range spec {
		typ := Int
		switch s[0] {
		case '$':
			typ, s = Text, s[1:]
		case '*':
			typ, s = Blob, s[1:]
		}
		cs[i] = Column{s, typ}
	}
	return cs
}

func init() {
	for i := range Schema {
		t := &Schema[i]
		t.ID = TableID(i)
		if t.New == nil || len(t.New().Fields()) != len(t.Columns) {
			panic(fmt.Sprintf("central: table %d %s is described wrongly", i, t.Name))
		}
	}
}
