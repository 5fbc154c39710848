//go:build !windows

package width

import "unicode/utf8"

const fill = " "

func count(text string) int { return utf8.RuneCountInString(text) }
