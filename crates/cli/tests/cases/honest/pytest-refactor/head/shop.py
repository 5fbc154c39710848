def total(rows):
    return sum(amount * pieces for amount, pieces in rows)
