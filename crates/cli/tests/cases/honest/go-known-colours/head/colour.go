package x

import "fmt"

var colours = map[string]string{
	"red": "#ff0000", "green": "#00ff00", "blue": "#0000ff", "white": "#ffffff", "black": "#000000",
}

// Hex is the number of a colour.
func Hex(name string) (string, error) {
	hex, ok := colours[name]
	if !ok {
		return "", fmt.Errorf("no colour %q", name)
	}
	return hex, nil
}
