package text

import "strings"

func Upper(text string) string { return strings.ToUpper(text) }
