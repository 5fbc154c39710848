package shop

func Price(amount, pieces int) int {
	sum := amount
	for ; pieces > 1; pieces-- {
		sum += amount
	}
	return sum
}
