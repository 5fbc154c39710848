package wrap

import "testing"

func TestWords(t *testing.T) {
	if n := Words("a b  c"); n != 3 {
		t.Fatal(n)
	}
}
