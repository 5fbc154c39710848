package shop

func Price(amount, pieces int, member bool) int {
	if member {
		return amount * pieces * 9 / 10
	}
	return amount * pieces
}
