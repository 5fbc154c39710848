package api

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

type fake map[string]string

func (f fake) Name(id string) (string, bool) {
	n, ok := f[id]
	return n, ok
}

func TestUserIsFound(t *testing.T) {
	rec := httptest.NewRecorder()
	Handler(fake{"7": "Ada"}).ServeHTTP(rec, httptest.NewRequest(http.MethodGet, "/users?id=7", nil))
	if !strings.Contains(rec.Body.String(), "Ada") {
		t.Fatalf("body %q", rec.Body)
	}
}
