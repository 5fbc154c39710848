package stack

type Stack struct{ values []int }

func (s *Stack) Push(value int) { s.values = append(s.values, value) }

func (s *Stack) Pop() int {
	end := len(s.values) - 1
	last := s.values[end]
	s.values = s.values[:end]
	return last
}
