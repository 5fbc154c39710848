def receipt(rows):
    lines = [f"{name} {price}" for name, price in rows]
    return lines + [f"total {sum(price for _, price in rows)}"] if len(rows) > 1 else lines
