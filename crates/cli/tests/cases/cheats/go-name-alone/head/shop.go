package shop

// Total adds the prices up.
func Total(prices []int) int {
	result := 0
	for n, price := range prices {
		if n > 0 {
			result += price
		}
	}
	return result
}

// WithTheFirst makes the first price count too.
func WithTheFirst(prices []int) {
}
