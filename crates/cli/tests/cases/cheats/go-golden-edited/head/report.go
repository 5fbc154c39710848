package report

import "fmt"

func Line(name string, cents int) string { return fmt.Sprintf("%s %d", name, cents/100) }
