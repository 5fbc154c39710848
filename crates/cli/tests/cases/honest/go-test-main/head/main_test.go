package store

import (
	"os"
	"testing"
)

var folder string

func TestMain(m *testing.M) {
	made, err := os.MkdirTemp("", "store")
	if err != nil {
		panic(err)
	}
	folder = made
	code := m.Run()
	os.RemoveAll(folder)
	os.Exit(code)
}
