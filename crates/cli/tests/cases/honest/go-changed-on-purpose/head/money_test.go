package x

import "testing"

func TestFormat(t *testing.T) {
	if got := Format(1234); got != "12,34 €" {
		t.Errorf("got %q", got)
	}
	if got := Format(-205); got != "-2,05 €" {
		t.Errorf("got %q", got)
	}
}
