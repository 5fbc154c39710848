def total(rows):
    result = 0
    for amount, pieces in rows:
        result = result + amount * pieces
    return result
