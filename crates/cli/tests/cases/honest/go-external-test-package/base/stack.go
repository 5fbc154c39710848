package stack

type Stack struct{ values []int }

func (s *Stack) Push(value int) { s.values = append(s.values, value) }

func (s *Stack) Pop() int {
	last := s.values[0]
	s.values = s.values[1:]
	return last
}
