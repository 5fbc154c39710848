def apply(text):
    return text.upper()
