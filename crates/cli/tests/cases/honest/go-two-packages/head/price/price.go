package price

func Round(cents int) int { return cents / 5 * 5 }
