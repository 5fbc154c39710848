package shop

func Total(prices []int) int {
	sum := 0
	for at := 0; at < len(prices); at++ {
		sum += prices[at]
	}
	return sum
}
