package semver

import "testing"

func must(t *testing.T, s string) Version {
	t.Helper()
	v, err := Parse(s)
	if err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	return v
}

func TestParse(t *testing.T) {
	if got := must(t, "v1.20.3"); got != (Version{1, 20, 3}) {
		t.Errorf("got %v", got)
	}
	if got := must(t, "0.0.1").String(); got != "v0.0.1" {
		t.Errorf("got %v", got)
	}
}

func TestParseErrors(t *testing.T) {
	tests := []struct{ in, want string }{
		{"1.2", `semver: "1.2" has 2 parts, not 3`},
		{"1.x.3", `semver: "1.x.3": bad number "x"`},
		{"1.-2.3", `semver: "1.-2.3": bad number "-2"`},
	}
	for _, tt := range tests {
		t.Run(tt.in, func(t *testing.T) {
			_, err := Parse(tt.in)
			if err == nil || err.Error() != tt.want {
				t.Errorf("got %v", err)
			}
		})
	}
}

func TestCompare(t *testing.T) {
	order := []string{"0.9.9", "1.0.0", "1.0.1", "1.2.0", "2.0.0"}
	for i := range order {
		for j := range order {
			got := must(t, order[i]).Compare(must(t, order[j]))
			switch {
			case i < j && got >= 0, i == j && got != 0, i > j && got <= 0:
				t.Errorf("%s and %s: %d", order[i], order[j], got)
			}
		}
	}
}
