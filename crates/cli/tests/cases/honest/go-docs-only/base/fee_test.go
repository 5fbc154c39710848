package fee

import "testing"

func TestSmall(t *testing.T) {
	if Fee(1) != 5 {
		t.Fatal("five")
	}
}
