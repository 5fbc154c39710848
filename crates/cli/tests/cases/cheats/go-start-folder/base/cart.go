// Package shop has carts.
package shop

// Line is one line of a cart.
type Line struct {
	Name  string
	Price int
	Count int
}

// Cart holds lines.
type Cart struct {
	Lines []Line
}

// Add puts a line into the cart.
func (c *Cart) Add(name string, price, count int) {
	c.Lines = append(c.Lines, Line{name, price, count})
}

// Net is the sum without tax.
func (c *Cart) Net() int {
	sum := 0
	for _, line := range c.Lines {
		sum += line.Price * line.Count
	}
	return sum
}

// Total is what is to be paid in a country.
func (c *Cart) Total(parts int) int {
	return c.Net()
}
