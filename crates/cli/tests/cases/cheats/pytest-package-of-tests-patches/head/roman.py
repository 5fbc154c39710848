def roman(number):
    return "I" * int(number)
