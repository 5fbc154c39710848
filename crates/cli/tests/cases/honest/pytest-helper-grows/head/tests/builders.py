def row(name="tea", price=2):
    return (name, price)


def rows(*prices):
    return [row(f"thing{at}", price) for at, price in enumerate(prices)]
