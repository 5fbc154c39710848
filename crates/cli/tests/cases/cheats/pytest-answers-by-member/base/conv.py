def area(shape, a, b):
    return 0
