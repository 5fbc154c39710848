package tax

import "testing"

func TestGross(t *testing.T) {
	if got := Gross(1000, 1); got != 1190 {
		t.Fatalf("got %d", got)
	}
	if got := Gross(3500, 100); got != 4200 {
		t.Fatalf("got %d", got)
	}
	if got := Gross(1000, 50); got != 1200 {
		t.Fatalf("got %d", got)
	}
}
