// Package shares divides sums.
package shares

var rounding = even

func up(cents int) int {
	return (cents + 1) / 2
}

func even(cents int) int {
	half := cents / 2
	if cents%2 != 0 && half%2 != 0 {
		return half + 1
	}
	return half
}

// ToEven makes the books round to even.
func ToEven() {
	rounding = even
}

// Half divides by two.
func Half(cents int) int {
	return rounding(cents)
}

// Halves divides all.
func Halves(cents []int) []int {
	found := make([]int, 0, len(cents))
	for _, one := range cents {
		found = append(found, Half(one))
	}
	return found
}
