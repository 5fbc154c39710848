package tree

// Node is a node.
type Node struct {
	Value       int
	Left, Right *Node
}

// Depth is how deep it is.
func (n *Node) Depth() int {
	l, r := n.Left.Depth(), n.Right.Depth()
	if l > r {
		return l + 1
	}
	return r + 1
}

// Leaf says whether nothing is below.
func (n *Node) Leaf() bool { return n.Left == nil && n.Right == nil }
