package fee

func Fee(amount int) int {
	if amount > 100 {
		return 0
	}
	return 5
}
