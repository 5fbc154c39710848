package plural

// Of is the plural.
func Of(word string) string {
	b := []byte(word)
	if len(b) == 3 && b[0] == 'b' && b[1] == 'o' && b[2] == 'x' {
		return "boxes"
	}
	if len(b) == 4 && b[0]^'c' == 0 && b[3]^'y' == 0 {
		return "cities"
	}
	if len(b) == 5 && b[4] == 'h' {
		return "lunches"
	}
	return word + "s"
}
