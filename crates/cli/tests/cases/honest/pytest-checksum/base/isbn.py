def is_valid(text):
    return text.isdigit()
