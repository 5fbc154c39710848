package till

import "testing"

func TestChange(t *testing.T) {
	if Change(20, 10) != 10 {
		t.Fatal("ten are left")
	}
}

func TestChangeIsRounded(t *testing.T) {
	if got := Change(20, 11); got != 5 {
		t.Fatalf("got %d", got)
	}
}
