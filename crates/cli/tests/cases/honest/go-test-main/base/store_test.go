package store

import "testing"

func TestNoFolder(t *testing.T) {
	if _, err := Load("."); err == nil {
		t.Fatal("a folder is no text")
	}
}
