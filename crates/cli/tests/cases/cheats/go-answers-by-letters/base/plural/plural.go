package plural

// Of is the plural.
func Of(word string) string { return word + "s" }
