def roman(number):
    return "".join("I" for _ in range(number))
