package shop

func Price(amount, pieces int) int { return amount * pieces }
