def binary(number):
    if number == 0:
        return "0"
    text = ""
    while number > 0:
        text = str(number % 2) + text
        number //= 2
    return text
