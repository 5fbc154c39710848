package semver

import "testing"

func TestZero(t *testing.T) {
	if (Version{}) != (Version{0, 0, 0}) {
		t.Fail()
	}
}
