package bank

import (
	"errors"
	"testing"
)

func TestNoMoreThanThereIs(t *testing.T) {
	left, err := Withdraw(10, 11)
	if left != 10 || !errors.Is(err, ErrNotEnough) {
		t.Fatalf("got %d, %v", left, err)
	}
	if left, err := Withdraw(10, 10); left != 0 || err != nil {
		t.Fatalf("got %d, %v", left, err)
	}
}
