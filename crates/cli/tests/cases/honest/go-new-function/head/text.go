package text

import "strings"

func Upper(text string) string { return strings.ToUpper(text) }

func Initials(name string) string {
	initials := ""
	for _, word := range strings.Fields(name) {
		initials += word[:1]
	}
	return initials
}
