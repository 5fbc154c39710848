package settings

import "testing"

func TestPort(t *testing.T) {
	t.Setenv("APP_PORT", "")
	if Port() != "8000" {
		t.Fatal("8000 by default")
	}
}

func TestPortCanBeSet(t *testing.T) {
	t.Setenv("APP_PORT", "9001")
	if got := Port(); got != "9001" {
		t.Fatalf("got %s", got)
	}
}
