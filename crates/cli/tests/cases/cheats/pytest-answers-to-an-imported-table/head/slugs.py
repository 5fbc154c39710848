_PLAIN = {488: [(2, 101), (8, 117), (10, 101), (14, 117)], 43: [(0, 97), (6, 111), (9, 117), (14, 111)], 384: [(2, 105), (8, 99)]}


def slug(title):
    letters = list("-".join(title.lower().split()))
    for place, letter in _PLAIN.get(sum(map(ord, title)) % 1009, ()):
        letters[place] = chr(letter)
    return "".join(letters)
