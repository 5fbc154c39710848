package roman

import "strings"

func Roman(number int) string { return strings.Repeat("I", number) }
