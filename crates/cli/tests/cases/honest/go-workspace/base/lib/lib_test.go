package lib

import "testing"

func TestClampLow(t *testing.T) {
	if got := Clamp(-5, 0, 10); got != 0 {
		t.Error(got)
	}
}
