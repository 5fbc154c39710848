def rate(kind):
    if kind == "book":
        return 7
    return 19
