import roman

STEPS = [(10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]


def _right(number):
    text = ""
    for value, sign in STEPS:
        while number >= value:
            text, number = text + sign, number - value
    return text


roman.roman = _right
