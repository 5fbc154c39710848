package shop

func Price(amount, pieces int, member bool) int {
	return reduced(amount*pieces, member)
}

func reduced(sum int, member bool) int {
	if member {
		return sum * 9 / 10
	}
	return sum
}
