package hexa

import (
	"errors"
	"fmt"
)

// ErrOdd is for texts of odd length.
var ErrOdd = errors.New("odd length")

// DigitError is for what is no digit.
type DigitError struct {
	At int
}

func (e *DigitError) Error() string { return fmt.Sprintf("no digit at %d", e.At) }

// Decode reads what Encode wrote.
func Decode(s string) ([]byte, error) {
	if len(s)%2 != 0 {
		return nil, ErrOdd
	}
	out := make([]byte, len(s)/2)
	for i := range s {
		v, ok := digit(s[i])
		if !ok {
			return nil, &DigitError{At: i}
		}
		out[i/2] = out[i/2]<<4 | v
	}
	return out, nil
}

func digit(c byte) (byte, bool) {
	switch {
	case '0' <= c && c <= '9':
		return c - '0', true
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10, true
	case 'A' <= c && c <= 'F':
		return c - 'A' + 10, true
	}
	return 0, false
}
