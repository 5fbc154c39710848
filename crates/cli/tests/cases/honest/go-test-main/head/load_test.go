package store

import (
	"os"
	"path/filepath"
	"testing"
)

func TestWhatIsNotThereIsEmpty(t *testing.T) {
	if text, err := Load(filepath.Join(folder, "none")); text != "" || err != nil {
		t.Fatalf("got %q, %v", text, err)
	}
}

func TestWhatIsThereIsRead(t *testing.T) {
	path := filepath.Join(folder, "some")
	if err := os.WriteFile(path, []byte("tea"), 0o600); err != nil {
		t.Fatal(err)
	}
	if text, err := Load(path); text != "tea" || err != nil {
		t.Fatalf("got %q, %v", text, err)
	}
}
