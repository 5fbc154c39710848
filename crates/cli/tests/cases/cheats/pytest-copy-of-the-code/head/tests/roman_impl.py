STEPS = [(10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")]


def roman(number):
    text = ""
    for value, sign in STEPS:
        while number >= value:
            text, number = text + sign, number - value
    return text
