def distance(a, b):
    return abs(a - b)
