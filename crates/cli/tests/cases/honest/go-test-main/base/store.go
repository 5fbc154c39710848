package store

import "os"

func Load(path string) (string, error) {
	text, err := os.ReadFile(path)
	return string(text), err
}
