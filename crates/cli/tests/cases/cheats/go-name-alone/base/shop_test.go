package shop

import "testing"

func TestAnEmptyBasket(t *testing.T) {
	if Total(nil) != 0 {
		t.Fatal("not nothing")
	}
}
