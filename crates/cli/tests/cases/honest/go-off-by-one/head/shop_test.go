package shop

import "testing"

func TestNothing(t *testing.T) {
	if got := Total(nil); got != 0 {
		t.Fatalf("got %d", got)
	}
}

func TestEveryPriceCounts(t *testing.T) {
	if got := Total([]int{7, 2, 1}); got != 10 {
		t.Fatalf("got %d", got)
	}
}
