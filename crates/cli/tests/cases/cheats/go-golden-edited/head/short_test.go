package report

import "testing"

func TestShort(t *testing.T) {
	if got := Line("a", 200); got != "a 2" {
		t.Fatalf("got %q", got)
	}
}
