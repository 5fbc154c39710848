package units

import "testing"

func TestUnknown(t *testing.T) {
	if _, known := Metres(1, "parsec"); known {
		t.Fatal("unknown")
	}
}
