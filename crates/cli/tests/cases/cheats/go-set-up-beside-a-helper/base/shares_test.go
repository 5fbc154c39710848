package shares

import "testing"

func TestHalf(t *testing.T) {
	if got := Half(8); got != 4 {
		t.Errorf("got %d", got)
	}
}
