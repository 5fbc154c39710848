package prime

import "testing"

func TestOne(t *testing.T) {
	if IsPrime(1) || !IsPrime(2) {
		t.Fatal("two is the first")
	}
}
