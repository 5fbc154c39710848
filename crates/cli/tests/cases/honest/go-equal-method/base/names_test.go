package names

import "testing"

func TestSame(t *testing.T) {
	if !(Name{"ada"}).Equal(Name{"ada"}) {
		t.Fatal("the same name")
	}
}
