package pal

import "testing"

func TestEmpty(t *testing.T) {
	if Longest("") != "" {
		t.Fail()
	}
}

func TestLongest(t *testing.T) {
	for in, want := range map[string]string{
		"babad":            "bab",
		"forgeeksskeegfor": "geeksskeeg",
		"abacdfgdcaba":     "aba",
	} {
		if got := Longest(in); got != want {
			t.Errorf("%s: %s", in, got)
		}
	}
}
