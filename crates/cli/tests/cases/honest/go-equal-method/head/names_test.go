package names

import "testing"

func TestSame(t *testing.T) {
	if !(Name{"ada"}).Equal(Name{"ada"}) {
		t.Fatal("the same name")
	}
}

func TestLargeLetters(t *testing.T) {
	if !(Name{"Ada"}).Equal(Name{"aDA"}) {
		t.Fatal("large letters do not matter")
	}
	if (Name{"ada"}).Equal(Name{"adb"}) {
		t.Fatal("other letters do")
	}
}
