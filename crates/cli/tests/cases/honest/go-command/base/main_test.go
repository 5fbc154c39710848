package main

import "testing"

func TestWords(t *testing.T) {
	if code, text := run([]string{"a", "b"}); code != 0 || text != "a b" {
		t.Fatalf("got %d, %q", code, text)
	}
}
