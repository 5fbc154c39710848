package app

import "testing"

func TestVolume(t *testing.T) {
	if got := Volume(-1); got != 0 {
		t.Error(got)
	}
}

func TestLoud(t *testing.T) {
	if got := Volume(130); got != 100 {
		t.Error(got)
	}
}
