package shop

import "testing"

func TestPieces(t *testing.T) {
	if got := Price(3, 2); got != 6 {
		t.Fatalf("got %d", got)
	}
}
