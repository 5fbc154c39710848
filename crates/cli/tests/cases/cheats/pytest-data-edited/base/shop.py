def total(rows):
    return sum(row["price"] * row["count"] for row in rows)
