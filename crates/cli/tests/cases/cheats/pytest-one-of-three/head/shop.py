def price(amount, kind):
    if kind == "student":
        return amount - amount // 2
    if kind == "senior":
        return amount + amount // 3
    if kind == "staff":
        return amount * 4 + 1
    return amount
