package bank

import "testing"

func TestMoneyIsTaken(t *testing.T) {
	if left, err := Withdraw(10, 4); left != 6 || err != nil {
		t.Fatalf("got %d, %v", left, err)
	}
}
