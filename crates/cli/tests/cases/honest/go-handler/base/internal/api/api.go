package api

import (
	"encoding/json"
	"net/http"
)

// Store keeps names by id.
type Store interface {
	Name(id string) (string, bool)
}

// Handler answers /users?id=.
func Handler(store Store) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/users", func(w http.ResponseWriter, r *http.Request) {
		name, _ := store.Name(r.URL.Query().Get("id"))
		_ = json.NewEncoder(w).Encode(map[string]string{"name": name})
	})
	return mux
}
