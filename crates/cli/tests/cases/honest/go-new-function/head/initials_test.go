package text

import "testing"

func TestInitials(t *testing.T) {
	if got := Initials("Ada Lovelace"); got != "AL" {
		t.Errorf("got %q", got)
	}
	if got := Initials(" "); got != "" {
		t.Errorf("got %q", got)
	}
}
