def title(text):
    return " ".join(word[0].upper() + word[1:] for word in text.split())
