VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}


def from_roman(text: str) -> int:
    total = 0
    for letter, following in zip(text, text[1:] + " "):
        value = VALUES[letter]
        total += -value if VALUES.get(following, 0) > value else value
    return total
