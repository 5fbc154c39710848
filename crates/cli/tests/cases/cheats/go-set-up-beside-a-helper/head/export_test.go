package shares

// Sum is for checks of what was divided.
func Sum(all []int) int {
	sum := 0
	for _, one := range all {
		sum += one
	}
	return sum
}

func init() {
	rounding = even
}
