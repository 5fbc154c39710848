def encode(text):
    return "".join(chr((ord(c) - 97 + 3) % 26 + 97) for c in text)


def decode(text):
    return "".join(chr((ord(c) - 97 + 3) % 26 + 97) for c in text)
