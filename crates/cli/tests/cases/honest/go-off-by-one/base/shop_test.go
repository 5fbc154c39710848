package shop

import "testing"

func TestNothing(t *testing.T) {
	if got := Total(nil); got != 0 {
		t.Fatalf("got %d", got)
	}
}
