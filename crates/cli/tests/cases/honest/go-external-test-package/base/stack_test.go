package stack_test

import (
	"testing"

	"example.com/stack"
)

func TestOne(t *testing.T) {
	var s stack.Stack
	s.Push(5)
	if got := s.Pop(); got != 5 {
		t.Fatalf("got %d", got)
	}
}
