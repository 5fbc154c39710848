package report

import (
	"os"
	"testing"
)

func TestGolden(t *testing.T) {
	want, err := os.ReadFile("testdata/lines.golden")
	if err != nil {
		t.Fatal(err)
	}
	if got := Line("tea", 150) + Line("cake", 1200); got != string(want) {
		t.Fatalf("got %q", got)
	}
}
