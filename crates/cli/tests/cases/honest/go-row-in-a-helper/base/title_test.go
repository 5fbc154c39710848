package title

import "testing"

func TestCamel(t *testing.T) { camel(t) }

func BenchmarkCamel(b *testing.B) {
	for n := 0; n < b.N; n++ {
		camel(b)
	}
}

func camel(tb testing.TB) {
	for _, row := range [][]string{
		{"some_name", "SomeName"},
		{"another_long_name", "AnotherLongName"},
	} {
		if got := Camel(row[0]); got != row[1] {
			tb.Errorf("%q: %q", row[0], got)
		}
	}
}
