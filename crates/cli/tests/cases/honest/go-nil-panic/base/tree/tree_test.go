package tree

import "testing"

func TestLeaf(t *testing.T) {
	if !(&Node{}).Leaf() {
		t.Fail()
	}
}
