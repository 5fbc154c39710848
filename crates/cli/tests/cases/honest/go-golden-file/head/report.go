package report

import "fmt"

func Line(name string, cents int) string { return fmt.Sprintf("%-6s%6.2f\n", name, float64(cents)/100) }
