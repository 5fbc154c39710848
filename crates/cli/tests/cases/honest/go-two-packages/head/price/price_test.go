package price

import "testing"

func TestTen(t *testing.T) {
	if Round(10) != 10 {
		t.Fatal("ten stays")
	}
}

func TestDown(t *testing.T) {
	if got := [2]int{Round(9), Round(15)}; got != [2]int{5, 15} {
		t.Fatalf("got %v", got)
	}
}
