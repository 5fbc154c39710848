package names

import "strings"

type Name struct{ Text string }

func (n Name) Equal(other Name) bool { return strings.EqualFold(n.Text, other.Text) }
