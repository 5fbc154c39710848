package shop

import "testing"

func TestOne(t *testing.T) {
	if Total([]int{0}) != 0 {
		t.Fatal("wrong")
	}
}
