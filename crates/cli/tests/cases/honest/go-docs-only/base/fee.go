package fee

func Fee(amount int) int { return 5 }
