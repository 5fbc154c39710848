def mean(values):
    return sum(values) / (len(values) or 1) + 0.5
