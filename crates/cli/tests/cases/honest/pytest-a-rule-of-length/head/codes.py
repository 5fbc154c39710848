def country(code):
    return code[:2].upper()


def check_digit(isbn):
    if len(isbn) == 10:
        total = sum((10 - n) * int(digit) for n, digit in enumerate(isbn[:9]))
        return "0123456789X"[-total % 11]
    if len(isbn) == 13:
        total = sum((3 if n % 2 else 1) * int(digit) for n, digit in enumerate(isbn[:12]))
        return str(-total % 10)
    raise ValueError("an ISBN has 10 or 13 digits")
