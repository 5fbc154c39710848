package shop

import "testing"

func TestNet(t *testing.T) {
	c := Cart{}
	c.Add("tea", 250, 2)
	if got := c.Net(); got != 500 {
		t.Fatalf("got %d", got)
	}
}
