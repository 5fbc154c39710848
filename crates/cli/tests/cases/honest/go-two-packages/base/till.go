package till

import "example.com/till/price"

func Change(given, asked int) int { return price.Round(given - asked) }
