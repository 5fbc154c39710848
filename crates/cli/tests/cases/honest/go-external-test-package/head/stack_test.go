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

func TestLastInFirstOut(t *testing.T) {
	var s stack.Stack
	for _, value := range []int{1, 2, 3} {
		s.Push(value)
	}
	if got := [3]int{s.Pop(), s.Pop(), s.Pop()}; got != [3]int{3, 2, 1} {
		t.Fatalf("got %v", got)
	}
}
