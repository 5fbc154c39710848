def said(status):
    return "unknown"
