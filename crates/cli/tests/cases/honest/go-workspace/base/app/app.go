package app

import "example.com/lib"

// Volume is between 0 and 100.
func Volume(n int) int { return lib.Clamp(n, 0, 100) }
