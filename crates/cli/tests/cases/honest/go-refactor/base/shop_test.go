package shop

import "testing"

func TestPieces(t *testing.T) {
	if got := Price(30, 2, false); got != 60 {
		t.Fatalf("got %d", got)
	}
}

func TestMembers(t *testing.T) {
	if got := Price(30, 2, true); got != 54 {
		t.Fatalf("got %d", got)
	}
}
