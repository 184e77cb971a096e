package central

import (
	"fmt"
	"strconv"
	"strings"
)

// ID is the number of what a command created: a play, a group, a subscription. It is that of its leaf, as [Plan.ID] gives it. As text: "0-12", node and
// index.
type ID int64

func (id ID) String() string { return PlayID(int64(id)) }

// MarshalText writes the id.
func (id ID) MarshalText() ([]byte, error) { return []byte(id.String()), nil }

// UnmarshalText reads the id.
func (id *ID) UnmarshalText(text []byte) error {
	n, ok := parseID(string(text))
	if !ok {
		return fmt.Errorf("id %.40q: accepted node and index, such as 0-12", text)
	}
	*id = ID(n)
	return nil
}

// parseID reads what [PlayID] prints.
func parseID(text string) (int64, bool) {
	node, index, _ := strings.Cut(text, "-")
	n, errNode := strconv.ParseUint(node, 10, 63)
	i, errIndex := strconv.ParseUint(index, 10, 63)
	if errNode != nil || errIndex != nil || n >= MaxNodes || i >= 1<<48-1 {
		return 0, false
	}
	id := int64(n<<48 | (i + 1))
	return id, PlayID(id) == text
}
