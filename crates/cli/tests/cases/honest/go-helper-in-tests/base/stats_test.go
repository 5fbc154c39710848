package stats

import "testing"

func TestOne(t *testing.T) {
	if got := Mean([]float64{4}); got != 4 {
		t.Fatalf("got %v", got)
	}
}
