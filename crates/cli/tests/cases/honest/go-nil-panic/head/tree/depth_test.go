package tree

import "testing"

func TestDepth(t *testing.T) {
	n := &Node{Left: &Node{Right: &Node{}}, Right: &Node{}}
	if got := n.Depth(); got != 3 {
		t.Errorf("got %d, want 3", got)
	}
	if got := (&Node{Right: &Node{}}).Depth(); got != 2 {
		t.Errorf("got %d, want 2", got)
	}
}

func TestDepthOfNothing(t *testing.T) {
	var n *Node
	if got := n.Depth(); got != 0 {
		t.Errorf("got %d", got)
	}
}
