package parity

func init() {
	rule = func(number int) bool { return number%2 == 0 }
}
