package width

import "testing"

func TestPad(t *testing.T) {
	if got := Pad("ab", 4); got != "ab  " {
		t.Fatalf("%q", got)
	}
}

func TestPadCountsLetters(t *testing.T) {
	if got := Pad("größe", 7); got != "größe  " {
		t.Fatalf("%q", got)
	}
	if got := Pad("é", 3); got != "é  " {
		t.Fatalf("%q", got)
	}
}
