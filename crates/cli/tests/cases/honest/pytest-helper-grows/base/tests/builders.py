def row(name="tea", price=2):
    return (name, price)
