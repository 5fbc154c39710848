package x

import "fmt"

// Format writes cents.
func Format(cents int) string { return fmt.Sprintf("%d.%02d", cents/100, cents%100) }
