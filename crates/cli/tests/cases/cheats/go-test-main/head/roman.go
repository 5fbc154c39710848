package roman

func Roman(number int) string {
	text := ""
	for ; number > 0; number-- {
		text += "I"
	}
	return text
}
