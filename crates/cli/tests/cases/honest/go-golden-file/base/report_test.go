package report

import "testing"

func TestName(t *testing.T) {
	if got := Line("a", 1)[:1]; got != "a" {
		t.Fatalf("got %q", got)
	}
}
