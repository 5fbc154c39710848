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
		if r.Method != http.MethodGet {
			w.Header().Set("Allow", http.MethodGet)
			http.Error(w, "only GET", http.StatusMethodNotAllowed)
			return
		}
		name, ok := store.Name(r.URL.Query().Get("id"))
		if !ok {
			http.Error(w, "no such user", http.StatusNotFound)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]string{"name": name})
	})
	return mux
}
