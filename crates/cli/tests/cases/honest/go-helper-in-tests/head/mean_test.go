package stats

import (
	"math"
	"testing"
)

func near(t *testing.T, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) < 1e-9) {
		t.Fatalf("got %v, want %v", got, want)
	}
}

func TestMeanOfThree(t *testing.T) { near(t, Mean([]float64{1, 2, 6}), 3) }

func TestMeanOfNothing(t *testing.T) { near(t, Mean(nil), 0) }
