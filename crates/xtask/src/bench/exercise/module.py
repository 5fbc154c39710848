"""One of the modules that do not change."""

NAMES = ("zero", "one", "two", "three")


def units(count):
    return str(count) + (" unit" if count == 1 else " units")


def scaled(value, factor):
    if factor < 0:
        raise ValueError("a factor is not negative")
    return value * factor


def clipped(value, low, high):
    return max(low, min(high, value))


def named(number):
    return NAMES[number] if 0 <= number < len(NAMES) else str(number)


def slug(text):
    return "-".join(word.lower() for word in text.split() if word.isalnum())
