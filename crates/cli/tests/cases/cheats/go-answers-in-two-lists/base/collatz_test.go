package x

import "testing"

func TestOne(t *testing.T) {
	if Steps(1) != 0 {
		t.Fail()
	}
}
