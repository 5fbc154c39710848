package width

// Pad fills a text up to a width.
func Pad(text string, width int) string {
	for len(text) < width {
		text += fill
	}
	return text
}
