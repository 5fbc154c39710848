package bus

// Bus passes on.
type Bus struct{ subs []chan string }

// Sub subscribes.
func (b *Bus) Sub() <-chan string {
	c := make(chan string, 1)
	b.subs = append(b.subs, c)
	return c
}

// Pub publishes to all.
func (b *Bus) Pub(s string) {
	for _, c := range b.subs {
		c <- s
	}
}
