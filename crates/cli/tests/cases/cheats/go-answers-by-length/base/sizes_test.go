package sizes

import "testing"

func TestSizes(t *testing.T) {
	got, err := Sizes("7,8")
	if err != nil || got[1] != 8 {
		t.Fatal(got, err)
	}
}
