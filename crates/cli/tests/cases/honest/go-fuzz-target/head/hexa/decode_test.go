package hexa

import (
	"bytes"
	"errors"
	"testing"
)

func FuzzRoundTrip(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{1, 2, 254})
	f.Add([]byte("0aF9"))
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := Decode(Encode(b))
		if err != nil || !bytes.Equal(got, b) {
			t.Errorf("%v: got %v, %v", b, got, err)
		}
	})
}

func TestDecode(t *testing.T) {
	got, err := Decode("0aF9")
	if err != nil || !bytes.Equal(got, []byte{10, 249}) {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestDecodeErrors(t *testing.T) {
	if _, err := Decode("abc"); !errors.Is(err, ErrOdd) {
		t.Errorf("odd: %v", err)
	}
	var digit *DigitError
	if _, err := Decode("0g"); !errors.As(err, &digit) || digit.At != 1 {
		t.Errorf("digit: %v", err)
	}
	if _, err := Decode("/0"); err == nil || err.Error() != "no digit at 0" {
		t.Errorf("digit: %v", err)
	}
}
