// Package wrap breaks text.
package wrap

import "strings"

// Text breaks text at width.
func Text(s string, width int) string {
	var b strings.Builder
	col := 0
	for _, word := range strings.Fields(s) {
		switch {
		case col == 0:
		case col+1+len(word) > width:
			b.WriteByte('\n')
			col = 0
		default:
			b.WriteByte(' ')
			col++
		}
		b.WriteString(word)
		col += len(word)
	}
	return b.String()
}

// Words counts words.
func Words(s string) int { return len(strings.Fields(s)) }
