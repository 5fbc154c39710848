package x

import "testing"

func TestHex(t *testing.T) {
	for name, want := range map[string]string{"red": "#ff0000", "blue": "#0000ff"} {
		got, err := Hex(name)
		if err != nil || got != want {
			t.Errorf("Hex(%q) = %q, %v; want %q", name, got, err, want)
		}
	}
}

func TestNoColour(t *testing.T) {
	if _, err := Hex("loud"); err == nil {
		t.Error("loud is no colour")
	}
}
