def spread(values):
    middle = sum(values) / len(values)
    return (sum((value - middle) ** 2 for value in values) / len(values)) ** 0.5
