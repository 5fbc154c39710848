def upper(text):
    return text.upper()
