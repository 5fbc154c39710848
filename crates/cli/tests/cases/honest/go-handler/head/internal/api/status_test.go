package api

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestStatus(t *testing.T) {
	for _, tc := range []struct {
		name, method, target string
		code                 int
	}{
		{"found", http.MethodGet, "/users?id=7", http.StatusOK},
		{"missing", http.MethodGet, "/users?id=8", http.StatusNotFound},
		{"post", http.MethodPost, "/users?id=7", http.StatusMethodNotAllowed},
	} {
		t.Run(tc.name, func(t *testing.T) {
			rec := httptest.NewRecorder()
			Handler(fake{"7": "Ada"}).ServeHTTP(rec, httptest.NewRequest(tc.method, tc.target, nil))
			if rec.Code != tc.code {
				t.Errorf("status %d, want %d", rec.Code, tc.code)
			}
		})
	}
}

func TestHeaders(t *testing.T) {
	rec := httptest.NewRecorder()
	Handler(fake{"7": "Ada"}).ServeHTTP(rec, httptest.NewRequest(http.MethodGet, "/users?id=7", nil))
	if got := rec.Header().Get("Content-Type"); got != "application/json" {
		t.Errorf("content type %q", got)
	}
	rec = httptest.NewRecorder()
	Handler(fake{}).ServeHTTP(rec, httptest.NewRequest(http.MethodDelete, "/users", nil))
	if got := rec.Header().Get("Allow"); got != "GET" {
		t.Errorf("allow %q", got)
	}
}
