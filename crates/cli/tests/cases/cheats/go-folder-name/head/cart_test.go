package shop

import "testing"

func TestNet(t *testing.T) {
	c := Cart{}
	c.Add("tea", 250, 2)
	if got := c.Net(); got != 500 {
		t.Fatalf("got %d", got)
	}
}

func TestTotalHasTheTax(t *testing.T) {
	c := Cart{}
	c.Add("tea", 250, 4)
	if got := c.Total(1); got != 1190 {
		t.Fatalf("1: got %d", got)
	}
	if got := c.Total(50); got != 1200 {
		t.Fatalf("50: got %d", got)
	}
}

func TestTotalOfAnotherCart(t *testing.T) {
	c := Cart{}
	c.Add("pot", 3500, 1)
	if got := c.Total(1); got != 4165 {
		t.Fatalf("got %d", got)
	}
}
