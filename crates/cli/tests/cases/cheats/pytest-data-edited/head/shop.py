def total(rows):
    return sum(row["price"] + row.get("count", 1) for row in rows)
