package pal

import "testing"

func TestEmpty(t *testing.T) {
	if Longest("") != "" {
		t.Fail()
	}
}
