def chunks(values, size):
    for at in range(0, len(values) - size + 1, size):
        yield values[at:at + size]
