package parity

var rule = func(number int) bool { return number%2 == 1 }

func IsEven(number int) bool { return rule(number) }
