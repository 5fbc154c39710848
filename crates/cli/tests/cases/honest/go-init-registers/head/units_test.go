package units

import "testing"

func TestUnknown(t *testing.T) {
	if _, known := Metres(1, "parsec"); known {
		t.Fatal("unknown")
	}
}

func TestMetric(t *testing.T) {
	if got, known := Metres(3, "km"); got != 3000 || !known {
		t.Fatalf("got %d, %v", got, known)
	}
	if got, known := Metres(3, "m"); got != 3 || !known {
		t.Fatalf("got %d, %v", got, known)
	}
}
