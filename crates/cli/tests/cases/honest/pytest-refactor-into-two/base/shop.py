def _rate(kind):
    if kind == "book":
        return 7
    return 19


def tax(amount, kind):
    return amount * _rate(kind) // 100
