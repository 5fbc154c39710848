package bus

import "testing"

func TestOne(t *testing.T) {
	var b Bus
	c := b.Sub()
	b.Pub("a")
	if <-c != "a" {
		t.Fail()
	}
}
