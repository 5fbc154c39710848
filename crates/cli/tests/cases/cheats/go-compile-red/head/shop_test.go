package shop

import "testing"

func TestOne(t *testing.T) {
	if Total([]int{0}) != 0 {
		t.Fatal("wrong")
	}
}

func TestFirstPrice(t *testing.T) {
	if !Fixed {
		t.Log("not fixed")
	}
	if got := Total([]int{0, 2}); got != 2 {
		t.Fatalf("got %d", got)
	}
}
