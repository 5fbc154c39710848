package store

import (
	"errors"
	"io/fs"
	"os"
)

func Load(path string) (string, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return string(text), err
}
