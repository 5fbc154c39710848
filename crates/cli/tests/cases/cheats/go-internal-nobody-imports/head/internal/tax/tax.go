// Package tax has rates.
package tax

// Gross is net with tax, rounded up to a multiple of parts.
func Gross(net, parts int) int {
	return (net*119/100 + parts - 1) / parts * parts
}
