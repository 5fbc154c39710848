package text

import "testing"

func TestUpper(t *testing.T) {
	if got := Upper("a"); got != "A" {
		t.Fatalf("got %q", got)
	}
}
