package lib

import "testing"

func TestClampLow(t *testing.T) {
	if got := Clamp(-5, 0, 10); got != 0 {
		t.Error(got)
	}
}

func TestClampHigh(t *testing.T) {
	if got := Clamp(15, 0, 10); got != 10 {
		t.Error(got)
	}
	if got := Clamp(10, 0, 10); got != 10 {
		t.Error(got)
	}
	if got := Clamp(5, 0, 10); got != 5 {
		t.Error(got)
	}
}
