package shop

import "testing"

func TestSubtract(t *testing.T) {
	if got := Subtract(12, 5); got != 7 {
		t.Fatalf("got %d", got)
	}
}
