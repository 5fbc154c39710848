package bus

import (
	"testing"
	"time"
)

func TestAll(t *testing.T) {
	var b Bus
	first, second := b.Sub(), b.Sub()
	b.Pub("a")
	<-first
	select {
	case got := <-second:
		t.Log(got)
	case <-time.After(time.Second):
		t.Fatal("nothing came")
	}
}
