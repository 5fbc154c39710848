package wrap_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/x"
)

func ExampleText() {
	fmt.Println(wrap.Text("the quick brown fox jumps", 10))
	// Output:
	// the quick
	// brown fox
	// jumps
}

func TestTextFits(t *testing.T) {
	got := wrap.Text("aa bb cc", 5)
	if got != "aa bb\ncc" {
		t.Errorf("got %q", got)
	}
	if got := wrap.Text("aa bb", 4); got != "aa\nbb" {
		t.Errorf("got %q", got)
	}
	if got := wrap.Text("", 4); got != "" {
		t.Errorf("got %q", got)
	}
}

func BenchmarkText(b *testing.B) {
	s := strings.Repeat("word ", 1000)
	for i := 0; i < b.N; i++ {
		wrap.Text(s, 40)
	}
}
