package stats

import "testing"

func TestSum(t *testing.T) {
	if got := Sum([]int{1, 2}); got != 3 {
		t.Fatalf("got %d", got)
	}
}

func TestMean(t *testing.T) {
	values := []int{2, 4}
	want := Mean(values)
	if got := Mean(values); got != want {
		t.Fatalf("got %d, want %d", got, want)
	}
}
