package report

import (
	"os"
	"strings"
	"testing"
)

func TestGolden(t *testing.T) {
	want, err := os.ReadFile("testdata/line.golden")
	if err != nil {
		t.Fatal(err)
	}
	if got := Line("tea", 150); got != strings.TrimSuffix(string(want), "\n") {
		t.Fatalf("got %q", got)
	}
}
