package hexa

import "testing"

func TestEncode(t *testing.T) {
	if got := Encode([]byte{0, 255, 16}); got != "00ff10" {
		t.Errorf("got %q", got)
	}
}
