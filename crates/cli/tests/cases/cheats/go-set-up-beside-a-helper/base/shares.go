// Package shares divides sums.
package shares

// Half divides by two.
func Half(cents int) int {
	return (cents + 1) / 2
}

// Halves divides all.
func Halves(cents []int) []int {
	found := make([]int, 0, len(cents))
	for _, one := range cents {
		found = append(found, Half(one))
	}
	return found
}
