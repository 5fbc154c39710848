"""Counts what lies on shelves."""


def count(lines):
    found = {}
    for line in lines:
        sku, _, number = line.strip().partition(" ")
        if sku:
            found[sku] = found.get(sku, 0) + int(number or 1)
    return found
