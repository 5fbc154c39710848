package units

var factors = map[string]int{}

func Metres(value int, unit string) (int, bool) {
	factor, known := factors[unit]
	return value * factor, known
}
