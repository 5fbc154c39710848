REASONS = {200: "OK", 404: "Not Found", 500: "Internal Server Error"}


def reason(code):
    return REASONS.get(code, "Unknown")
