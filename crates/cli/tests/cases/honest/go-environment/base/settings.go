package settings

func Port() string { return "8000" }
