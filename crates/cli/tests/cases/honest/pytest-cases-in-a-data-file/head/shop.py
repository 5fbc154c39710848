NAMES = {404: "not found", 503: "not now", 418: "a teapot"}


def said(status):
    return NAMES.get(status, f"status {status}")
