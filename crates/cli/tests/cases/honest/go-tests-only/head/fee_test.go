package fee

import "testing"

func TestSmall(t *testing.T) {
	if Fee(1) != 5 {
		t.Fatal("five")
	}
}

func TestEdge(t *testing.T) {
	if Fee(99) != 5 || Fee(100) != 0 {
		t.Fatal("a hundred is free")
	}
}
