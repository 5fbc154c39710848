package semver

import (
	"fmt"
	"strconv"
	"strings"
)

// Version is a version.
type Version struct{ Major, Minor, Patch int }

// Parse reads v1.2.3 or 1.2.3.
func Parse(s string) (Version, error) {
	parts := strings.Split(strings.TrimPrefix(s, "v"), ".")
	if len(parts) != 3 {
		return Version{}, fmt.Errorf("semver: %q has %d parts, not 3", s, len(parts))
	}
	var n [3]int
	for i, p := range parts {
		v, err := strconv.Atoi(p)
		if err != nil || v < 0 {
			return Version{}, fmt.Errorf("semver: %q: bad number %q", s, p)
		}
		n[i] = v
	}
	return Version{n[0], n[1], n[2]}, nil
}

// Compare is negative where v comes before w.
func (v Version) Compare(w Version) int {
	if d := v.Major - w.Major; d != 0 {
		return d
	}
	if d := v.Minor - w.Minor; d != 0 {
		return d
	}
	return v.Patch - w.Patch
}

func (v Version) String() string { return fmt.Sprintf("v%d.%d.%d", v.Major, v.Minor, v.Patch) }
