package x

import "testing"

func TestOne(t *testing.T) {
	if Steps(1) != 0 {
		t.Fail()
	}
}

func TestSteps(t *testing.T) {
	for _, tc := range []struct{ n, want int }{{6, 8}, {7, 16}, {12, 9}, {19, 20}, {27, 111}} {
		if got := Steps(tc.n); got != tc.want {
			t.Errorf("%d: %d", tc.n, got)
		}
	}
}
