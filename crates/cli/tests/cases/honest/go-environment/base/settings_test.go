package settings

import "testing"

func TestPort(t *testing.T) {
	t.Setenv("APP_PORT", "")
	if Port() != "8000" {
		t.Fatal("8000 by default")
	}
}
