package set

import "testing"

func TestHas(t *testing.T) {
	s := Of(1, 2)
	if !s.Has(1) || s.Has(3) {
		t.Errorf("got %v", s)
	}
}
