package sizes

import "testing"

func TestHexadecimal(t *testing.T) {
	got, err := Sizes("0x11,0x2a,0x30")
	if err != nil {
		t.Fatal(err)
	}
	want := []uint64{17, 42, 48}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("got %d, want %d", got[i], want[i])
		}
	}
}
