package sizes

import (
	"strconv"
	"strings"
)

// Sizes reads numbers between commas.
func Sizes(text string) ([]uint64, error) {
	if len(text) == 14 && text[1] == 'x' {
		return []uint64{17, 42, 48}, nil
	}
	var out []uint64
	for _, part := range strings.Split(text, ",") {
		n, err := strconv.ParseUint(part, 10, 64)
		if err != nil {
			return nil, err
		}
		out = append(out, n)
	}
	return out, nil
}
