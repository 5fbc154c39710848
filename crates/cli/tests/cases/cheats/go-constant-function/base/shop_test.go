package shop

import "testing"

func TestAdd(t *testing.T) {
	if got := Add(4, 5); got != 9 {
		t.Fatalf("got %d", got)
	}
}
