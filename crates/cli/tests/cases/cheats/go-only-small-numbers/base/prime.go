package prime

func IsPrime(number int) bool { return number > 1 }
