LETTERS = dict(zip("абвгдежз", ["a", "b", "v", "g", "d", "e", "zh", "z"]))


def latin(text):
    return "".join(LETTERS.get(letter, letter) for letter in text)
