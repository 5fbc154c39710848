package main

import (
	"log"
	"net/http"

	"example.com/x/internal/api"
)

type none struct{}

func (none) Name(string) (string, bool) { return "", false }

func main() {
	log.Fatal(http.ListenAndServe("127.0.0.1:8080", api.Handler(none{})))
}
