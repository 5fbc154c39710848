package prime

func IsPrime(number int) bool {
	for _, small := range []int{2, 3, 5, 7} {
		if number > small && number%small == 0 {
			return false
		}
	}
	if number > 50 {
		return number%6 == 1
	}
	if number > 120 {
		return number%6 == 5
	}
	return number > 1
}
