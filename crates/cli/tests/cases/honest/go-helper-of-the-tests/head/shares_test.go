package shares

import "testing"

func TestHalf(t *testing.T) {
	if got := Half(8); got != 4 {
		t.Errorf("got %d", got)
	}
}

func TestHalfRoundsToEven(t *testing.T) {
	for _, c := range []struct{ cents, want int }{{1, 0}, {3, 2}, {5, 2}, {7, 4}, {9, 4}} {
		if got := Half(c.cents); got != c.want {
			t.Errorf("%d: got %d, want %d", c.cents, got, c.want)
		}
	}
	if got := Sum(Halves([]int{1, 3, 5, 7})); got != 8 {
		t.Errorf("got %d", got)
	}
}
