package x

// Double doubles.
func Double(n int) int { return n * 2 }
