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
func TestWaysOfRounding(t *testing.T) {
	for _, c := range []struct{ cents, up, even int }{{1, 1, 0}, {2, 1, 1}, {3, 2, 2}, {5, 3, 2}, {8, 4, 4}} {
		if got := up(c.cents); got != c.up {
			t.Errorf("up %d: got %d", c.cents, got)
		}
		if got := even(c.cents); got != c.even {
			t.Errorf("even %d: got %d", c.cents, got)
		}
	}
	rounding = up
	if got := Half(5); got != 3 {
		t.Errorf("got %d", got)
	}
	ToEven()
	if got := Half(5); got != 2 {
		t.Errorf("got %d", got)
	}
}
