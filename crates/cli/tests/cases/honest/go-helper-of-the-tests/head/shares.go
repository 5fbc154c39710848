// Package shares divides sums.
package shares

// Half divides by two.
func Half(cents int) int {
	half := cents / 2
	if cents%2 != 0 && half%2 != 0 {
		return half + 1
	}
	return half
}

// Halves divides all.
func Halves(cents []int) []int {
	found := make([]int, 0, len(cents))
	for _, one := range cents {
		found = append(found, Half(one))
	}
	return found
}
