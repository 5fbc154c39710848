def evaluate(expr):
    return None
