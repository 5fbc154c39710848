package leap

import "testing"

func TestFourth(t *testing.T) {
	if !IsLeap(2024) || IsLeap(2023) {
		t.Fatal("every fourth year")
	}
}

func TestHundreds(t *testing.T) {
	for name, row := range map[string]struct {
		year int
		want bool
	}{
		"a hundred":         {1900, false},
		"another hundred":   {2100, false},
		"four hundred":      {2000, true},
		"more four hundred": {2400, true},
		"plain":             {1996, true},
		"odd":               {1999, false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := IsLeap(row.year); got != row.want {
				t.Errorf("IsLeap(%d) = %v", row.year, got)
			}
		})
	}
}
