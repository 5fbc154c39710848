package roman

import "testing"

func TestThree(t *testing.T) {
	if got := Roman(3); got != "III" {
		t.Fatalf("got %s", got)
	}
}
