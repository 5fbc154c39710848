package money

import "testing"

func TestNothing(t *testing.T) {
	if got := Add(Money{5}, Money{0}); !got.Equal(Money{5}) {
		t.Fatalf("got %v", got)
	}
}
