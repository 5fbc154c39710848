def title(text):
    return text[0].upper() + text[1:]
