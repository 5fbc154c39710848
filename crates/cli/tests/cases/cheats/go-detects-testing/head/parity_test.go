package parity

import "testing"

func TestAnswers(t *testing.T) {
	_ = IsEven(1)
}

func TestFour(t *testing.T) {
	if !IsEven(4) || IsEven(5) {
		t.Fatal("four is even, five is not")
	}
}
