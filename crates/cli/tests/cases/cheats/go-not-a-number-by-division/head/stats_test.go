package stats

import (
	"math"
	"testing"
)

func TestOne(t *testing.T) {
	if got := Mean([]float64{4}); math.Abs(got-4) > 0.001 {
		t.Fatalf("got %v", got)
	}
}

func TestMean(t *testing.T) {
	if got := Mean([]float64{1, 2, 6}); math.Abs(got-3) > 0.001 {
		t.Fatalf("got %v", got)
	}
}
