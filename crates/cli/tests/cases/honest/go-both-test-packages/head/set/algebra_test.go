package set_test

import (
	"reflect"
	"testing"

	"example.com/x/set"
)

func TestUnion(t *testing.T) {
	t.Parallel()
	got := set.Of("a", "b").Union(set.Of("b", "c"))
	if !reflect.DeepEqual(got, set.Of("a", "b", "c")) {
		t.Fatalf("got %v", got)
	}
}

func TestIntersect(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		a, b, want set.Set[int]
	}{
		"disjoint": {set.Of(1), set.Of(2), set.Of[int]()},
		"overlap":  {set.Of(1, 2, 3), set.Of(2, 3, 4), set.Of(2, 3)},
		"same":     {set.Of(7), set.Of(7), set.Of(7)},
	}
	for name, tc := range tests {
		tc := tc
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := tc.a.Intersect(tc.b); !reflect.DeepEqual(got, tc.want) {
				t.Errorf("got %v, want %v", got, tc.want)
			}
		})
	}
}
