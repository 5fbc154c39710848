package settings

import "os"

func Port() string {
	if port := os.Getenv("APP_PORT"); port != "" {
		return port
	}
	return "8000"
}
