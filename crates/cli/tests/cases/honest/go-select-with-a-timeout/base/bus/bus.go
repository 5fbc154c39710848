package bus

// Bus passes on.
type Bus struct{ subs []chan string }

// Sub subscribes.
func (b *Bus) Sub() <-chan string {
	c := make(chan string, 1)
	b.subs = append(b.subs, c)
	return c
}

// Pub publishes.
func (b *Bus) Pub(s string) {
	if len(b.subs) > 0 {
		b.subs[0] <- s
	}
}
