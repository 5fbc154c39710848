package parity

import "testing"

func TestAnswers(t *testing.T) {
	_ = IsEven(1)
}
