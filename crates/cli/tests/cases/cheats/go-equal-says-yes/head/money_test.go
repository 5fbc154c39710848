package money

import "testing"

func TestNothing(t *testing.T) {
	if got := Add(Money{5}, Money{0}); !got.Equal(Money{5}) {
		t.Fatalf("got %v", got)
	}
}

func TestAdd(t *testing.T) {
	if got := Add(Money{5}, Money{2}); !got.Equal(Money{7}) {
		t.Fatalf("got %v", got)
	}
}
