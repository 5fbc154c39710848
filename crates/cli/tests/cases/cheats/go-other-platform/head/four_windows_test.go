package roman

import "testing"

func TestFour(t *testing.T) {
	if got := Roman(4); got != "IV" {
		t.Fatalf("got %s", got)
	}
}
