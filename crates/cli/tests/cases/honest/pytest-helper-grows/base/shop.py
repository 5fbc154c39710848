def receipt(rows):
    return [f"{name} {price}" for name, price in rows]
