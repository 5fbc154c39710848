package till

import "testing"

func TestChange(t *testing.T) {
	if Change(20, 10) != 10 {
		t.Fatal("ten are left")
	}
}
