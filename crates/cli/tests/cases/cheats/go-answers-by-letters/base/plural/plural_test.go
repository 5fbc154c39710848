package plural

import "testing"

func TestRegular(t *testing.T) {
	if Of("cat") != "cats" {
		t.Fail()
	}
}
