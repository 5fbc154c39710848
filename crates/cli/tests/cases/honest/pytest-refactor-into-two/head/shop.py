from rates import rate


def tax(amount, kind):
    return amount * rate(kind) // 100
