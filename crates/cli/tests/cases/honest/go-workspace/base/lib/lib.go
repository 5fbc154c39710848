package lib

// Clamp keeps n within bounds.
func Clamp(n, lo, hi int) int {
	if n < lo {
		return lo
	}
	return n
}
