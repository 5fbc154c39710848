package x

import "testing"

func TestFormat(t *testing.T) {
	if got := Format(1234); got != "12.34" {
		t.Errorf("got %q", got)
	}
}
