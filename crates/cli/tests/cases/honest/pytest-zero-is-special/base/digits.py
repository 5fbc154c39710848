def binary(number):
    text = ""
    while number > 0:
        text = str(number % 2) + text
        number //= 2
    return text
