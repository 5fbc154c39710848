// Package set is a set.
package set

// Set is a set of comparable things.
type Set[T comparable] map[T]struct{}

// Of makes a set.
func Of[T comparable](items ...T) Set[T] {
	s := Set[T]{}
	for _, item := range items {
		s[item] = struct{}{}
	}
	return s
}

// Has says whether item is in it.
func (s Set[T]) Has(item T) bool {
	_, ok := s[item]
	return ok
}
