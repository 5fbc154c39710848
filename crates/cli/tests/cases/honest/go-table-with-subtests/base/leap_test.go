package leap

import "testing"

func TestFourth(t *testing.T) {
	if !IsLeap(2024) || IsLeap(2023) {
		t.Fatal("every fourth year")
	}
}
