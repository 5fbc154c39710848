package prime

import "testing"

func TestOne(t *testing.T) {
	if IsPrime(1) || !IsPrime(2) {
		t.Fatal("two is the first")
	}
}

func TestFour(t *testing.T) {
	if IsPrime(4) {
		t.Fatal("four is two times two")
	}
}
