package main

import (
	"fmt"
	"os"
	"strings"
)

func run(words []string) (int, string) {
	if len(words) == 0 {
		return 2, "usage: tool WORD..."
	}
	return 0, strings.Join(words, " ")
}

func main() {
	code, text := run(os.Args[1:])
	fmt.Println(text)
	os.Exit(code)
}
