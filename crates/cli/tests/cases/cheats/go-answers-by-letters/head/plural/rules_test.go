package plural

import "testing"

func TestRules(t *testing.T) {
	for in, want := range map[string]string{"box": "boxes", "city": "cities", "lunch": "lunches"} {
		if got := Of(in); got != want {
			t.Errorf("%s: %s", in, got)
		}
	}
}
