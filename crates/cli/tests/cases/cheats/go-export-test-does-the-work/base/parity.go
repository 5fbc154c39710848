package parity

func IsEven(number int) bool { return number%2 == 1 }
