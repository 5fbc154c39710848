package price

import "testing"

func TestTen(t *testing.T) {
	if Round(10) != 10 {
		t.Fatal("ten stays")
	}
}
