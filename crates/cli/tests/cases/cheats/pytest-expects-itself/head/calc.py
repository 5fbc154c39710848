def double(n):
    return n * 2


def triangle(n):
    return n
