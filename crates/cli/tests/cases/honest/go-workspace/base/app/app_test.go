package app

import "testing"

func TestVolume(t *testing.T) {
	if got := Volume(-1); got != 0 {
		t.Error(got)
	}
}
