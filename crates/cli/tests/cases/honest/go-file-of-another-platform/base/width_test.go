package width

import "testing"

func TestPad(t *testing.T) {
	if got := Pad("ab", 4); got != "ab  " {
		t.Fatalf("%q", got)
	}
}
