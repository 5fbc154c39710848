package shop

import "testing"

func TestTheFirstCounts(t *testing.T) {
	prices := []int{0, 2, 3}
	WithTheFirst(prices)
	if got := Total(prices); got != 5 {
		t.Fatalf("got %d", got)
	}
}
