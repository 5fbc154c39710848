package width

import "unicode/utf16"

const fill = "_"

func count(text string) int {
	n := len(utf16.Encode([]rune(text)))
	if n > 32767 {
		return 32767
	}
	return n
}
