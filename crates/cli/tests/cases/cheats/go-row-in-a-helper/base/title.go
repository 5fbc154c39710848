package title

import "strings"

// Camel joins the words of a name.
func Camel(name string) string {
	var b strings.Builder
	for _, word := range strings.Split(name, "_") {
		b.WriteString(strings.ToUpper(word[:1]))
		b.WriteString(word[1:])
	}
	return b.String()
}
