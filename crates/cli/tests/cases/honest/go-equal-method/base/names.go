package names

type Name struct{ Text string }

func (n Name) Equal(other Name) bool { return n.Text == other.Text }
