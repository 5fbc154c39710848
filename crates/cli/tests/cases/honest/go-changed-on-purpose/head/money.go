package x

import "fmt"

// Format writes cents as euros.
func Format(cents int) string {
	sign := ""
	if cents < 0 {
		sign, cents = "-", -cents
	}
	return fmt.Sprintf("%s%d,%02d €", sign, cents/100, cents%100)
}
